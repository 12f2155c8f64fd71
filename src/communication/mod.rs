//! communication.
