//! Rules for MASBench runs: codes `MB001` ….

use super::Rule;

/// The rules, by name.
pub mod rules {
    use super::super::{Rule, Severity};

    macro_rules! rules {
        ($($(#[$doc:meta])* $name:ident = $code:literal, $severity:ident, $title:literal, $effect:literal, $remedy:literal;)*) => {
            $($(#[$doc])* pub const $name: Rule = Rule {
                code: $code,
                severity: Severity::$severity,
                title: $title,
                effect: $effect,
                remedy: $remedy,
            };)*
            /// All of them, in code order.
            pub(in super::super) const ALL: &[&Rule] = &[$(&$name),*];
        };
    }

    rules! {
        /// `run.json` can't be used.
        RUN_FILE_UNUSABLE = "MB001", Error, "run.json can't be used",
            "the run is left out",
            "write run.json as docs/formats.md describes it: an object with schema, run_id, task, model and mechanism";
        /// No `episodes.jsonl`, or nothing in it.
        NO_EPISODES = "MB002", Error, "run without episodes",
            "the run is listed without values",
            "look for episodes.jsonl beside run.json; the run may have stopped before its first episode ended";
        /// A line is no episode.
        LINE_UNREADABLE = "MB003", Error, "line is no episode",
            "the line is left out; the lines around it are read",
            "look at the place named: each line is one JSON object with an instance_id";
        /// A line is too long.
        LINE_TOO_LONG = "MB004", Error, "line is longer than the limit",
            "the line is left out; the lines around it are read",
            "episodes of more than 64 MiB are not read; look whether line ends are missing";
        /// NaN or Infinity in place of a number.
        NOT_FINITE = "MB005", Warning, "number is not finite",
            "the value is read as missing (null)",
            "write null for a missing number; NaN and Infinity are not JSON";
        /// A key twice in one object.
        KEY_TWICE = "MB006", Warning, "key occurs twice in one object",
            "the last value stands",
            "look at the place named and write each key once";
        /// A task that is not known.
        TASK_UNKNOWN = "MB007", Warning, "task is not known",
            "logged scores and messages are analysed; missing scores can't be computed",
            "known tasks are Reasoning, Scheduling and Game";
        /// Mechanism missing.
        MECHANISM_UNCLEAR = "MB008", Warning, "mechanism is missing or no flag",
            "the mechanism is taken as switched off, so comparisons may join unlike runs",
            "write mechanism as {memory: true or false, protocol: true or false, routing: null, \"random\" or \"gate\"}";
        /// A split that is neither Simple nor Complex.
        SPLIT_UNKNOWN = "MB009", Warning, "split is neither Simple nor Complex",
            "the episode counts under Overall only",
            "write split as Simple or Complex";
        /// A sender that is not listed.
        SENDER_UNKNOWN = "MB010", Warning, "sender is not listed in agents",
            "its tokens count, but it takes no part in entropy and message graph",
            "list every agent of the episode in agents";
        /// A receiver that is not listed.
        RECEIVER_UNKNOWN = "MB011", Warning, "receiver is not listed in agents",
            "this receiver takes no part in the message graph",
            "list every agent of the episode in agents";
        /// Rounds not in order.
        ROUND_GOES_BACK = "MB012", Warning, "round number goes back",
            "entries are counted under the round they name",
            "write messages and steps in the order of their rounds; an episode may have been restarted";
        /// A message after the end.
        MESSAGE_AFTER_END = "MB013", Warning, "message after the last round",
            "its tokens count; it is shown under the round it names",
            "compare the message's round with steps and score_by_round";
        /// Two messages of one agent in a round of Game.
        SECOND_MESSAGE = "MB014", Warning, "more than one message per agent and round in Game",
            "all of them count",
            "Game allows one point-to-point message per agent and round; look for doubled lines";
        /// The stored score differs.
        SCORE_DIFFERS = "MB015", Error, "logged score differs from the recomputed one",
            "the logged score is used",
            "check which one is right: the rule is in docs/metrics.md; remove the logged score to use the computed one";
        /// Rounds over the limit.
        ROUNDS_OVER_LIMIT = "MB016", Warning, "more rounds than the task allows",
            "all rounds count",
            "Reasoning has 10 rounds, Scheduling 5, Game 50; scores are not comparable to runs within the limit";
        /// Tokens that can't be.
        TOKENS_UNUSABLE = "MB017", Warning, "token count is negative or no number",
            "the message's tokens are counted by the tokenizer named in the output",
            "look at the place named; tokens is a number from 0";
        /// A repeat is missing.
        REPEATS_MISSING = "MB018", Warning, "repeats are missing",
            "the instance's mean rests on fewer repeats than those of the other instances",
            "run the missing repeats, or say why they are missing";
        /// An episode twice.
        EPISODE_TWICE = "MB019", Error, "episode occurs twice",
            "the first one is used",
            "number the repeats of an instance, or remove the doubled lines";
        /// A score that is no number.
        SCORE_NOT_A_NUMBER = "MB020", Warning, "score is not a number",
            "the score is computed from the episode where that is possible, else it is undefined",
            "write score as a number from 0 to 100, or leave it out";
        /// No way to a score.
        SCORE_UNDEFINED = "MB021", Warning, "episode has no score",
            "the episode counts for tokens and messages, not for the score",
            "log the score, or all that its rule needs: gold_answer; day_slots and duration_slots; collected and reference_score";
        /// A score outside the range.
        SCORE_OUT_OF_RANGE = "MB022", Warning, "score is outside its range",
            "the score is used as logged",
            "scores go from 0 to 100; only Game may pass 100, where the team beats the reference";
        /// The answer is missing.
        PREDICTION_MISSING = "MB023", Info, "prediction is missing or no answer to the task",
            "the episode counts as one without an answer",
            "write null when the agents gave no answer";
        /// The instance or another part is malformed.
        PART_MALFORMED = "MB024", Warning, "part of an episode has the wrong form",
            "the part is left out and counts as missing",
            "compare the place named with docs/formats.md";
        /// No agents.
        AGENTS_MISSING = "MB025", Warning, "agents are missing or listed twice",
            "entropy and message graph rest on the names that are listed once",
            "list every agent of the episode once in agents";
        /// One id, two instances.
        INSTANCES_DIFFER = "MB026", Warning, "runs give one instance id to different instances",
            "the runs are not paired on these instances; their difference is taken as one of independent samples",
            "compare runs over the same instances: equal ids, equal content";
        /// A run id twice.
        RUN_TWICE = "MB027", Error, "run id occurs twice",
            "both runs are analysed and told apart by their batch where it differs",
            "give every run an id of its own";
        /// A number as text.
        NUMBER_AS_TEXT = "MB028", Info, "number is written as text",
            "the text is read as the number it shows",
            "write numbers without quotes";
        /// Two files of one role in a folder.
        FILE_LEFT_OVER = "MB029", Error, "a second file of the same kind in the run's folder",
            "the file was not read",
            "keep one run per folder: one run.json and one episodes.jsonl";
    }
}

/// All of them, in code order.
pub(super) const RULES: &[&Rule] = rules::ALL;
