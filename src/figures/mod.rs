//! figures.
