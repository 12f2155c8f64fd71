//! The registry of communication metrics: columns, glossary and labels derive from these rows.

use super::EpisodeMeasures;

/// How a run's value comes from its episodes.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    /// The mean over instances of the mean over repeats of this value; episodes where it is undefined take no part.
    Mean(fn(&EpisodeMeasures) -> Option<f64>),
    /// The ratio of the means of two values, times a factor; undefined where the lower mean is 0.
    Ratio {
        /// Above the line.
        upper: fn(&EpisodeMeasures) -> Option<f64>,
        /// Below the line.
        lower: fn(&EpisodeMeasures) -> Option<f64>,
        /// The factor.
        factor: f64,
    },
}

/// A metric.
#[derive(Clone, Copy, Debug)]
pub struct Metric {
    /// Column name.
    pub id: &'static str,
    /// Title of columns and axes.
    pub title: &'static str,
    /// Unit.
    pub unit: &'static str,
    /// Range.
    pub range: &'static str,
    /// Formula, in words and symbols.
    pub formula: &'static str,
    /// Where it is defined.
    pub source: &'static str,
    /// Whether tables show a bootstrap interval.
    pub interval: bool,
    /// How it is computed.
    pub kind: Kind,
}

/// Score.
pub const SCORE: Metric = Metric {
    id: "score",
    title: "Score",
    unit: "points",
    range: "[0, 100]; Game may pass 100",
    formula: "Reasoning: answer F1 × 100; Scheduling: 100 when the window is inside the day and free for all, else 0; Game: collected / reference × 100. Mean over instances, repeats averaged first",
    source: "MASBench, section 4",
    interval: true,
    kind: Kind::Mean(|episode| episode.score),
};

/// Communication cost.
pub const TOK: Metric = Metric {
    id: "tok",
    title: "Tok",
    unit: "tokens per episode",
    range: "[0, ∞)",
    formula: "tokens of the messages between agents, per episode. Mean over instances, repeats averaged first",
    source: "MASBench, section 4",
    interval: true,
    kind: Kind::Mean(|episode| Some(episode.tok)),
};

/// Communication efficiency.
pub const EFF: Metric = Metric {
    id: "eff",
    title: "Eff",
    unit: "points per 1 000 tokens",
    range: "[0, ∞); undefined at Tok 0",
    formula: "mean Score / (mean Tok / 1000)",
    source: "MASBench, section 4; the ratio of the means is ours",
    interval: true,
    kind: Kind::Ratio { upper: |episode| episode.score, lower: |episode| Some(episode.tok), factor: 1000.0 },
};

/// Contribution entropy.
pub const ENTROPY: Metric = Metric {
    id: "normalized_entropy",
    title: "Contribution entropy",
    unit: "",
    range: "[0, 1]; undefined without messages",
    formula: "−Σ pᵢ ln pᵢ / ln n, pᵢ the share of messages sent by agent i of n",
    source: "MASBench, section 5 (figure 7)",
    interval: true,
    kind: Kind::Mean(|episode| episode.normalized_entropy),
};

/// Every metric, in the order of the columns.
pub const METRICS: &[&Metric] = &[
    &SCORE,
    &TOK,
    &EFF,
    &ENTROPY,
    &Metric {
        id: "messages",
        title: "Messages",
        unit: "per episode",
        range: "[0, ∞)",
        formula: "number of messages",
        source: "ours",
        interval: false,
        kind: Kind::Mean(|episode| Some(episode.messages as f64)),
    },
    &Metric {
        id: "tokens_per_message",
        title: "Tokens per message",
        unit: "tokens",
        range: "[0, ∞); undefined without messages",
        formula: "mean Tok / mean number of messages",
        source: "MASBench, section 5 (figures 3b to 5b)",
        interval: false,
        kind: Kind::Ratio { upper: |e| Some(e.tok), lower: |e| Some(e.messages as f64), factor: 1.0 },
    },
    &Metric {
        id: "characters_per_message",
        title: "Characters per message",
        unit: "Unicode scalar values",
        range: "[0, ∞); undefined without messages",
        formula: "mean number of characters / mean number of messages",
        source: "ours",
        interval: false,
        kind: Kind::Ratio {
            upper: |e| Some(e.characters as f64),
            lower: |e| Some(e.messages as f64),
            factor: 1.0,
        },
    },
    &Metric {
        id: "rounds",
        title: "Rounds",
        unit: "per episode",
        range: "[0, ∞)",
        formula: "the last round in which a message, a step or a score is logged",
        source: "ours",
        interval: false,
        kind: Kind::Mean(|episode| episode.rounds.map(f64::from)),
    },
    &Metric {
        id: "answered_share",
        title: "Answered",
        unit: "share of episodes",
        range: "[0, 1]",
        formula: "episodes with a usable prediction / episodes; Game needs none and counts as answered",
        source: "ours",
        interval: false,
        kind: Kind::Mean(|episode| Some(f64::from(u8::from(episode.answered)))),
    },
    &Metric {
        id: "mean_degree",
        title: "Partners",
        unit: "agents",
        range: "[0, n − 1]",
        formula: "arcs of the message graph / agents: mean number of distinct receivers, and of distinct senders",
        source: "Wasserman & Faust 1994, section 4.3",
        interval: false,
        kind: Kind::Mean(|episode| episode.graph.mean_degree),
    },
    &Metric {
        id: "max_out_degree",
        title: "Most receivers",
        unit: "agents",
        range: "[0, n − 1]",
        formula: "largest number of distinct receivers of an agent",
        source: "Wasserman & Faust 1994, section 4.3",
        interval: false,
        kind: Kind::Mean(|episode| episode.graph.max_out_degree.map(|degree| degree as f64)),
    },
    &Metric {
        id: "max_in_degree",
        title: "Most senders",
        unit: "agents",
        range: "[0, n − 1]",
        formula: "largest number of distinct senders to an agent",
        source: "Wasserman & Faust 1994, section 4.3",
        interval: false,
        kind: Kind::Mean(|episode| episode.graph.max_in_degree.map(|degree| degree as f64)),
    },
    &Metric {
        id: "reciprocity",
        title: "Reciprocity",
        unit: "share of arcs",
        range: "[0, 1]; undefined without arcs",
        formula: "arcs whose opposite is there too / arcs",
        source: "Wasserman & Faust 1994, section 13.3",
        interval: false,
        kind: Kind::Mean(|episode| episode.graph.reciprocity),
    },
    &Metric {
        id: "components",
        title: "Components",
        unit: "groups",
        range: "[1, n]",
        formula: "weakly connected components of the message graph; a silent agent to whom nobody writes is one",
        source: "Wasserman & Faust 1994, section 4.3",
        interval: false,
        kind: Kind::Mean(|episode| episode.graph.components.map(|components| components as f64)),
    },
    &Metric {
        id: "silent_share",
        title: "Silent agents",
        unit: "share of agents",
        range: "[0, 1]",
        formula: "agents that sent no message / agents",
        source: "ours",
        interval: false,
        kind: Kind::Mean(|episode| episode.graph.silent_share),
    },
];
