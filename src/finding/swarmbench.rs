//! Rules for SwarmBench batches: codes `SB001` ….

use super::Rule;

/// The rules, by name.
pub mod rules {
    use super::super::{Rule, Severity};

    /// Score is not a finite number.
    pub const SCORE_NOT_A_NUMBER: Rule = Rule {
        code: "SB001",
        severity: Severity::Warning,
        title: "score is not a finite number",
        effect: "the score of that round is undefined (null); a run whose last score is undefined has no final score",
        remedy: "look at the place named; the released code writes a number in every round",
    };

    /// Score missing.
    pub const SCORE_MISSING: Rule = Rule {
        code: "SB002",
        severity: Severity::Warning,
        title: "score missing",
        effect: "the score of that round is undefined (null)",
        remedy: "none, if the logging of scores started late",
    };

    /// Score written as text.
    pub const SCORE_AS_TEXT: Rule = Rule {
        code: "SB003",
        severity: Severity::Info,
        title: "score written as text",
        effect: "the text was read as the number it shows",
        remedy: "write scores as numbers",
    };

    /// Run without a final score.
    pub const NO_FINAL_SCORE: Rule = Rule {
        code: "SB004",
        severity: Severity::Warning,
        title: "run without a final score",
        effect: "the run is left out of score statistics and correlations, and counted there",
        remedy: "see the findings on its game log",
    };

    /// No meta_log.json.
    pub const META_MISSING: Rule = Rule {
        code: "SB010",
        severity: Severity::Warning,
        title: "no meta_log.json",
        effect: "model, seed and settings of the runs are unknown; they are analysed under the model “(unknown)”",
        remedy: "put the meta_log.json of the batch beside the logs",
    };

    /// Meta entry can not be used.
    pub const META_ENTRY_BAD: Rule = Rule {
        code: "SB011",
        severity: Severity::Error,
        title: "meta entry can not be used",
        effect: "the run is analysed as if the meta log did not name it",
        remedy: "compare the entry with the format: an object with model, task, …",
    };

    /// One run id twice in the meta log.
    pub const DUPLICATE_RUN_ID: Rule = Rule {
        code: "SB012",
        severity: Severity::Error,
        title: "one run id twice in the meta log",
        effect: "keys on which the entries differ are not used: the run stands under a label that names both models",
        remedy: "give each run an id of its own; runs that share log files can not be told apart",
    };

    /// One key twice in a meta entry.
    pub const DUPLICATE_KEY: Rule = Rule {
        code: "SB013",
        severity: Severity::Warning,
        title: "one key twice in a meta entry",
        effect: "the last value was used",
        remedy: "write each key once",
    };

    /// Meta value is NaN or infinite.
    pub const META_NOT_FINITE: Rule = Rule {
        code: "SB014",
        severity: Severity::Info,
        title: "meta value is NaN or infinite",
        effect: "it was read as null",
        remedy: "write a number or null",
    };

    /// Run without a game log.
    pub const GAME_LOG_MISSING: Rule = Rule {
        code: "SB015",
        severity: Severity::Error,
        title: "run without a game log",
        effect: "its score and positions are unknown; features from actions and messages are computed",
        remedy: "add game_log_<run id>.json, or remove the entry",
    };

    /// Run without an agent log.
    pub const AGENT_LOG_MISSING: Rule = Rule {
        code: "SB016",
        severity: Severity::Warning,
        title: "run without an agent log",
        effect: "its action and message features are undefined (not 0); position features and score are computed",
        remedy: "add agent_log_<run id>.json",
    };

    /// Log that the meta log does not name.
    pub const RUN_NOT_IN_META: Rule = Rule {
        code: "SB017",
        severity: Severity::Warning,
        title: "log that the meta log does not name",
        effect: "model and settings are unknown; the run is analysed under the model “(unknown)”",
        remedy: "add the entry to meta_log.json, or remove the file",
    };

    /// Two files for one log.
    pub const LOG_TWICE: Rule = Rule {
        code: "SB018",
        severity: Severity::Warning,
        title: "two files for one log",
        effect: "the first by name was read, the other was not",
        remedy: "remove one of them",
    };

    /// Run without a usable round.
    pub const RUN_EMPTY: Rule = Rule {
        code: "SB019",
        severity: Severity::Warning,
        title: "run without a usable round",
        effect: "the run is excluded from every number and listed among the excluded runs",
        remedy: "remove it, or fetch its logs again",
    };

    /// Rounds start anew within the log.
    pub const RUN_RESTARTED: Rule = Rule {
        code: "SB020",
        severity: Severity::Warning,
        title: "rounds start anew within the log",
        effect: "a resumed run was appended: from the round at which it starts anew the later part was used, before it the earlier one",
        remedy: "none, if that is what happened",
    };

    /// Records not in the order of rounds.
    pub const ROUNDS_OUT_OF_ORDER: Rule = Rule {
        code: "SB021",
        severity: Severity::Info,
        title: "records not in the order of rounds",
        effect: "they were sorted by round",
        remedy: "none",
    };

    /// Rounds missing in between.
    pub const ROUNDS_MISSING: Rule = Rule {
        code: "SB022",
        severity: Severity::Warning,
        title: "rounds missing in between",
        effect: "distances over a gap are not counted; run means are over the logged rounds",
        remedy: "fetch the log again",
    };

    /// Record without a round number.
    pub const RECORD_WITHOUT_ROUND: Rule = Rule {
        code: "SB023",
        severity: Severity::Warning,
        title: "record without a round number",
        effect: "an agent record without it was dropped; a game record was taken as the round after the one before it",
        remedy: "compare the record with the format",
    };

    /// Record without any content.
    pub const RECORD_EMPTY: Rule = Rule {
        code: "SB024",
        severity: Severity::Warning,
        title: "record without any content",
        effect: "it was dropped",
        remedy: "compare the record with the format",
    };

    /// Two records of one agent in one round.
    pub const DECISION_TWICE: Rule = Rule {
        code: "SB025",
        severity: Severity::Warning,
        title: "two records of one agent in one round",
        effect: "the later one was used",
        remedy: "remove one of them",
    };

    /// Record without an agent.
    pub const RECORD_WITHOUT_AGENT: Rule = Rule {
        code: "SB026",
        severity: Severity::Warning,
        title: "record without an agent",
        effect: "it was dropped",
        remedy: "compare the record with the format",
    };

    /// Agent log ends before the game log.
    pub const AGENT_LOG_SHORT: Rule = Rule {
        code: "SB027",
        severity: Severity::Warning,
        title: "agent log ends before the game log",
        effect: "action and message features of the rounds after it are undefined, and count as 0 in run means unless `--undefined skip` is given",
        remedy: "fetch the agent log again",
    };

    /// Round in which some agents have no record.
    pub const ROUND_INCOMPLETE: Rule = Rule {
        code: "SB028",
        severity: Severity::Warning,
        title: "round in which some agents have no record",
        effect: "values of that round are over the agents that have one",
        remedy: "none, if agents had left by then",
    };

    /// Agents missing from later rounds.
    pub const AGENTS_VANISH: Rule = Rule {
        code: "SB030",
        severity: Severity::Warning,
        title: "agents missing from later rounds",
        effect: "per-round values are over the agents present",
        remedy: "none, if the environment drops agents",
    };

    /// Agent outside the grid.
    pub const OUTSIDE_GRID: Rule = Rule {
        code: "SB031",
        severity: Severity::Info,
        title: "agent outside the grid",
        effect: "positions are used as logged",
        remedy: "none: agents that escape are logged outside",
    };

    /// Position is not a pair of whole numbers.
    pub const POSITION_BAD: Rule = Rule {
        code: "SB032",
        severity: Severity::Warning,
        title: "position is not a pair of whole numbers",
        effect: "the agent has no position in that round",
        remedy: "compare the record with the format",
    };

    /// Agent ids spelled in more than one way.
    pub const AGENT_IDS_MATCHED: Rule = Rule {
        code: "SB033",
        severity: Severity::Info,
        title: "agent ids spelled in more than one way",
        effect: "0, \"0\" and Agent_0 were taken as one agent, since they never occur side by side",
        remedy: "write agent ids in one way",
    };

    /// Agent ids can not be matched.
    pub const AGENT_IDS_AMBIGUOUS: Rule = Rule {
        code: "SB034",
        severity: Severity::Error,
        title: "agent ids can not be matched",
        effect: "spellings that occur side by side were kept as different agents",
        remedy: "write agent ids in one way in both logs",
    };

    /// Agent that only one of the logs knows.
    pub const AGENT_UNKNOWN: Rule = Rule {
        code: "SB035",
        severity: Severity::Warning,
        title: "agent that only one of the logs knows",
        effect: "it takes part only in what that log tells",
        remedy: "compare the ids in both logs",
    };

    /// Number of agents differs from the meta log.
    pub const AGENT_COUNT_DIFFERS: Rule = Rule {
        code: "SB036",
        severity: Severity::Warning,
        title: "number of agents differs from the meta log",
        effect: "values are over the agents in the logs",
        remedy: "correct num_agents, or fetch the logs again",
    };

    /// Task in the log differs from the meta log.
    pub const TASK_DIFFERS: Rule = Rule {
        code: "SB037",
        severity: Severity::Warning,
        title: "task in the log differs from the meta log",
        effect: "the meta log stands",
        remedy: "check that the log belongs to this run",
    };

    /// Action is missing or not text.
    pub const ACTION_BAD: Rule = Rule {
        code: "SB038",
        severity: Severity::Warning,
        title: "action is missing or not text",
        effect: "the agent has no action in that round",
        remedy: "compare the record with the format",
    };

    /// Action beyond the six known ones.
    pub const ACTION_UNKNOWN: Rule = Rule {
        code: "SB039",
        severity: Severity::Info,
        title: "action beyond the six known ones",
        effect: "it counts among all actions, not as a move",
        remedy: "none, for newer tasks",
    };

    /// Message is not text.
    pub const MESSAGE_BAD: Rule = Rule {
        code: "SB040",
        severity: Severity::Warning,
        title: "message is not text",
        effect: "it was read as no message",
        remedy: "compare the record with the format",
    };

    /// Grid is not rows of one-letter cells.
    pub const GRID_BAD: Rule = Rule {
        code: "SB041",
        severity: Severity::Warning,
        title: "grid is not rows of one-letter cells",
        effect: "the grid of that round is unknown; positions are not affected",
        remedy: "compare the record with the format",
    };

    /// Token count is not a number.
    pub const TOKENS_BAD: Rule = Rule {
        code: "SB042",
        severity: Severity::Warning,
        title: "token count is not a finite number",
        effect: "the agent's tokens are those of its last record that has a number",
        remedy: "look at total_llm_tokens at the place named",
    };

    /// Meta field missing or of another type.
    pub const META_FIELD_BAD: Rule = Rule {
        code: "SB043",
        severity: Severity::Warning,
        title: "meta field is missing or of another type",
        effect: "the run is kept; the field counts as unknown, and the run is grouped accordingly",
        remedy: "write model and task as text, sizes and the seed as whole numbers",
    };

    /// Statistic is not finite.
    pub const SUM_OVERFLOW: Rule = Rule {
        code: "SB050",
        severity: Severity::Warning,
        title: "statistic is not finite",
        effect: "scores are so large that their sum overflows: the statistic is undefined, not infinite",
        remedy: "check the scores named in the group",
    };
}

/// All of them, in code order.
pub(super) const RULES: &[&Rule] = &[
    &rules::SCORE_NOT_A_NUMBER,
    &rules::SCORE_MISSING,
    &rules::SCORE_AS_TEXT,
    &rules::NO_FINAL_SCORE,
    &rules::META_MISSING,
    &rules::META_ENTRY_BAD,
    &rules::DUPLICATE_RUN_ID,
    &rules::DUPLICATE_KEY,
    &rules::META_NOT_FINITE,
    &rules::GAME_LOG_MISSING,
    &rules::AGENT_LOG_MISSING,
    &rules::RUN_NOT_IN_META,
    &rules::LOG_TWICE,
    &rules::RUN_EMPTY,
    &rules::RUN_RESTARTED,
    &rules::ROUNDS_OUT_OF_ORDER,
    &rules::ROUNDS_MISSING,
    &rules::RECORD_WITHOUT_ROUND,
    &rules::RECORD_EMPTY,
    &rules::DECISION_TWICE,
    &rules::RECORD_WITHOUT_AGENT,
    &rules::AGENT_LOG_SHORT,
    &rules::ROUND_INCOMPLETE,
    &rules::AGENTS_VANISH,
    &rules::OUTSIDE_GRID,
    &rules::POSITION_BAD,
    &rules::AGENT_IDS_MATCHED,
    &rules::AGENT_IDS_AMBIGUOUS,
    &rules::AGENT_UNKNOWN,
    &rules::AGENT_COUNT_DIFFERS,
    &rules::TASK_DIFFERS,
    &rules::ACTION_BAD,
    &rules::ACTION_UNKNOWN,
    &rules::MESSAGE_BAD,
    &rules::GRID_BAD,
    &rules::TOKENS_BAD,
    &rules::META_FIELD_BAD,
    &rules::SUM_OVERFLOW,
];
