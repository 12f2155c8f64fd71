//! Our side of the comparison with scikit-learn; `benches/sklearn/compare.py` runs it.
//!
//! `ours fit|importance FOLDER`: reads the arrays that the script wrote there and prints one JSON object: CPU seconds of
//! the work alone, as the kernel counts them over all threads, and the scores.

use std::path::Path;

use swarm_analyze::attribution::forest::{Forest, ForestParams};
use swarm_analyze::attribution::importance::{ImportanceParams, permutation_importance};
use swarm_analyze::attribution::matrix::Matrix;
use swarm_analyze::attribution::metrics::Confusion;

/// CPU time of all living threads, in seconds (Linux).
fn cpu_seconds() -> f64 {
    let nanoseconds = |task: std::fs::DirEntry| -> Option<f64> {
        let text = std::fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split_whitespace().next()?.parse().ok()
    };
    let tasks = std::fs::read_dir("/proc/self/task").expect("Linux shows a process its threads");
    tasks.flatten().filter_map(nanoseconds).sum::<f64>() / 1e9
}

fn matrix(folder: &Path, name: &str, columns: usize) -> Matrix {
    let bytes = std::fs::read(folder.join(name)).expect("compare.py wrote the matrix");
    let (chunks, _) = bytes.as_chunks::<4>();
    Matrix { columns, values: chunks.iter().map(|b| f32::from_le_bytes(*b)).collect() }
}

fn labels(folder: &Path, name: &str) -> Vec<u8> {
    std::fs::read(folder.join(name)).expect("compare.py wrote the labels")
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).filter(|a| a != "--bench").collect();
    let [what, folder] = arguments.as_slice() else {
        // `cargo bench` and `cargo test --benches` start every bench without arguments.
        return;
    };
    let folder = Path::new(folder);
    let shape = std::fs::read_to_string(folder.join("shape")).expect("compare.py wrote the shape");
    let shape: Vec<usize> = shape.split_whitespace().map(|n| n.parse().expect("a number")).collect();
    let (columns, classes, threads) = (shape[0], shape[1], shape[2]);
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global().expect("the first pool");
    let (x, y) = (matrix(folder, "train.f32", columns), labels(folder, "train.u8"));
    let (tx, ty) = (matrix(folder, "test.f32", columns), labels(folder, "test.u8"));
    let params = ForestParams { seed: 1, ..ForestParams::default() };

    let before = cpu_seconds();
    let forest = Forest::fit(&x, &y, classes, &params).expect("the data are sound");
    let fit = cpu_seconds() - before;
    let rows = forest.bin_rows(&tx).expect("the same columns");
    let scores = Confusion::of(&ty, &forest.predict(&rows), classes);
    let (accuracy, f1) = (scores.accuracy().unwrap_or(0.0), scores.macro_f1().unwrap_or(0.0));
    let mut importance = 0.0;
    if what == "importance" {
        let before = cpu_seconds();
        let units: Vec<Vec<usize>> = (0..columns).map(|c| vec![c]).collect();
        let params = ImportanceParams { units: &units, repeats: 10, seed: 1, identity: "bench" };
        permutation_importance(&forest, &rows, &ty, &params).expect("the units are sound");
        importance = cpu_seconds() - before;
    }
    #[expect(clippy::print_stdout, reason = "the script reads the figures from here")]
    {
        println!(r#"{{"fit":{fit},"importance":{importance},"accuracy":{accuracy},"f1":{f1}}}"#);
    }
}
