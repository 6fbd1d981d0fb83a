//! The driver of probes: whatever comes when, each probe ends exactly once.

mod common;

use std::collections::HashMap;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::sync::{Arc, Barrier, Mutex};
use std::thread;
use std::time::Duration;

use common::{initialize, report};
use elicit_doctor::{End, Engine, EngineError, Host, ProbeId, ProbeOptions, Question, Report};

const OK: &[u8] = br#"{"action":"accept","content":{"value":"ok"}}"#;

#[derive(Debug)]
enum Event {
    Request(ProbeId),
    Cancel(ProbeId),
    Done(ProbeId, End),
}

/// A host that says what it hears, and may do something when it is asked.
struct Script {
    heard: Mutex<Sender<Event>>,
    on_request: Box<dyn Fn(ProbeId) + Send + Sync>,
}

impl Host for Script {
    fn request(&self, probe: ProbeId, params: &str) {
        assert!(params.contains("requestedSchema"));
        self.heard.lock().unwrap().send(Event::Request(probe)).unwrap();
        (self.on_request)(probe);
    }

    fn cancel(&self, probe: ProbeId) {
        self.heard.lock().unwrap().send(Event::Cancel(probe)).unwrap();
    }

    fn done(&self, probe: ProbeId, end: End) {
        self.heard.lock().unwrap().send(Event::Done(probe, end)).unwrap();
    }
}

fn host() -> Arc<Report> {
    Arc::new(report(initialize("2025-11-25", r#"{"elicitation":{"form":{}}}"#)))
}

fn script(on_request: impl Fn(ProbeId) + Send + Sync + 'static) -> (Arc<Script>, Receiver<Event>) {
    let (sender, receiver) = channel();
    (Arc::new(Script { heard: Mutex::new(sender), on_request: Box::new(on_request) }), receiver)
}

fn options(timeout: Duration) -> Arc<ProbeOptions> {
    Arc::new(ProbeOptions { timeout, question: Question::Form })
}

const LONG: Duration = Duration::from_secs(3600);

fn done(event: Event) -> (ProbeId, End) {
    match event {
        Event::Done(id, end) => (id, end),
        other => panic!("{other:?}"),
    }
}

fn probe_of(end: End) -> serde_json::Value {
    match end {
        End::Report(report) => {
            let report = common::checked(Ok(report)).unwrap();
            serde_json::from_str::<serde_json::Value>(report.json()).unwrap()["probes"]["elicitationForm"].take()
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn an_answer_from_another_thread_ends_the_probe() {
    let engine = Arc::new(Engine::new(10).unwrap());
    let (host_script, heard) = script(|_| {});
    let id = engine.start(host(), options(LONG), host_script).unwrap();
    assert!(matches!(heard.recv().unwrap(), Event::Request(asked) if asked == id));
    thread::spawn({
        let engine = Arc::clone(&engine);
        move || engine.reply(id, OK).unwrap()
    })
    .join()
    .unwrap();
    let (ended, end) = done(heard.recv().unwrap());
    assert_eq!((ended, probe_of(end)["verdict"].as_str()), (id, Some("working")));
    assert_eq!(engine.reply(id, OK), Err(EngineError::NotFound(id)));
    assert_eq!(engine.cancel(id), Err(EngineError::NotFound(id)));
    assert_eq!(engine.open_probes(), 0);
}

#[test]
fn an_answer_inside_the_callback_ends_the_probe_and_a_second_one_changes_nothing() {
    let engine = Arc::new(Engine::new(10).unwrap());
    let answering = Arc::clone(&engine);
    let (host_script, heard) = script(move |id| {
        answering.reply(id, OK).unwrap();
        assert_eq!(answering.fail(id, -32601, "Method not found", false), Err(EngineError::NotFound(id)));
    });
    engine.start(host(), options(LONG), host_script).unwrap();
    assert!(matches!(heard.recv().unwrap(), Event::Request(_)));
    assert_eq!(probe_of(done(heard.recv().unwrap()).1)["action"], "accept");
}

#[test]
fn a_host_that_never_answers_is_cancelled_at_the_deadline() {
    let engine = Engine::new(10).unwrap();
    let (host_script, heard) = script(|_| {});
    let id = engine.start(host(), options(Duration::from_millis(20)), host_script).unwrap();
    assert!(matches!(heard.recv().unwrap(), Event::Request(_)));
    assert!(matches!(heard.recv().unwrap(), Event::Cancel(cancelled) if cancelled == id));
    let probe = probe_of(done(heard.recv().unwrap()).1);
    assert_eq!(
        (probe["verdict"].as_str(), probe["action"].as_str()),
        (Some("advertised_but_unanswered"), Some("timeout"))
    );
    assert!(probe["latencyMs"].as_u64().unwrap() >= 20);
    assert_eq!(engine.reply(id, OK), Err(EngineError::NotFound(id)), "a late answer changes nothing");
}

#[test]
fn a_host_that_panics_has_failed() {
    let engine = Engine::new(10).unwrap();
    let (host_script, heard) = script(|_| panic!("the host's own defect"));
    engine.start(host(), options(LONG), host_script).unwrap();
    assert!(matches!(heard.recv().unwrap(), Event::Request(_)));
    let probe = probe_of(done(heard.recv().unwrap()).1);
    assert_eq!((probe["verdict"].as_str(), probe["reason"].as_str()), (Some("unsupported"), Some("the host panicked")));

    let (next, heard) = script(|_| {});
    let id = engine.start(host(), options(LONG), next).unwrap();
    assert!(matches!(heard.recv().unwrap(), Event::Request(asked) if asked == id), "the engine goes on");
}

#[test]
fn a_host_that_must_not_be_asked_is_not() {
    let engine = Engine::new(10).unwrap();
    let (host_script, heard) = script(|_| panic!("asked"));
    let silent = Arc::new(report(initialize("2025-11-25", "{}")));
    engine.start(silent, options(LONG), host_script).unwrap();
    let probe = probe_of(done(heard.recv().unwrap()).1);
    assert_eq!(probe, serde_json::json!({"attempted": false, "reason": "client did not advertise elicitation"}));
}

#[test]
fn a_cancelled_probe_ends_without_a_report() {
    let engine = Engine::new(10).unwrap();
    let (host_script, heard) = script(|_| {});
    let id = engine.start(host(), options(LONG), host_script).unwrap();
    assert!(matches!(heard.recv().unwrap(), Event::Request(_)));
    engine.cancel(id).unwrap();
    assert!(matches!(heard.recv().unwrap(), Event::Cancel(_)));
    assert!(matches!(heard.recv().unwrap(), Event::Done(ended, End::Cancelled) if ended == id));
}

#[test]
fn an_engine_that_ends_ends_its_probes_and_starts_no_other() {
    let engine = Engine::new(10).unwrap();
    let (host_script, heard) = script(|_| {});
    for _ in 0..3 {
        engine.start(host(), options(LONG), Arc::clone(&host_script) as Arc<dyn Host>).unwrap();
    }
    for _ in 0..3 {
        assert!(matches!(heard.recv().unwrap(), Event::Request(_)));
    }
    engine.shut_down().unwrap();
    assert_eq!(
        engine.start(host(), options(LONG), Arc::clone(&host_script) as Arc<dyn Host>),
        Err(EngineError::ShutDown)
    );
    engine.shut_down().unwrap();
    drop((engine, host_script));
    let mut ended: HashMap<ProbeId, u32> = HashMap::new();
    for event in heard {
        match event {
            Event::Done(id, End::ShutDown) => *ended.entry(id).or_default() += 1,
            Event::Cancel(_) => {}
            other => panic!("{other:?}"),
        }
    }
    assert_eq!(ended, HashMap::from([(1, 1), (2, 1), (3, 1)]));
}

#[test]
fn an_answer_between_the_end_of_an_engine_and_its_last_callback_is_still_told() {
    let engine = Engine::new(10).unwrap();
    let (release, held) = channel();
    let held = Mutex::new(held);
    let (answered, heard) = script(|_| {});
    let (holding, heard_too) = script(move |_| held.lock().unwrap().recv().unwrap());
    let id = engine.start(host(), options(LONG), answered).unwrap();
    engine.start(host(), options(LONG), holding).unwrap();
    assert!(matches!(heard.recv().unwrap(), Event::Request(_)));
    assert!(matches!(heard_too.recv().unwrap(), Event::Request(_)), "the engine's thread is held");

    engine.stop();
    engine.reply(id, OK).unwrap();
    release.send(()).unwrap();

    assert_eq!(probe_of(done(heard.recv().unwrap()).1)["action"], "accept");
    assert!(matches!(heard_too.recv().unwrap(), Event::Cancel(_)));
    assert!(matches!(heard_too.recv().unwrap(), Event::Done(_, End::ShutDown)));
}

#[test]
fn an_engine_cannot_wait_for_itself() {
    let engine = Arc::new(Engine::new(10).unwrap());
    let (sender, outcome) = channel();
    let (inner, sender) = (Arc::clone(&engine), Mutex::new(sender));
    let (host_script, heard) = script(move |_| sender.lock().unwrap().send(inner.shut_down()).unwrap());
    engine.start(host(), options(LONG), host_script).unwrap();
    assert_eq!(outcome.recv().unwrap(), Err(EngineError::OwnThread));
    assert!(matches!(heard.recv().unwrap(), Event::Request(_)));
    assert!(matches!(heard.recv().unwrap(), Event::Cancel(_)));
    assert!(matches!(heard.recv().unwrap(), Event::Done(_, End::ShutDown)));
    engine.shut_down().unwrap();
}

#[test]
fn an_engine_has_no_more_open_probes_than_it_may() {
    let engine = Engine::new(2).unwrap();
    let (host_script, heard) = script(|_| {});
    let start = || engine.start(host(), options(LONG), Arc::clone(&host_script) as Arc<dyn Host>);
    let first = start().unwrap();
    start().unwrap();
    assert_eq!(start(), Err(EngineError::Full(2)));
    for _ in 0..2 {
        assert!(matches!(heard.recv().unwrap(), Event::Request(_)));
    }
    engine.reply(first, OK).unwrap();
    assert_eq!(done(heard.recv().unwrap()).0, first);
    start().unwrap();
}

#[test]
fn ten_thousand_open_probes_end_once_each() {
    const COUNT: u64 = 10_000;
    let engine = Engine::new(COUNT as usize).unwrap();
    let (host_script, heard) = script(|_| {});
    for _ in 0..COUNT {
        engine.start(host(), options(Duration::from_millis(300)), Arc::clone(&host_script) as Arc<dyn Host>).unwrap();
    }
    // Answers and time-outs meet: some of these come too late.
    for id in (1..=COUNT).step_by(3) {
        let _ = engine.reply(id, OK);
    }
    drop(host_script);
    let mut ended: HashMap<ProbeId, u32> = HashMap::new();
    for event in heard {
        if let Event::Done(id, End::Report(_)) = event {
            *ended.entry(id).or_default() += 1;
        }
    }
    assert_eq!(ended.len() as u64, COUNT);
    assert!(ended.values().all(|times| *times == 1));
}

#[test]
fn callers_that_race_for_the_same_probe_end_it_once() {
    const RACES: usize = 200;
    let engine = Engine::new(RACES).unwrap();
    for _ in 0..RACES {
        let (host_script, heard) = script(|_| {});
        let id = engine.start(host(), options(Duration::from_millis(1)), host_script).unwrap();
        let barrier = Barrier::new(3);
        thread::scope(|scope| {
            scope.spawn(|| (barrier.wait(), engine.reply(id, OK)));
            scope.spawn(|| (barrier.wait(), engine.fail(id, -32601, "Method not found", false)));
            scope.spawn(|| (barrier.wait(), engine.cancel(id)));
        });
        let ends = heard.iter().filter(|event| matches!(event, Event::Done(..))).count();
        assert_eq!(ends, 1);
    }
}
