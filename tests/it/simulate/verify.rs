//! Verification: all released runs come out; an edit of one value is caught in its round.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use swarm_analyze::simulate::swarmbench::verify::{Difference, Verdict};

use super::{data, verdicts};

#[test]
fn all_released_runs_are_reproduced() {
    let verdicts = verdicts(&data());
    let runs: Vec<&Verdict> = verdicts.iter().filter(|v| v.batch.starts_with("experiment")).collect();
    assert_eq!(runs.len(), 40);
    for verdict in runs {
        assert!(verdict.reproduced, "{verdict:?}");
        assert_eq!(verdict.first_difference, None);
    }
}

/// One run of a released batch, unpacked.
struct Unpacked {
    folder: tempfile::TempDir,
    id: String,
    meta: Value,
    game: Value,
    agent: Value,
}

impl Unpacked {
    fn new(batch: &str, model: &str) -> Self {
        let file = fs::File::open(data().join(format!("{batch}.zip"))).unwrap();
        let mut archive = zip::ZipArchive::new(file).unwrap();
        let names: Vec<String> = archive.file_names().map(|name| name.unwrap().into_owned()).collect();
        let mut read = |ending: &str| -> Value {
            let name = names.iter().find(|name| name.ends_with(ending)).unwrap();
            serde_json::from_reader(archive.by_name(name).unwrap()).unwrap()
        };
        let meta = read("meta_log.json");
        let (id, entry) =
            meta.as_object().unwrap().iter().find(|(_, entry)| entry["model"] == model).unwrap();
        let game = read(&format!("game_log_{id}.json"));
        let agent = read(&format!("agent_log_{id}.json"));
        let folder = tempfile::tempdir().unwrap();
        Self { folder, id: id.clone(), meta: entry.clone(), game, agent }
    }

    fn write(&self, name: &str, value: &Value) {
        fs::write(self.folder.path().join(name), value.to_string()).unwrap();
    }

    fn verdict(&self) -> Verdict {
        self.write("meta_log.json", &json!({ self.id.clone(): self.meta }));
        self.write(&format!("game_log_{}.json", self.id), &self.game);
        self.write(&format!("agent_log_{}.json", self.id), &self.agent);
        only(self.folder.path())
    }

    fn difference(&self) -> Difference {
        let verdict = self.verdict();
        assert!(!verdict.reproduced);
        verdict.first_difference.unwrap()
    }
}

fn only(path: &Path) -> Verdict {
    let mut all = verdicts(path);
    assert_eq!(all.len(), 1);
    all.remove(0)
}

#[test]
fn an_edited_cell_is_caught_in_its_round() {
    let mut run = Unpacked::new("experiment_v04", "planner");
    assert!(run.verdict().reproduced);
    run.game[17]["grid"][0][3] = json!(".");
    let found = run.difference();
    assert_eq!((found.round, found.what.as_str()), (Some(17), "grid"));
    assert_eq!((found.logged, found.simulated), (json!(". at x 3, y 0"), json!("W at x 3, y 0")));
}

#[test]
fn an_edited_score_is_caught_in_its_round() {
    let mut run = Unpacked::new("experiment_v02", "planner");
    let score = run.game[30]["score"].as_i64().unwrap();
    run.game[30]["score"] = json!(score + 1);
    let found = run.difference();
    assert_eq!((found.round, found.what.as_str()), (Some(30), "score"));
    assert_eq!(
        (found.logged.as_f64(), found.simulated.as_f64()),
        (Some(score as f64 + 1.0), Some(score as f64))
    );
}

#[test]
fn an_edited_position_is_caught_in_its_round() {
    let mut run = Unpacked::new("experiment_v01", "greedy-chatty");
    let x = run.game[5]["agents"][4]["x"].as_i64().unwrap();
    run.game[5]["agents"][4]["x"] = json!(x - 1);
    let found = run.difference();
    assert_eq!((found.round, found.what.as_str()), (Some(5), "position"));
}

#[test]
fn an_edited_message_is_caught_in_its_round() {
    let mut run = Unpacked::new("experiment_v03", "greedy-chatty");
    assert!(!run.game[9]["messages"].as_array().unwrap().is_empty());
    run.game[9]["messages"][0]["message"] = json!("something else");
    let found = run.difference();
    assert_eq!((found.round, found.what.as_str()), (Some(9), "messages"));
}

#[test]
fn an_edited_action_is_caught_in_the_state_after_it() {
    // Agent_0 of this run goes somewhere in round 12: its light, in round 13, shows that it did something else.
    let mut run = Unpacked::new("experiment_v03", "mute-random");
    let record =
        run.agent.as_array_mut().unwrap().iter_mut().find(|r| r["round"] == 12 && r["agent_id"] == "Agent_0");
    let record = record.unwrap();
    record["action"] = if record["action"] == "SWITCH" { json!("STAY") } else { json!("SWITCH") };
    let found = run.difference();
    assert_eq!((found.round, found.what.as_str()), (Some(13), "grid"));
}

#[test]
fn an_action_of_an_agent_that_has_left_is_caught() {
    let mut run = Unpacked::new("experiment_v05", "planner");
    let records = run.agent.as_array_mut().unwrap();
    let record = records.iter_mut().rev().find(|r| r["prompt"] == "").unwrap();
    let round = record["round"].as_u64().unwrap() as u32;
    record["action"] = json!("UP");
    let found = run.difference();
    assert_eq!((found.round, found.what.as_str()), (Some(round), "action"));
}

#[test]
fn a_log_that_ends_early_or_goes_on_is_not_reproduced() {
    let mut run = Unpacked::new("experiment_v02", "mute-random");
    run.game.as_array_mut().unwrap().truncate(20);
    let verdict = run.verdict();
    assert!(!verdict.reproduced);
    assert_eq!(verdict.rounds_checked, 20);
    assert_eq!(verdict.first_difference.unwrap().round, Some(20));
    let mut run = Unpacked::new("experiment_v02", "mute-random");
    run.meta["max_round"] = json!(39);
    let found = run.difference();
    assert_eq!((found.round, found.what.as_str()), (Some(40), "end"));
}

/// What the verdict on a changed run says for a reason; it must not be "reproduced".
fn reason(change: impl FnOnce(&mut Unpacked)) -> String {
    let mut run = Unpacked::new("experiment_v02", "mute-random");
    change(&mut run);
    let found = run.difference();
    assert!(found.logged.is_null() && found.simulated.is_null());
    found.what
}

#[test]
fn a_run_that_cannot_be_checked_says_why() {
    let missing = |key: &'static str| reason(move |run| drop(run.meta.as_object_mut().unwrap().remove(key)));
    assert_eq!(missing("seed"), "not checked: the meta entry has no usable seed");
    assert_eq!(missing("width"), "not checked: the meta entry has no usable width");
    assert_eq!(missing("max_round"), "not checked: the meta entry has no usable max_round");
    assert_eq!(
        reason(|run| {
            run.meta["task"] = json!("Herding");
        }),
        "not checked: the rules of the task Herding are not known"
    );
    assert_eq!(
        reason(|run| run.agent[25]["action"] = json!("TELEPORT")),
        "not checked: the rules were changed: Agent_5 does TELEPORT"
    );
    assert_eq!(
        reason(|run| run.meta["obstacle"] = json!("triangle")),
        "not checked: the rules were changed: obstacle is \"triangle\""
    );
    assert_eq!(
        reason(|run| run.agent = json!([])),
        "not checked: the agent log is missing or holds no record"
    );
    assert!(
        reason(|run| run.meta["num_agents"] = json!(4_000_000)).contains("agents"),
        "a size beyond the limits is refused"
    );
    let dropped = reason(|run| {
        run.agent.as_array_mut().unwrap().retain(|r| r["round"] != 7 || r["agent_id"] != "Agent_3");
    });
    assert_eq!(dropped, "not checked: Agent_3 has no usable action in this round");
}

#[test]
fn a_run_without_its_files_is_not_reproduced() {
    let folder = tempfile::tempdir().unwrap();
    let run = Unpacked::new("experiment_v02", "mute-random");
    fs::write(folder.path().join("meta_log.json"), json!({ run.id.clone(): run.meta }).to_string()).unwrap();
    let verdict = only(folder.path());
    assert!(!verdict.reproduced);
    assert!(verdict.first_difference.unwrap().what.starts_with("not checked: "));
}
