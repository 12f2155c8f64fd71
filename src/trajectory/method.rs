//! The methods that the paper compares, in its order, and the baseline.

/// How a method works, in the paper's four categories and its own proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Category {
    /// One agent, no collaboration.
    Baseline,
    /// Chooses among independent proposals.
    Selection,
    /// Proposers see and answer each other's proposals.
    Debate,
    /// Proposals are criticised and revised.
    Revision,
    /// Roles or workflow are made for the query.
    Adaptive,
    /// Claims are evaluated across agents.
    Claims,
}

/// A known method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Method {
    /// The name in logs and tables.
    pub name: &'static str,
    /// The paper's category.
    pub category: Category,
}

/// The baseline's name.
pub const BASELINE: &str = "Single-Agent";

/// Every method of the paper, in the order of table 2 (Agg. Debate as in tables 9 and 10).
pub const METHODS: &[Method] = &[
    Method { name: BASELINE, category: Category::Baseline },
    Method { name: "Consistency", category: Category::Selection },
    Method { name: "MAV", category: Category::Selection },
    Method { name: "Int. Debate", category: Category::Debate },
    Method { name: "Agg. Debate", category: Category::Debate },
    Method { name: "Adv. Debate", category: Category::Debate },
    Method { name: "Reflection", category: Category::Revision },
    Method { name: "MAPR", category: Category::Revision },
    Method { name: "AgentVerse", category: Category::Adaptive },
    Method { name: "MAS-GPT", category: Category::Adaptive },
    Method { name: "CLEARS", category: Category::Claims },
    Method { name: "CLEARS w/o CCE", category: Category::Claims },
];

/// The place of a method in tables: the paper's order, unknown ones after it.
pub fn rank(name: &str) -> usize {
    METHODS.iter().position(|method| method.name == name).unwrap_or(METHODS.len())
}

/// Whether the paper names the method.
pub fn is_known(name: &str) -> bool {
    rank(name) < METHODS.len()
}
