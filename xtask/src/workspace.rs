//! Where things are, and the environment in which commands run.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use xshell::Shell;

/// The repository and a shell in it.
pub struct Workspace {
    pub sh: Shell,
    /// Where cargo puts what it builds; MSBuild names the same folder when it calls cargo.
    pub target: PathBuf,
    pub root: PathBuf,
}

impl Workspace {
    pub fn new() -> Result<Workspace> {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().context("xtask has no parent folder")?.to_owned();
        let target = root.join("target");
        let sh = Shell::new()?;
        sh.change_dir(&root);
        sh.set_var("CARGO_TARGET_DIR", &target);
        sh.set_var("DOTNET_NOLOGO", "1");
        sh.set_var("DOTNET_CLI_TELEMETRY_OPTOUT", "1");
        // `cargo run` puts its own output folders there; the debug library in them would be loaded instead of the release one.
        for name in ["LD_LIBRARY_PATH", "DYLD_FALLBACK_LIBRARY_PATH"] {
            if let Some(paths) = std::env::var_os(name) {
                let kept = std::env::split_paths(&paths).filter(|path| !path.starts_with(&target));
                sh.set_var(name, std::env::join_paths(kept)?);
            }
        }
        Ok(Workspace { sh, target, root })
    }
}
