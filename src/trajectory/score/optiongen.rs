//! OptionGen: the mean of the judge's two scores.

use serde_json::Value;

use super::{BadInstance, Instance, Setting, Task, Unscored};
use crate::model::{Output, ProposalTask};

/// The registry row.
pub const TASK: Task = Task {
    task: ProposalTask::OptionGen,
    setting: Setting::Static,
    formula: "(judge's score of the correct option + judge's score of the distractors) / 2",
    max_formula: "100",
    source: "MASTraceBench, eq. 10",
    instance: |value| Ok(Box::new(OptionGen::from_value(value)?)),
};

/// An OptionGen instance. The judge has read article and question; nothing of them enters the score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OptionGen;

impl OptionGen {
    /// Reads an instance; any value will do.
    ///
    /// # Errors
    /// None at present.
    pub fn from_value(_value: &Value) -> Result<Self, BadInstance> {
        Ok(Self)
    }
}

impl Instance for OptionGen {
    fn score(&self, output: &Output) -> Result<f64, Unscored> {
        let judge = output.judge.ok_or(if output.content.is_none() {
            Unscored::Malformed("no content")
        } else {
            Unscored::Undefined("the judge's scores are missing")
        })?;
        Ok(f64::midpoint(judge.correct, judge.distractors))
    }

    fn max_score(&self) -> Option<f64> {
        Some(100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Judge;

    #[test]
    fn mean_of_two_judge_scores() {
        let mut output =
            Output { judge: Some(Judge { correct: 97.0, distractors: 54.0 }), ..Output::default() };
        assert_eq!(OptionGen.score(&output), Ok(75.5));
        output.judge = None;
        assert!(matches!(OptionGen.score(&output), Err(Unscored::Malformed(_))));
        output.content = Some(Value::Bool(true));
        assert!(matches!(OptionGen.score(&output), Err(Unscored::Undefined(_))));
    }
}
