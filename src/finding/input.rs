//! Rules for files, archives and JSON in general, whatever the format: codes `IN001` ….

use super::Rule;

/// The rules, by name.
pub mod rules {
    use super::super::{Rule, Severity};

    /// Archive member refused.
    pub const MEMBER_REFUSED: Rule = Rule {
        code: "IN001",
        severity: Severity::Error,
        title: "archive member refused",
        effect: "the member was not read; nothing was written or read outside the archive",
        remedy: "make the archive anew without absolute paths, `..`, back-slashes and links",
    };

    /// Archive can not be read.
    pub const ARCHIVE_UNREADABLE: Rule = Rule {
        code: "IN002",
        severity: Severity::Error,
        title: "archive can not be read",
        effect: "nothing in this archive (or this member) was analysed",
        remedy: "test the archive with `unzip -t`; fetch it again",
    };

    /// Archive beyond the limits.
    pub const ARCHIVE_LIMIT: Rule = Rule {
        code: "IN003",
        severity: Severity::Error,
        title: "archive beyond the limits",
        effect: "what lies deeper or is larger than the limit was not analysed",
        remedy: "unpack the inner archive beside the outer one",
    };

    /// Folder or link can not be followed.
    pub const FOLDER_UNREADABLE: Rule = Rule {
        code: "IN004",
        severity: Severity::Warning,
        title: "folder or link can not be followed",
        effect: "what lies behind it was not analysed",
        remedy: "check the rights, and links that point to a folder above themselves",
    };

    /// File reached twice.
    pub const GIVEN_TWICE: Rule = Rule {
        code: "IN005",
        severity: Severity::Info,
        title: "file reached twice",
        effect: "it was read once",
        remedy: "give each folder once",
    };

    /// File not recognised as a log.
    pub const FILE_SKIPPED: Rule = Rule {
        code: "IN006",
        severity: Severity::Info,
        title: "file not recognised as a log",
        effect: "it was not analysed",
        remedy: "nothing to do unless it should be a log: then compare its first bytes with the format",
    };

    /// File can not be read.
    pub const FILE_UNREADABLE: Rule = Rule {
        code: "IN007",
        severity: Severity::Error,
        title: "file can not be read",
        effect: "nothing in this file was analysed, or only what came before the fault",
        remedy: "check the rights and the disk; fetch the file again",
    };

    /// File ends in the middle of a record.
    pub const FILE_CUT: Rule = Rule {
        code: "IN008",
        severity: Severity::Warning,
        title: "file ends in the middle of a record",
        effect: "the whole records before the cut were kept; rounds after it are undefined, and count as 0 in run means unless `--undefined skip` is given",
        remedy: "a killed run leaves such a file; fetch it again if the run was not killed",
    };

    /// File is not valid JSON from here on.
    pub const FILE_DAMAGED: Rule = Rule {
        code: "IN009",
        severity: Severity::Error,
        title: "file is not valid JSON from here on",
        effect: "the records before the damage were kept; what follows it is lost",
        remedy: "compare the file with its source at the byte named",
    };

    /// Nested too deeply.
    pub const NESTED_TOO_DEEP: Rule = Rule {
        code: "IN010",
        severity: Severity::Error,
        title: "nested too deeply",
        effect: "the file was refused from there on; the formats need 4 levels and 64 are read",
        remedy: "the file is not a log, or was damaged",
    };

    /// Record longer than 64 MiB.
    pub const RECORD_TOO_LONG: Rule = Rule {
        code: "IN011",
        severity: Severity::Error,
        title: "record longer than 64 MiB",
        effect: "the file was read up to that record",
        remedy: "split the record, or leave out its prompt",
    };

    /// Text is not valid UTF-8.
    pub const INVALID_UTF8: Rule = Rule {
        code: "IN012",
        severity: Severity::Warning,
        title: "text is not valid UTF-8",
        effect: "each bad sequence was read as one replacement character (U+FFFD); message features of those rounds count it as a character",
        remedy: "write the logs as UTF-8",
    };

    /// Escape without meaning in a text.
    pub const BAD_ESCAPE: Rule = Rule {
        code: "IN013",
        severity: Severity::Info,
        title: "escape without meaning in a text",
        effect: "each was read as the replacement character (U+FFFD)",
        remedy: "lone surrogates come from cut emoji; nothing to do",
    };

    /// File starts with a byte-order mark.
    pub const BYTE_ORDER_MARK: Rule = Rule {
        code: "IN014",
        severity: Severity::Info,
        title: "file starts with a byte-order mark",
        effect: "none: it was skipped",
        remedy: "write the logs as UTF-8 without it",
    };

    /// Record is not valid JSON.
    pub const RECORD_DAMAGED: Rule = Rule {
        code: "IN015",
        severity: Severity::Error,
        title: "record is not valid JSON",
        effect: "the record was left out, and reading went on at the next line that begins one; its round counts as one without it",
        remedy: "compare the file with its source at the byte named",
    };
}

/// All of them, in code order.
pub(super) const RULES: &[&Rule] = &[
    &rules::MEMBER_REFUSED,
    &rules::ARCHIVE_UNREADABLE,
    &rules::ARCHIVE_LIMIT,
    &rules::FOLDER_UNREADABLE,
    &rules::GIVEN_TWICE,
    &rules::FILE_SKIPPED,
    &rules::FILE_UNREADABLE,
    &rules::FILE_CUT,
    &rules::FILE_DAMAGED,
    &rules::NESTED_TOO_DEEP,
    &rules::RECORD_TOO_LONG,
    &rules::INVALID_UTF8,
    &rules::BAD_ESCAPE,
    &rules::BYTE_ORDER_MARK,
    &rules::RECORD_DAMAGED,
];
