"""A batch as large as the SwarmBench paper's, reported with everything: 325 runs × up to 100 rounds × 10 agents, full logs (1.3 GB).

python3 benches/scale.py [FOLDER]   (simulates into FOLDER, default a temporary folder, which is removed again; needs 1.5 GB there)

Prints one line of Markdown for benches/README.md: bytes of logs, wall and CPU time, and peak memory of `swarm-analyze report`.
"""
import pathlib, resource, shutil, subprocess, sys, tempfile, time

ROOT = pathlib.Path(__file__).resolve().parents[1]
BINARY = ROOT / "target/release/swarm-analyze"
# Five policies a task that rarely finish early: nearly all runs have their 100 rounds.
POLICIES = {
    "Pursuit": "random,biased,pursuit-greedy,pursuit-field,pursuit-roles",
    "Synchronization": "random,biased,wander,follow,sync-majority",
    "Foraging": "random,biased,forage-greedy,forage-bfs,forage-scout",
    "Flocking": "random,biased,wander,follow,flock-cohesion",
    "Transport": "random,biased,wander,transport-greedy,transport-silent",
}


def main():
    folder = pathlib.Path(tempfile.mkdtemp(dir=sys.argv[1] if len(sys.argv) > 1 else None))
    try:
        for task, policies in POLICIES.items():
            command = [BINARY, "simulate", "swarmbench", "--task", task, "--policy", policies, "--seeds", "1..14", "--agents", "10"]
            subprocess.run([*command, "--rounds", "100", "-q", "-o", folder / "logs" / task], check=True)
        size = sum(f.stat().st_size for f in (folder / "logs").rglob("*") if f.is_file())
        runs = sum(1 for _ in (folder / "logs").rglob("agent_log_*"))
        before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
        subprocess.run([BINARY, "report", folder / "logs", "-q", "-o", folder / "report", "--fail-on", "never"], check=True)
        wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        # The largest child so far: simulating one batch takes less than reporting on all of them.
        page = (folder / "report/report.html").stat().st_size
        print(f"| {runs} runs | {size / 1e9:.2f} GB | {wall:.1f} s | {cpu:.1f} s | {after.ru_maxrss / 1024:.0f} MB | {page / 1e6:.1f} MB |")
        print("simulating: peak", before.ru_maxrss // 1024, "MB", file=sys.stderr)
    finally:
        shutil.rmtree(folder)


if __name__ == "__main__":
    main()
