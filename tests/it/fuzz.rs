//! Arbitrary and mutated files: the reader never panics or hangs, and what it drops leaves a finding.

use std::fmt::Debug;
use std::path::PathBuf;

use proptest::prelude::*;
use swarm_analyze::features::embed::HashedNgrams;
use swarm_analyze::features::{RunRecord, Selection, Undefined};
use swarm_analyze::finding::{Finding, Findings};
use swarm_analyze::ingest::discover;
use swarm_analyze::pipeline::{Silent, measure_runs};

use crate::common::{Logs, Work, run};
use crate::packing::zipped;

/// The first stage on everything under `path`, in this process: a panic fails the test.
fn measured(path: PathBuf) -> (Vec<RunRecord>, Vec<Finding>, bool) {
    let (mut findings, mut records) = (Findings::new(), Vec::new());
    let recognised = discover(&[path], &mut findings).map(|inventory| {
        let all = Selection::all();
        measure_runs(
            &inventory.swarm,
            &HashedNgrams,
            Undefined::Zero,
            &all,
            &Silent,
            &mut findings,
            |record| {
                records.push(record);
                Ok(())
            },
        )
        .unwrap();
    });
    (records, findings.into_sorted(), recognised.is_ok())
}

#[derive(Clone, Copy, Debug)]
enum Which {
    Meta,
    Game,
    Agent,
}

impl Which {
    fn of(self, logs: &mut Logs) -> &mut Vec<u8> {
        match self {
            Self::Meta => &mut logs.meta,
            Self::Game => &mut logs.game,
            Self::Agent => &mut logs.agent,
        }
    }
}

#[derive(Clone, Debug)]
enum Edit {
    Flip(prop::sample::Index, u8),
    Delete(prop::sample::Index, usize),
    Insert(prop::sample::Index, Vec<u8>),
    Truncate(prop::sample::Index),
}

impl Edit {
    fn apply(&self, bytes: &mut Vec<u8>) {
        let len = bytes.len();
        if len == 0 {
            return;
        }
        match self {
            Self::Flip(at, mask) => bytes[at.index(len)] ^= mask,
            Self::Delete(at, n) => {
                let start = at.index(len);
                bytes.drain(start..(start + n).min(len));
            }
            Self::Insert(at, what) => {
                let at = at.index(len);
                bytes.splice(at..at, what.iter().copied());
            }
            Self::Truncate(at) => bytes.truncate(at.index(len)),
        }
    }
}

fn edits() -> impl Strategy<Value = Vec<Edit>> {
    let at = any::<prop::sample::Index>;
    let tokens = prop::sample::select(
        [
            &b"["[..],
            b"]",
            b"{",
            b"}",
            b",",
            b"\"",
            b"\\",
            b":",
            b"NaN",
            b"null",
            b"1e999",
            b"-",
            b"\xff",
            b"\0",
            b"[[",
        ]
        .map(<[u8]>::to_vec)
        .to_vec(),
    );
    let edit = prop_oneof![
        (at(), 1u8..).prop_map(|(at, mask)| Edit::Flip(at, mask)),
        (at(), 1usize..40).prop_map(|(at, n)| Edit::Delete(at, n)),
        (at(), tokens).prop_map(|(at, what)| Edit::Insert(at, what)),
        (at(), prop::collection::vec(any::<u8>(), 1..6)).prop_map(|(at, what)| Edit::Insert(at, what)),
        at().prop_map(Edit::Truncate),
    ];
    prop::collection::vec(edit, 1..4)
}

fn which() -> impl Strategy<Value = Which> {
    prop_oneof![Just(Which::Meta), Just(Which::Game), Just(Which::Agent)]
}

fn sound(records: &[RunRecord], what: &dyn Debug) {
    for record in records {
        let scores =
            record.rounds.scores.iter().chain(&record.values).chain(record.rounds.columns.iter().flatten());
        for value in scores.flatten() {
            assert!(value.is_finite(), "{value} from {what:?}");
        }
        assert!(record.rounds.numbers.windows(2).all(|pair| pair[0] < pair[1]), "{what:?}");
    }
}

/// The good run as the reader sees it, for comparison: its batch is always called `b`.
fn good() -> RunRecord {
    let work = Work::new();
    let (mut records, findings, _) = measured(work.batch("b", &Logs::good(5)));
    assert!(findings.is_empty(), "{findings:?}");
    records.remove(0)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_as_any_log(which in which(), bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let (work, mut logs) = (Work::new(), Logs::good(5));
        *which.of(&mut logs) = bytes.clone();
        let (records, findings, recognised) = measured(work.batch("b", &logs));
        sound(&records, &bytes);
        prop_assert!(recognised && !findings.is_empty(), "nothing is said about {bytes:?}");
    }

    #[test]
    fn mutated_logs_give_their_data_or_a_finding(which in which(), edits in edits()) {
        let (work, mut logs) = (Work::new(), Logs::good(5));
        let before = logs.clone();
        edits.iter().for_each(|edit| edit.apply(which.of(&mut logs)));
        let (records, findings, _) = measured(work.batch("b", &logs));
        sound(&records, &edits);
        // Without a finding every round and every decision is there; values may have changed as the edit says.
        if findings.is_empty() {
            prop_assert_eq!(records.len(), 1, "{:?}", edits);
            let numbers = &records[0].rounds.numbers;
            prop_assert!(numbers.len() == 5 || logs != before && !numbers.is_empty(), "{:?}: {:?}", edits, numbers);
            prop_assert_eq!(records[0].agents, 2, "{:?}", edits);
        }
    }

    #[test]
    fn mutated_archives(edits in edits(), gzip in any::<bool>()) {
        let work = Work::new();
        let logs = Logs::good(5);
        let mut bytes = if gzip {
            use std::io::Write;
            let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
            encoder.write_all(&logs.agent).unwrap();
            encoder.finish().unwrap()
        } else {
            zipped(&[("b", &logs)])
        };
        edits.iter().for_each(|edit| edit.apply(&mut bytes));
        if gzip {
            work.write("b/meta_log.json", &logs.meta);
            work.write("b/game_log_r.json", &logs.game);
            work.write("b/agent_log_r.json.gz", &bytes);
        } else {
            work.write("b/b.zip", &bytes);
        }
        let (records, findings, recognised) = measured(work.path("b"));
        sound(&records, &edits);
        prop_assert!(!recognised || !findings.is_empty() || records.len() == 1);
    }
}

#[test]
fn every_truncation_of_every_log() {
    let want = good();
    let work = Work::new();
    for which in [Which::Meta, Which::Game, Which::Agent] {
        let mut whole = Logs::good(5);
        let len = which.of(&mut whole).len();
        let step = if matches!(which, Which::Meta) { 1 } else { 3 };
        for cut in (0..len).step_by(step) {
            let mut logs = whole.clone();
            which.of(&mut logs).truncate(cut);
            let (records, findings, recognised) = measured(work.batch("b", &logs));
            sound(&records, &(which, cut));
            assert!(recognised && records.len() == 1, "{which:?} cut at {cut}");
            assert!(!findings.is_empty(), "{which:?} cut at {cut}: nothing is said");
            // What comes before the cut is as in the whole file.
            let kept = &records[0].rounds;
            let same = kept.scores.iter().zip(&want.rounds.scores).filter(|(a, b)| a == b).count();
            let holds = match which {
                Which::Game => kept.scores.iter().flatten().count() <= 5,
                _ => same == 5,
            };
            assert!(holds, "{which:?} cut at {cut}: {:?}", kept.scores);
        }
    }
}

#[test]
fn the_binary_ends_as_documented_on_damaged_input() {
    let work = Work::new();
    let whole = Logs::good(3);
    for (at, which) in [Which::Meta, Which::Game, Which::Agent].into_iter().enumerate() {
        for (n, bytes) in [
            &b""[..],
            b"{",
            b"[[",
            b"nonsense",
            b"{\"a\":",
            b"\x1f\x8b\x08",
            b"PK\x03\x04",
            b"\x28\xb5\x2f\xfd",
        ]
        .into_iter()
        .enumerate()
        {
            let mut logs = whole.clone();
            *which.of(&mut logs) = bytes.to_vec();
            let path = work.batch(&format!("b{at}-{n}"), &logs);
            let output = run(["features", path.to_str().unwrap(), "--format", "json"]);
            assert!(output.code <= 1, "{which:?} {bytes:?}: {output:?}");
            assert!(!output.stderr.is_empty(), "{which:?} {bytes:?}: nothing is said");
            assert_eq!(output.json()["rows"].as_array().map(Vec::len), Some(1), "{which:?} {bytes:?}");
        }
    }
}
