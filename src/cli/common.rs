//! What the subcommands share: inputs, workers, findings, and where talk goes.

use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use clap::{Args, ValueEnum};

use crate::error::{Error, ExitCode, Result};
use crate::finding::{Finding, Findings, Severity};
use crate::ingest::{Inventory, discover};
use crate::pipeline::{Progress, Silent};

use super::progress::Bar;

/// From which severity on findings make the command end with exit code 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum FailOn {
    /// Errors.
    Error,
    /// Errors and warnings.
    Warning,
    /// Never.
    Never,
}

/// Arguments of every subcommand that reads logs.
#[derive(Debug, Args)]
pub(super) struct Input {
    /// Folders (searched through), files, zip archives, .gz or .zst files; any mix
    #[arg(required = true, value_name = "PATH")]
    pub(super) paths: Vec<PathBuf>,

    /// Worker threads; 0 takes one per core. Results do not depend on it
    #[arg(long, short = 'j', default_value_t = 0, value_name = "N")]
    pub(super) jobs: usize,

    /// End with exit code 1 when there are findings of this severity or above
    #[arg(long, value_enum, default_value = "error", value_name = "SEVERITY")]
    pub(super) fail_on: FailOn,

    /// No progress bar and no list of findings on stderr
    #[arg(long, short)]
    pub(super) quiet: bool,
}

impl Input {
    /// Finds the runs. When nothing is recognised, what was found wrong is said before the error.
    pub(super) fn discover(&self, findings: &mut Findings) -> Result<Inventory> {
        discover(&self.paths, findings).inspect_err(|_| {
            if !self.quiet {
                list_findings(&findings.clone().into_sorted());
            }
        })
    }

    /// A bar on a terminal, silence elsewhere.
    pub(super) fn progress(&self) -> Box<dyn Progress> {
        if !self.quiet && io::stderr().is_terminal() { Box::new(Bar::new()) } else { Box::new(Silent) }
    }

    /// Lists the findings on stderr and gives the exit code that they ask for.
    pub(super) fn conclude(&self, findings: &[Finding]) -> ExitCode {
        if !self.quiet {
            list_findings(findings);
        }
        let limit = match self.fail_on {
            FailOn::Error => Severity::Error,
            FailOn::Warning => Severity::Warning,
            FailOn::Never => return ExitCode::Fine,
        };
        if findings.iter().any(|finding| finding.severity >= limit) {
            ExitCode::Findings
        } else {
            ExitCode::Fine
        }
    }
}

/// Findings listed on stderr at most; reports and findings.json have them all.
const LISTED: usize = 20;

fn list_findings(findings: &[Finding]) {
    for finding in findings.iter().filter(|f| f.severity > Severity::Info).take(LISTED) {
        let file = finding.file.as_deref().or(finding.run_id.as_deref()).unwrap_or("");
        let place = finding.places.first().map_or_else(String::new, |place| format!(", {place}"));
        let times = if finding.count > 1 { format!(" ({} times)", finding.count) } else { String::new() };
        let (severity, code, title, message) =
            (finding.severity.name(), &finding.code, &finding.title, &finding.message);
        say(&format!("{severity} {code}: {file}{place}: {title}{times}: {message}"));
    }
    let count = |severity| findings.iter().filter(|f| f.severity == severity).count();
    let [errors, warnings, infos] = Severity::ALL.map(count);
    if errors + warnings > LISTED {
        say(&format!("… and {} more", errors + warnings - LISTED));
    }
    if !findings.is_empty() {
        say(&format!("findings: {errors} errors, {warnings} warnings, {infos} notes"));
    }
}

/// Says something to the person at the terminal. Control characters from logs are shown, not sent.
pub(super) fn say(text: &str) {
    let _ = writeln!(io::stderr().lock(), "{}", printable(text));
}

/// The text with control characters (terminal escapes, line breaks, direction marks) as visible escapes.
pub(super) fn printable(text: &str) -> String {
    let hidden = |c: char| {
        c.is_control()
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().fold(String::with_capacity(text.len()), |mut out, c| {
        if hidden(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
        out
    })
}

/// Where a table goes: a file, or stdout for `-`.
pub(super) fn is_stdout(output: Option<&PathBuf>) -> bool {
    output.is_none_or(|path| path.as_os_str() == "-")
}

/// An error of writing to stdout.
pub(super) fn stdout_error(source: io::Error) -> Error {
    Error::write("standard output", source)
}

/// Standard output that remembers whether its reader has gone: not every writer on the way passes an error's kind on.
pub(super) struct Stdout {
    gone: Arc<AtomicBool>,
}

impl Stdout {
    pub(super) fn new() -> Self {
        Self { gone: Arc::default() }
    }

    /// Makes an error of what was written to this output.
    pub(super) fn error(&self) -> impl Fn(io::Error) -> Error + Clone + Send + use<> {
        let gone = Arc::clone(&self.gone);
        move |source| {
            let source = if gone.load(Ordering::Relaxed) { io::ErrorKind::BrokenPipe.into() } else { source };
            stdout_error(source)
        }
    }

    fn noted<T>(&self, result: io::Result<T>) -> io::Result<T> {
        result.inspect_err(|error| {
            if error.kind() == io::ErrorKind::BrokenPipe {
                self.gone.store(true, Ordering::Relaxed);
            }
        })
    }
}

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = io::stdout().write(bytes);
        self.noted(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = io::stdout().flush();
        self.noted(flushed)
    }
}

#[cfg(test)]
mod tests {
    use super::printable;

    #[test]
    fn terminal_escapes_are_shown_not_sent() {
        assert_eq!(printable("a\u{1b}[31mé\n\u{202e}b"), "a\\u{1b}[31mé\\n\\u{202e}b");
    }
}
