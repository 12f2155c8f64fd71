//! The progress bar: bytes, runs and time left, on stderr.

use std::sync::atomic::{AtomicU64, Ordering};

use indicatif::{ProgressBar, ProgressStyle};

use crate::pipeline::Progress;

/// A bar on the terminal.
pub(super) struct Bar {
    bar: ProgressBar,
    done: AtomicU64,
    total: AtomicU64,
}

impl Bar {
    pub(super) fn new() -> Self {
        Self { bar: ProgressBar::no_length(), done: AtomicU64::new(0), total: AtomicU64::new(0) }
    }
}

impl Progress for Bar {
    fn begin(&self, runs: u64, bytes: u64) {
        self.total.store(runs, Ordering::Relaxed);
        self.done.store(0, Ordering::Relaxed);
        self.bar.reset();
        self.bar.set_length(bytes);
        let template = "{bar:28} {bytes}/{total_bytes} ({bytes_per_sec}), runs {msg}, {eta} left";
        if let Ok(style) = ProgressStyle::with_template(template) {
            self.bar.set_style(style);
        }
    }

    fn run(&self, bytes: u64) {
        let done = self.done.fetch_add(1, Ordering::Relaxed) + 1;
        self.bar.set_message(format!("{done}/{}", self.total.load(Ordering::Relaxed)));
        self.bar.inc(bytes);
    }

    fn end(&self) {
        self.bar.finish_and_clear();
    }
}

/// A bar that counts runs, for work that reads no bytes.
pub(super) struct RunBar(ProgressBar);

impl RunBar {
    pub(super) fn new() -> Self {
        Self(ProgressBar::no_length())
    }
}

impl Progress for RunBar {
    fn begin(&self, runs: u64, _: u64) {
        self.0.reset();
        self.0.set_length(runs);
        if let Ok(style) = ProgressStyle::with_template("{bar:28} runs {pos}/{len}, {eta} left") {
            self.0.set_style(style);
        }
    }

    fn run(&self, _: u64) {
        self.0.inc(1);
    }

    fn end(&self) {
        self.0.finish_and_clear();
    }
}
