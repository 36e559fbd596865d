//! Builds one table by three processes, here threads in their place, and compares it with the table
//! of one: `cargo run --example cluster --no-default-features --features cluster`

use std::error::Error;
use std::{fs, thread};

use pods::material::{builtin_board, builtin_pods};
use pods::progress::Silent;
use pods::table::{BuildOptions, Member, build, build_together};
use pods::{Game, Preset, Setup};

fn main() -> Result<(), Box<dyn Error>> {
    let (board, pods) = (builtin_board("ring8").ok_or("no board")?, builtin_pods("duo").ok_or("no pods")?);
    let setup = Setup::whole(Game::new(board, pods, Preset::Advanced.into()));
    let options = BuildOptions { memory: 1 << 30, ..BuildOptions::default() };
    let folder = tempfile::tempdir()?;
    let (alone, together) = (folder.path().join("alone"), folder.path().join("together"));

    build(&setup, &alone, options, &Silent)?;
    // All processes see the same folder. `Member::at` joins processes of several machines.
    thread::scope(|scope| {
        let help = |member| scope.spawn(|| build_together(&setup, &together, options, member, &Silent));
        let members: Vec<_> = Member::threads(3).into_iter().map(help).collect();
        members.into_iter().try_for_each(|member| {
            member.join().map_err(|_| "a member panicked")?.map(drop).map_err(|e| e.to_string().into())
        })
    })
    .map_err(|error: Box<dyn Error + Send + Sync>| error.to_string())?;

    let mut compared = 0;
    for entry in fs::read_dir(folder.path())? {
        let path = entry?.path();
        let name = path.file_name().ok_or("no name")?.to_string_lossy().into_owned();
        if let Some(ending) = name.strip_prefix("alone.") {
            assert_eq!(fs::read(&path)?, fs::read(together.with_extension(ending))?, "{ending}");
            compared += 1;
        }
    }
    println!("{compared} file, the same to the byte");
    assert_eq!(compared, 1);
    Ok(())
}
