"""Times this crate's forest and permutation importance beside scikit-learn's, in one run.

python3 benches/sklearn/compare.py [--write]   (needs numpy and scikit-learn; --write puts the table into benches/README.md)

Both sides get the same arrays and two threads. Times are CPU seconds over all threads of the fit or the importance alone; data are made
here from fixed seeds. Each figure is the median of REPEATS runs, the two sides taking turns.
"""
import json, os, pathlib, re, statistics, subprocess, sys, tempfile, time

for name in [n for n in os.environ if n.startswith(("OPENBLAS", "NVPL"))]:
    del os.environ[name]
import numpy as np
import sklearn
from sklearn.ensemble import RandomForestClassifier
from sklearn.inspection import permutation_importance
from sklearn.metrics import f1_score

ROOT = pathlib.Path(__file__).resolve().parents[2]
REPEATS = int(os.environ.get("REPEATS", "3"))
THREADS = 2


def gaussian(rows, columns, classes, seed):
    """Correlated normal columns; the class is the largest of noisy linear scores of a third of them."""
    g = np.random.default_rng(seed)
    x = g.normal(size=(rows, columns)) + 0.5 * g.normal(size=(rows, 1))
    w = g.normal(size=(columns // 3, classes))
    s = x[:, : columns // 3] @ w + g.gumbel(size=(rows, classes)) * 4
    return x.astype("<f4"), s.argmax(1).astype("u1")


def onehot(rows, seed):
    """A 7 × 7 view with five kinds of cell, one indicator column each, and eleven real columns: 256 in all."""
    g = np.random.default_rng(seed)
    kinds = np.array([g.choice(5, size=rows, p=[0.55, 0.2, 0.1, 0.1, 0.05]) for _ in range(49)]).T
    x = np.concatenate([(kinds[:, :, None] == np.arange(5)).reshape(rows, -1), g.normal(size=(rows, 11))], axis=1)
    w = g.normal(size=(x.shape[1], 5)) * (g.random((x.shape[1], 1)) < 0.25)
    s = x @ w + g.gumbel(size=(rows, 5)) * 0.6
    return x.astype("<f4"), s.argmax(1).astype("u1")


def cpu():
    t = os.times()
    return t.user + t.system


def put(folder, train, test, classes):
    for name, (x, y) in {"train": train, "test": test}.items():
        x.tofile(f"{folder}/{name}.f32")
        y.tofile(f"{folder}/{name}.u8")
    (pathlib.Path(folder) / "shape").write_text(f"{train[0].shape[1]} {classes} {THREADS}")


def theirs(train, test, importance):
    model = RandomForestClassifier(100, max_features="sqrt", n_jobs=THREADS, random_state=1)
    t = cpu()
    model.fit(*train)
    out = {"fit": cpu() - t}
    p = model.predict(test[0])
    out |= {"accuracy": float((p == test[1]).mean()), "f1": float(f1_score(test[1], p, average="macro"))}
    if importance:
        model.n_jobs = 1
        t = cpu()
        permutation_importance(model, *test, scoring="f1_macro", n_repeats=10, random_state=1, n_jobs=1)
        out["importance"] = cpu() - t
    return out


def main():
    binary = subprocess.run(
        ["cargo", "bench", "--bench", "sklearn", "--no-run", "--message-format=json"], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout
    binary = [json.loads(l)["executable"] for l in binary.splitlines() if '"executable":"' in l and '"name":"sklearn"' in l][-1]
    full = "--full" in sys.argv
    cases = [
        ("fit, 20 000 × 256 real columns, 5 classes", lambda: gaussian(25_000, 256, 5, 1), 20_000, "fit", 7),
        ("fit, 20 000 × 256, mostly one-hot, 5 classes", lambda: onehot(25_000, 2), 20_000, "fit", 4),
        ("importance of 256 columns, 10 repeats, 5 000 rows", lambda: gaussian(25_000, 256, 5, 1), 20_000, "importance", 40),
        ("importance of 256 mostly one-hot columns, 10 repeats, 5 000 rows", lambda: onehot(25_000, 2), 20_000, "importance", 40),
    ]
    only = [a for a in sys.argv[1:] if a.isdigit()]
    lines = []
    for number, (title, make, cut, what, goal) in enumerate(cases):
        if only and str(number) not in only:
            continue
        x, y = make()
        train, test = (x[:cut], y[:cut]), (x[cut:], y[cut:])
        a, b = [], []
        with tempfile.TemporaryDirectory() as folder:
            put(folder, train, test, int(y.max()) + 1)
            for _ in range(REPEATS if what == "fit" else 1):
                b.append(json.loads(subprocess.run([binary, what, folder], check=True, capture_output=True, text=True).stdout))
                print(title, "ours", b[-1], flush=True)
                a.append(theirs(train, test, what == "importance"))
                print(title, "scikit-learn", a[-1], flush=True)
        ta, tb = (statistics.median(r[what] for r in side) for side in (a, b))
        quality = f"{b[-1]['accuracy']:.3f} / {a[-1]['accuracy']:.3f}"
        lines.append(f"| {title} | {tb:.2f} | {ta:.2f} | {ta / tb:.1f}× | {goal}× | {quality} |")
        print(lines[-1], flush=True)
    if "--write" in sys.argv:
        write(lines)


def write(lines):
    start, end = "<!-- sklearn:start -->", "<!-- sklearn:end -->"
    table = "\n".join(["| work | ours, CPU s | scikit-learn, CPU s | ratio | goal | accuracy ours / theirs |", "|---|--:|--:|--:|--:|--:|", *lines])
    cpu_name = next((l.split(":")[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), "unknown")
    text = f"{start}\nscikit-learn {sklearn.__version__}, numpy {np.__version__}, {THREADS} threads each, {cpu_name}.\n\n{table}\n{end}"
    path = ROOT / "benches/README.md"
    old = path.read_text() if path.exists() else "# Benches\n"
    if start in old:
        new = re.sub(re.escape(start) + ".*?" + re.escape(end), lambda _: text, old, flags=re.S)
    else:
        new = old.rstrip() + "\n\n## Forest and permutation importance beside scikit-learn\n\n`python3 benches/sklearn/compare.py --write`\n\n" + text + "\n"
    path.write_text(new)


if __name__ == "__main__":
    main()
