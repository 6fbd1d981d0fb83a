//! The driver of probes: one thread with a tokio runtime that has only its timer. It asks hosts by callback, ends
//! probes at their deadlines, and tells the end of each exactly once.
//!
//! A probe is open while it stands in the registry. Whoever takes it out, under the lock, ends it: an answer, a
//! failure, the deadline, a cancellation or the end of the engine. So each probe ends once, whatever comes when, and
//! whoever comes later finds nothing. All callbacks run on the engine's thread, in the order in which they were sent.

use std::collections::{BTreeSet, HashMap};
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use tokio::sync::mpsc;
use tokio::time;

use crate::error::Error;
use crate::probe::{MAX_ANSWER, Probe, ProbeOptions};
use crate::report::Report;

/// Names one probe of an engine. A number is never given twice.
pub type ProbeId = u64;

/// How a probe that was started ended.
#[derive(Clone, Debug)]
pub enum End {
    /// The report with the probe's result: an outcome, or the note that the host must not be asked.
    Report(Report),
    /// The caller cancelled it.
    Cancelled,
    /// The engine was freed.
    ShutDown,
}

/// The host that a probe asks. Every method runs on the engine's thread and must return soon. A panic in one is
/// caught; in [`Self::request`] it counts as a host that failed.
pub trait Host: Send + Sync {
    /// Send this: the parameters of `elicitation/create`, as JSON. Called once, unless the probe ends before.
    fn request(&self, probe: ProbeId, params: &str);

    /// The request that was sent no longer matters: tell the peer. Called after a time-out, a cancellation or the end
    /// of the engine, and only after [`Self::request`].
    fn cancel(&self, probe: ProbeId);

    /// The probe has ended. Called exactly once, last.
    fn done(&self, probe: ProbeId, end: End);
}

/// Why a call on an engine did nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EngineError {
    /// There is no such open probe.
    #[error("there is no open probe {0}: it has ended (an answer, its time-out or a cancellation), or never was")]
    NotFound(ProbeId),
    /// The engine has been shut down.
    #[error("the engine has been shut down and starts no probe")]
    ShutDown,
    /// The engine has as many open probes as it may.
    #[error("the engine has {0} open probes, as many as it may: wait for some to end, or allow more")]
    Full(usize),
    /// The engine's own thread asked it to wait for that thread.
    #[error("an engine cannot be shut down from its own callback: free it there, or shut it down from another thread")]
    OwnThread,
}

/// Runs probes. Dropping it does not block: its open probes end with [`End::ShutDown`].
pub struct Engine {
    shared: Arc<Shared>,
    commands: mpsc::UnboundedSender<Command>,
    thread: Mutex<Option<JoinHandle<()>>>,
    max_open: usize,
}

/// What callers and the engine's thread share.
struct Shared {
    registry: Mutex<Registry>,
}

#[derive(Default)]
struct Registry {
    last_id: ProbeId,
    open: HashMap<ProbeId, Open>,
    shut_down: bool,
}

/// A probe that has not ended.
struct Open {
    report: Arc<dyn AsRef<Report> + Send + Sync>,
    host: Arc<dyn Host>,
    /// Not yet asked, or asked and waiting.
    stage: Stage,
}

enum Stage {
    Queued(Arc<ProbeOptions>),
    Asked(Probe),
}

enum Command {
    /// Ask the host.
    Ask(ProbeId),
    /// Tell the end of a probe that is out of the registry.
    End(ProbeId, Box<(Open, Ended)>),
    /// End all that is open, and the thread.
    ShutDown,
}

enum Ended {
    Answered { at: Instant, answer: Answer },
    Cancelled,
    ShutDown,
}

enum Answer {
    Result(Vec<u8>),
    Unreadable(Error),
    Failure { code: i64, message: String, timed_out: bool },
}

impl Engine {
    /// Starts an engine that may have `max_open` probes open at a time.
    ///
    /// # Errors
    ///
    /// Where the system gives no thread, or no timer.
    pub fn new(max_open: usize) -> std::io::Result<Self> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build()?;
        let (commands, receiver) = mpsc::unbounded_channel();
        let shared = Arc::new(Shared { registry: Mutex::default() });
        let driver = Driver { shared: Arc::clone(&shared), deadlines: BTreeSet::new() };
        let thread = thread::Builder::new()
            .name("elicit-doctor".to_owned())
            .spawn(move || runtime.block_on(driver.run(receiver)))?;
        Ok(Self { shared, commands, thread: Mutex::new(Some(thread)), max_open })
    }

    /// Starts a probe. `host` hears of it on the engine's thread, never inside this call.
    ///
    /// # Errors
    ///
    /// [`EngineError::ShutDown`] and [`EngineError::Full`].
    pub fn start<R: AsRef<Report> + Send + Sync + 'static>(
        &self,
        report: Arc<R>,
        options: Arc<ProbeOptions>,
        host: Arc<dyn Host>,
    ) -> Result<ProbeId, EngineError> {
        let mut registry = self.shared.lock();
        if registry.shut_down {
            return Err(EngineError::ShutDown);
        }
        if registry.open.len() >= self.max_open {
            return Err(EngineError::Full(self.max_open));
        }
        registry.last_id += 1;
        let id = registry.last_id;
        registry.open.insert(id, Open { report, host, stage: Stage::Queued(options) });
        // Under the lock, so that the order of commands is the order of what happened to the registry.
        self.send(Command::Ask(id));
        Ok(id)
    }

    /// The host answered: see [`Probe::reply`].
    ///
    /// # Errors
    ///
    /// [`EngineError::NotFound`] where the probe has ended, or was not asked yet; the answer changes nothing then.
    pub fn reply(&self, id: ProbeId, result: &[u8]) -> Result<(), EngineError> {
        let at = Instant::now();
        let answer = if result.len() > MAX_ANSWER {
            Answer::Unreadable(Error::TooLarge { len: result.len(), limit: MAX_ANSWER })
        } else {
            Answer::Result(result.to_vec())
        };
        self.end(id, Ended::Answered { at, answer })
    }

    /// The host failed: see [`Probe::fail`].
    ///
    /// # Errors
    ///
    /// [`EngineError::NotFound`] where the probe has ended, or was not asked yet.
    pub fn fail(&self, id: ProbeId, code: i64, message: &str, timed_out: bool) -> Result<(), EngineError> {
        let answer = Answer::Failure { code, message: message.to_owned(), timed_out };
        self.end(id, Ended::Answered { at: Instant::now(), answer })
    }

    /// Ends a probe without a result. The host is told that the request no longer matters.
    ///
    /// # Errors
    ///
    /// [`EngineError::NotFound`] where the probe has ended.
    pub fn cancel(&self, id: ProbeId) -> Result<(), EngineError> {
        self.end(id, Ended::Cancelled)
    }

    /// How many probes are open.
    pub fn open_probes(&self) -> usize {
        self.shared.lock().open.len()
    }

    /// Ends the engine without waiting: open probes end with [`End::ShutDown`], and none can be started.
    pub fn stop(&self) {
        let mut registry = self.shared.lock();
        if !registry.shut_down {
            registry.shut_down = true;
            self.send(Command::ShutDown);
        }
    }

    /// Ends the engine and waits until its thread is gone, so that the library can be unloaded.
    ///
    /// # Errors
    ///
    /// [`EngineError::OwnThread`], after [`Self::stop`], where a callback of this engine asks.
    pub fn shut_down(&self) -> Result<(), EngineError> {
        self.stop();
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        if thread.as_ref().is_some_and(|thread| thread.thread().id() == thread::current().id()) {
            return Err(EngineError::OwnThread);
        }
        if let Some(thread) = thread.take() {
            // What panics on that thread is caught where it happens; there is nothing to hear of it here.
            let _ = thread.join();
        }
        Ok(())
    }

    /// Takes a probe out of the registry, which ends it, and has its end told.
    fn end(&self, id: ProbeId, end: Ended) -> Result<(), EngineError> {
        let mut registry = self.shared.lock();
        // A host cannot answer what it was not asked.
        let can_end = registry
            .open
            .get(&id)
            .is_some_and(|open| matches!(open.stage, Stage::Asked(_)) || matches!(end, Ended::Cancelled));
        let open = if can_end { registry.open.remove(&id) } else { None };
        self.send(Command::End(id, Box::new((open.ok_or(EngineError::NotFound(id))?, end))));
        Ok(())
    }

    fn send(&self, command: Command) {
        // The receiver lives until it has emptied the registry and told the ends that were sent before.
        let _ = self.commands.send(command);
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}

impl fmt::Debug for Engine {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Engine").field("open_probes", &self.open_probes()).finish_non_exhaustive()
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Registry> {
        // The registry is whole after every statement, so a panic of a holder harms nobody.
        self.registry.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What runs on the engine's thread.
struct Driver {
    shared: Arc<Shared>,
    /// When which probe ends without an answer.
    deadlines: BTreeSet<(Instant, ProbeId)>,
}

impl Driver {
    async fn run(mut self, mut commands: mpsc::UnboundedReceiver<Command>) {
        loop {
            let command = match self.deadlines.first() {
                None => commands.recv().await,
                Some((deadline, _)) => match time::timeout_at((*deadline).into(), commands.recv()).await {
                    Ok(command) => command,
                    Err(_) => {
                        self.expire();
                        continue;
                    }
                },
            };
            match command {
                Some(Command::Ask(id)) => self.ask(id),
                Some(Command::End(id, ended)) => {
                    let (open, end) = *ended;
                    self.tell(id, open, end);
                }
                Some(Command::ShutDown) | None => {
                    self.shut_down();
                    // Who took a probe out of the registry after ShutDown was sent has had its end told behind it.
                    while let Ok(command) = commands.try_recv() {
                        if let Command::End(id, ended) = command {
                            let (open, end) = *ended;
                            self.tell(id, open, end);
                        }
                    }
                    return;
                }
            }
        }
    }

    fn ask(&mut self, id: ProbeId) {
        let mut registry = self.shared.lock();
        let Some(open) = registry.open.get_mut(&id) else { return };
        let Stage::Queued(options) = &open.stage else { return };
        match Probe::new((*open.report).as_ref(), options, Instant::now()) {
            Ok(probe) => {
                let params = probe.request();
                self.deadlines.extend(probe.poll_timeout().map(|deadline| (deadline, id)));
                let host = Arc::clone(&open.host);
                // Asked from here on: the host may answer inside the callback.
                open.stage = Stage::Asked(probe);
                drop(registry);
                if catch_unwind(AssertUnwindSafe(|| host.request(id, &params))).is_err() {
                    self.take(
                        id,
                        Answer::Failure { code: 0, message: "the host panicked".to_owned(), timed_out: false },
                    );
                }
            }
            Err(reason) => {
                let report = (*open.report).as_ref().skip_probe(options.question.mode(), reason);
                let open = registry.open.remove(&id);
                drop(registry);
                if let Some(open) = open {
                    done(&*open.host, id, End::Report(report));
                }
            }
        }
    }

    /// Ends a probe from this thread, if it is still open.
    fn take(&mut self, id: ProbeId, answer: Answer) {
        let open = self.shared.lock().open.remove(&id);
        if let Some(open) = open {
            self.tell(id, open, Ended::Answered { at: Instant::now(), answer });
        }
    }

    fn expire(&mut self) {
        let now = Instant::now();
        while let Some(&(deadline, id)) = self.deadlines.first().filter(|(deadline, _)| *deadline <= now) {
            self.deadlines.remove(&(deadline, id));
            // Whoever took it out before has sent its end.
            let Some(open) = self.shared.lock().open.remove(&id) else { continue };
            if let Stage::Asked(mut probe) = open.stage {
                probe.handle_timeout(now);
                cancel(&*open.host, id);
                finish(&*open.host, id, (*open.report).as_ref(), &probe);
            }
        }
    }

    fn tell(&mut self, id: ProbeId, open: Open, end: Ended) {
        let Open { report, host, stage } = open;
        let asked = match stage {
            Stage::Queued(_) => None,
            Stage::Asked(probe) => Some(probe),
        };
        if let Some(deadline) = asked.as_ref().and_then(Probe::poll_timeout) {
            self.deadlines.remove(&(deadline, id));
        }
        match (end, asked) {
            (Ended::Answered { at, answer }, Some(mut probe)) => {
                match answer {
                    Answer::Result(result) => probe.reply(&result, at),
                    Answer::Unreadable(error) => probe.refuse(&error, at),
                    Answer::Failure { code, message, timed_out } => probe.fail(code, &message, timed_out, at),
                }
                finish(&*host, id, (*report).as_ref(), &probe);
            }
            (end, asked) => {
                if asked.is_some() {
                    cancel(&*host, id);
                }
                done(&*host, id, if matches!(end, Ended::ShutDown) { End::ShutDown } else { End::Cancelled });
            }
        }
    }

    fn shut_down(&mut self) {
        let open = std::mem::take(&mut self.shared.lock().open);
        for (id, open) in open {
            self.tell(id, open, Ended::ShutDown);
        }
    }
}

fn finish(host: &dyn Host, id: ProbeId, report: &Report, probe: &Probe) {
    // The probe has ended just before, so there is an outcome.
    let report = probe.outcome().map_or_else(|| report.clone(), |outcome| report.with_outcome(outcome));
    done(host, id, End::Report(report));
}

fn cancel(host: &dyn Host, id: ProbeId) {
    // Nothing depends on a host that panics here.
    let _ = catch_unwind(AssertUnwindSafe(|| host.cancel(id)));
}

fn done(host: &dyn Host, id: ProbeId, end: End) {
    let _ = catch_unwind(AssertUnwindSafe(|| host.done(id, end)));
}
