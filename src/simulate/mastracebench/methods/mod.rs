//! The methods, one file and one row each, as MASTraceBench describes them ("Main-Experiment Method Configurations").

mod adv_debate;
mod agentverse;
mod agg_debate;
mod clears;
mod clears_without_cce;
mod consistency;
mod int_debate;
mod mapr;
mod mas_gpt;
mod mav;
mod reflection;
mod single_agent;

use super::session::{Session, Worked};

/// A method.
#[derive(Debug)]
pub struct Method {
    /// The name in logs.
    pub name: &'static str,
    /// What it does, in one sentence.
    pub summary: &'static str,
    /// Works on a unit.
    pub work: fn(&mut Session<'_>) -> Worked,
}

/// Every method, in the paper's order.
pub const METHODS: &[&Method] = &[
    &single_agent::METHOD,
    &consistency::METHOD,
    &mav::METHOD,
    &int_debate::METHOD,
    &agg_debate::METHOD,
    &adv_debate::METHOD,
    &reflection::METHOD,
    &mapr::METHOD,
    &agentverse::METHOD,
    &mas_gpt::METHOD,
    &clears::METHOD,
    &clears_without_cce::METHOD,
];

/// The method of a name; letter case, spaces and punctuation are folded.
pub fn method(name: &str) -> Option<&'static Method> {
    let fold = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    METHODS.iter().copied().find(|method| fold(method.name) == fold(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_registry_has_the_papers_methods_in_its_order() {
        let names: Vec<&str> = METHODS.iter().map(|method| method.name).collect();
        let paper: Vec<&str> = crate::trajectory::method::METHODS.iter().map(|method| method.name).collect();
        assert_eq!(names, paper);
        assert_eq!(method("clears w/o cce").map(|method| method.name), Some("CLEARS w/o CCE"));
        assert!(method("unheard of").is_none());
    }
}
