//! Checks before a build starts whether the disk has room.

use std::fs;
use std::path::Path;

use crate::table::error::TableError;
use crate::table::plan::TablePlan;

/// Fails if a build needs more than the bytes free on the disk and those that an earlier start has
/// left in its folder.
pub(in crate::table) fn check_space(folder: &Path, plan: &TablePlan, needed: u64) -> Result<(), TableError> {
    let there = folder.ancestors().skip(1).find(|path| path.is_dir());
    let place = there.filter(|path| !path.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Where the system does not tell, a full disk is noticed only when it is full.
    let Ok(system) = rustix::fs::statvfs(place) else { return Ok(()) };
    let free = system.f_bavail.saturating_mul(system.f_frsize);
    let used = fs::read_dir(folder)
        .map_or(0, |files| files.flatten().filter_map(|file| file.metadata().ok()).map(|of_file| of_file.len()).sum());
    if needed > free.saturating_add(used) {
        let (path, positions) = (place.to_owned(), plan.total.positions);
        return Err(TableError::Space { path, positions, needed, free: free.saturating_add(used) });
    }
    Ok(())
}
