//! attribution.
