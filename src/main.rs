//! The `swarm-analyze` command; everything it does is in the library.

fn main() -> std::process::ExitCode {
    swarm_analyze::cli::main()
}
