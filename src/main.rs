//! The `pods` program. Its commands stand in the library, on the floor `cli`, so that the compiler
//! sees which of the library's parts nothing uses.

fn main() -> std::process::ExitCode {
    pods::run_program()
}
