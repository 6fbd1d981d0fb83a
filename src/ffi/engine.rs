//! `elicit_engine_*`: the thread that runs probes.

use once_cell::sync::OnceCell;
use safer_ffi::prelude::*;

use super::error::{ElicitError, ElicitStatus};
use super::guard::{Failure, free, guard, options, place, read};
use crate::engine::Engine;

/// How many probes an engine may have open unless its options say otherwise.
const DEFAULT_MAX_OPEN: usize = 100_000;

/// What an engine is made with.
#[derive_ReprC]
#[repr(C)]
pub struct ElicitEngineOptions {
    /// `sizeof(ElicitEngineOptions)`. Later versions may have more members at the end.
    pub struct_size: u32,
    /// How many probes may be open at a time; 0 for 100,000. An open probe takes less than 1 KiB.
    pub max_open_probes: u32,
}

/// Runs probes, on a thread of its own. Threads may share it freely.
///
/// Every function that takes an engine takes NULL for the default engine of the process, which is made when it is first
/// used.
pub struct ElicitEngine {
    engine: Engine,
}

/// The engine behind an argument: the default engine for NULL.
///
/// # Safety
///
/// `engine` must be NULL or an engine that was not freed.
pub(super) unsafe fn engine<'a>(engine: *const ElicitEngine) -> Result<&'a Engine, Failure> {
    static DEFAULT: OnceCell<Engine> = OnceCell::new();

    // SAFETY: as this function's own.
    match unsafe { engine.as_ref() } {
        Some(engine) => Ok(&engine.engine),
        None => DEFAULT.get_or_try_init(|| new(DEFAULT_MAX_OPEN)),
    }
}

fn new(max_open: usize) -> Result<Engine, Failure> {
    Engine::new(max_open).map_err(|error| Failure {
        status: ElicitStatus::System,
        message: format!("an engine needs a thread and a timer, and the system does not give them: {error}"),
    })
}

/// Makes an engine. `options` may be NULL. Fails with `ELICIT_STATUS_INVALID_ARGUMENT` or `ELICIT_STATUS_SYSTEM`;
/// `*engine` is then NULL. The engine belongs to the caller, who frees it or shuts it down.
///
/// # Safety
///
/// `options` must be NULL or a struct of `struct_size` bytes; `engine` NULL or a place for one pointer; `error` the
/// same.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_engine_new(
    options: *const ElicitEngineOptions,
    engine: *mut *mut ElicitEngine,
    error: *mut *mut ElicitError,
) -> ElicitStatus {
    // SAFETY: as this function's own.
    unsafe {
        guard(error, || {
            let engine = place(engine, "engine")?;
            let max_open = if options.is_null() { 0 } else { self::options(options, "options")?.max_open_probes };
            let max_open = if max_open == 0 { DEFAULT_MAX_OPEN } else { max_open as usize };
            *engine = Box::into_raw(Box::new(ElicitEngine { engine: new(max_open)? }));
            Ok(())
        })
    }
}

/// How many probes of the engine are open.
///
/// # Safety
///
/// `engine` must be NULL, for the default engine, or an engine that was not freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_engine_open_probes(engine: *const ElicitEngine) -> usize {
    // SAFETY: as this function's own. An engine that cannot be made has no probes.
    unsafe { self::engine(engine) }.map_or(0, Engine::open_probes)
}

/// Ends an engine and waits until its thread is gone, so that the library can be unloaded. Its open probes end with
/// `ELICIT_STATUS_SHUTDOWN`, and none can be started. The engine still has to be freed. NULL is the default engine,
/// which cannot be used again.
///
/// Fails with `ELICIT_STATUS_INVALID_ARGUMENT` where a callback of this engine calls it: the engine ends, but its
/// thread cannot wait for itself.
///
/// # Safety
///
/// `engine` must be NULL or an engine that was not freed; `error` NULL or a place for one pointer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_engine_shutdown(
    engine: *const ElicitEngine,
    error: *mut *mut ElicitError,
) -> ElicitStatus {
    // SAFETY: as this function's own.
    unsafe { guard(error, || Ok(self::engine(engine)?.shut_down()?)) }
}

/// Frees an engine without waiting. Its open probes end with `ELICIT_STATUS_SHUTDOWN`: their callbacks may still run
/// for a moment, and must not use the engine. NULL is accepted, and does nothing.
///
/// # Safety
///
/// `engine` must be NULL or an engine that was not freed; nobody may use it afterwards.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn elicit_engine_free(engine: *mut ElicitEngine) {
    // SAFETY: engines come from `elicit_engine_new`, and the caller vouches for the rest.
    unsafe {
        read(engine.cast_const(), (), |engine| engine.engine.stop());
        free(engine);
    }
}
