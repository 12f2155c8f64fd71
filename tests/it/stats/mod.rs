//! The statistics against other tools' values, and their general properties.

mod oracle;
mod properties;
