//! Rules for `mastracebench/1` runs: codes `MT001` ….

use super::Rule;

/// The rules, by name.
pub mod rules {
    use super::super::{Rule, Severity};

    /// `run.json` is no object, or lacks what names a run.
    pub const BAD_RUN_FILE: Rule = Rule {
        code: "MT001",
        severity: Severity::Error,
        title: "run.json can't be used",
        effect: "the run is left out",
        remedy: "run.json must be an object with schema, run_id, task, method and model",
    };
    /// A line of `units.jsonl` or `episodes.jsonl` that is no record.
    pub const BAD_LINE: Rule = Rule {
        code: "MT002",
        severity: Severity::Error,
        title: "line is no readable record",
        effect: "the line is left out; the lines before and after it are used",
        remedy: "look at the place named; each line must be one JSON object of the documented form",
    };
    /// A line above the size limit.
    pub const LINE_TOO_LONG: Rule = Rule {
        code: "MT004",
        severity: Severity::Error,
        title: "line is longer than 64 MiB",
        effect: "the line is skipped without being read into memory",
        remedy: "a unit's record should be far below 64 MiB; check how the log was written",
    };
    /// The same file twice.
    pub const FILE_TWICE: Rule = Rule {
        code: "MT003",
        severity: Severity::Warning,
        title: "a run's file is there twice",
        effect: "the first by name is read",
        remedy: "keep one of them",
    };
    /// A key twice.
    pub const DUPLICATE_KEY: Rule = Rule {
        code: "MT005",
        severity: Severity::Warning,
        title: "key is there twice in one object",
        effect: "the last value stands",
        remedy: "check how the log was written",
    };
    /// Bare NaN or Infinity.
    pub const NOT_A_NUMBER: Rule = Rule {
        code: "MT006",
        severity: Severity::Warning,
        title: "NaN, Infinity or another non-number where a number belongs",
        effect: "the value is undefined; a score that can be computed from instance and content is computed",
        remedy: "JSON has no NaN; write null or leave the key out",
    };
    /// A number written as text.
    pub const NUMBER_AS_TEXT: Rule = Rule {
        code: "MT007",
        severity: Severity::Info,
        title: "number written as text",
        effect: "it is read as the number it spells",
        remedy: "write numbers without quotes",
    };
    /// The same unit id twice in a run.
    pub const DUPLICATE_UNIT: Rule = Rule {
        code: "MT010",
        severity: Severity::Error,
        title: "unit id is there twice in a run",
        effect: "the first record is used, later ones are left out and counted",
        remedy: "check whether a resumed run was appended to the same file",
    };
    /// The same run twice.
    pub const DUPLICATE_RUN: Rule = Rule {
        code: "MT011",
        severity: Severity::Error,
        title: "run id is there twice",
        effect: "both runs are kept and shown; results by run id are ambiguous",
        remedy: "give every run its own run_id",
    };
    /// The same episode twice.
    pub const DUPLICATE_EPISODE: Rule = Rule {
        code: "MT012",
        severity: Severity::Error,
        title: "episode id is there twice in a run",
        effect: "the first score is used, later ones are left out and counted",
        remedy: "check whether a resumed run was appended to the same file",
    };
    /// A unit without an initial proposal.
    pub const MISSING_INITIAL: Rule = Rule {
        code: "MT013",
        severity: Severity::Warning,
        title: "proposer without an initial proposal",
        effect: "the best initial score is the best of those recorded; the agent has no refinement label",
        remedy: "log every proposer's first proposal, also an invalid one",
    };
    /// A unit without a final proposal.
    pub const MISSING_FINAL: Rule = Rule {
        code: "MT014",
        severity: Severity::Warning,
        title: "proposer without a final proposal",
        effect: "the agent has no refinement label; the unit takes no part in final-proposal agreement",
        remedy: "log every proposer's last proposal; it equals the first where nothing was revised",
    };
    /// A unit without an answer.
    pub const MISSING_ANSWER: Rule = Rule {
        code: "MT015",
        severity: Severity::Error,
        title: "unit without an answer",
        effect: "the unit has no label, no aggregation loss and no part in the task score",
        remedy: "log the system's answer, also an invalid one",
    };
    /// A unit without proposers.
    pub const NO_PROPOSERS: Rule = Rule {
        code: "MT016",
        severity: Severity::Error,
        title: "unit without proposers",
        effect: "the unit has no label and no aggregation loss; its answer counts for the task score",
        remedy: "log the proposers; a single agent is one proposer",
    };
    /// A score outside 0–100.
    pub const SCORE_OUT_OF_RANGE: Rule = Rule {
        code: "MT020",
        severity: Severity::Error,
        title: "score outside 0–100",
        effect: "the logged score is not used; it is computed from instance and content where that is possible, else undefined",
        remedy: "scores are on 0–100; check for a scale of 0–1 or of raw points",
    };
    /// b > S⋆.
    pub const BEST_ABOVE_MAX: Rule = Rule {
        code: "MT021",
        severity: Severity::Error,
        title: "best initial score is above the highest attainable score",
        effect: "the label compares with the best initial score as it is; a kept one is then SubKeep",
        remedy: "check max_score",
    };
    /// A logged score that is not what instance and content give.
    pub const SCORE_DIFFERS: Rule = Rule {
        code: "MT022",
        severity: Severity::Warning,
        title: "logged score differs from the recomputed one",
        effect: "the logged score is used",
        remedy: "check the scoring code, or leave scores out of the log and have them computed",
    };
    /// A logged score that is the recomputed one, rounded.
    pub const SCORE_ROUNDED: Rule = Rule {
        code: "MT023",
        severity: Severity::Info,
        title: "logged scores look rounded",
        effect: "the logged score is used; equal proposals still count as equal where all are rounded alike",
        remedy: "log scores in full precision, or leave them out and have them computed",
    };
    /// A logged S⋆ that is not what the instance gives.
    pub const MAX_DIFFERS: Rule = Rule {
        code: "MT024",
        severity: Severity::Warning,
        title: "logged max_score differs from the recomputed one",
        effect: "the logged max_score is used; OptKeep and SubKeep depend on it",
        remedy: "check the scoring code, or leave max_score out and have it computed",
    };
    /// An output without a logged score, where none can be computed.
    pub const NO_SCORE: Rule = Rule {
        code: "MT025",
        severity: Severity::Warning,
        title: "output has no score and none can be computed",
        effect: "the score is undefined; labels that need it are left out and counted",
        remedy: "log the score, or what it is computed from (OptionGen: judge; Negotiation: accepted)",
    };
    /// An instance that can't be read.
    pub const BAD_INSTANCE: Rule = Rule {
        code: "MT026",
        severity: Severity::Warning,
        title: "instance has not the task's form",
        effect: "scores of that unit are taken as logged and can't be checked or computed",
        remedy: "see docs/methods.md for the instance of each task",
    };
    /// Invalid outputs.
    pub const INVALID_OUTPUT: Rule = Rule {
        code: "MT027",
        severity: Severity::Info,
        title: "outputs logged as invalid, or of no usable form",
        effect: "they lower output validity and stay in every other measure with their score; one without usable content scores 0",
        remedy: "nothing to do if they are few; otherwise look at the extraction of answers",
    };
    /// A task without scoring function.
    pub const UNKNOWN_TASK: Rule = Rule {
        code: "MT030",
        severity: Severity::Warning,
        title: "task has no scoring function here",
        effect: "logged scores are used; nothing is computed or checked",
        remedy: "check the task's name; known are MAPF, OptionGen, EvidenceChain, Gomoku, Negotiation, TacticDuel",
    };
    /// A method that the paper does not name.
    pub const UNKNOWN_METHOD: Rule = Rule {
        code: "MT031",
        severity: Severity::Info,
        title: "method is none of the paper's",
        effect: "it is analysed like any other and listed after the known ones",
        remedy: "nothing to do if the name is right",
    };
    /// No baseline.
    pub const NO_BASELINE: Rule = Rule {
        code: "MT032",
        severity: Severity::Warning,
        title: "no Single-Agent run of the same task, model and instances",
        effect: "collaboration gain and token multiplier are undefined",
        remedy: "analyse the baseline's run together with this one",
    };
    /// Instances that differ from the baseline's.
    pub const INSTANCES_DIFFER: Rule = Rule {
        code: "MT033",
        severity: Severity::Warning,
        title: "instances differ between the run and its baseline",
        effect: "collaboration gain and token multiplier are computed on the instances that both have",
        remedy: "run both on the same instances; the numbers left out are in the message",
    };
    /// A dynamic task without episodes.
    pub const NO_EPISODES: Rule = Rule {
        code: "MT034",
        severity: Severity::Error,
        title: "dynamic task without episode scores",
        effect: "task score and collaboration gain are undefined; labels are not affected",
        remedy: "write episodes.jsonl, one {\"episode_id\", \"score\"} a line",
    };
    /// Units of an episode that has no score.
    pub const EPISODE_UNSCORED: Rule = Rule {
        code: "MT035",
        severity: Severity::Warning,
        title: "episode without a score",
        effect: "its units are labelled; it has no part in the task score",
        remedy: "check whether the run was killed between writing the two files",
    };
    /// A dynamic unit without an episode.
    pub const NO_EPISODE_ID: Rule = Rule {
        code: "MT036",
        severity: Severity::Warning,
        title: "unit of a dynamic task without episode_id",
        effect: "the unit stands for itself when intervals are drawn; it can't be paired with the baseline's cost",
        remedy: "log episode_id and step",
    };
    /// The schema is another one.
    pub const OTHER_SCHEMA: Rule = Rule {
        code: "MT037",
        severity: Severity::Warning,
        title: "schema is not mastracebench/1",
        effect: "the file is read as mastracebench/1 as far as it fits",
        remedy: "check the version that wrote the log",
    };
    /// No units at all.
    pub const NO_UNITS: Rule = Rule {
        code: "MT038",
        severity: Severity::Error,
        title: "run without a readable unit",
        effect: "the run is listed and has no measures",
        remedy: "check units.jsonl",
    };
}

/// All of them, in code order.
pub(super) const RULES: &[&Rule] = &[
    &rules::BAD_RUN_FILE,
    &rules::BAD_LINE,
    &rules::FILE_TWICE,
    &rules::LINE_TOO_LONG,
    &rules::DUPLICATE_KEY,
    &rules::NOT_A_NUMBER,
    &rules::NUMBER_AS_TEXT,
    &rules::DUPLICATE_UNIT,
    &rules::DUPLICATE_RUN,
    &rules::DUPLICATE_EPISODE,
    &rules::MISSING_INITIAL,
    &rules::MISSING_FINAL,
    &rules::MISSING_ANSWER,
    &rules::NO_PROPOSERS,
    &rules::SCORE_OUT_OF_RANGE,
    &rules::BEST_ABOVE_MAX,
    &rules::SCORE_DIFFERS,
    &rules::SCORE_ROUNDED,
    &rules::MAX_DIFFERS,
    &rules::NO_SCORE,
    &rules::BAD_INSTANCE,
    &rules::INVALID_OUTPUT,
    &rules::UNKNOWN_TASK,
    &rules::UNKNOWN_METHOD,
    &rules::NO_BASELINE,
    &rules::INSTANCES_DIFFER,
    &rules::NO_EPISODES,
    &rules::EPISODE_UNSCORED,
    &rules::NO_EPISODE_ID,
    &rules::OTHER_SCHEMA,
    &rules::NO_UNITS,
];
