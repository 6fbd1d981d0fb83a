// Probes by callback: whatever the host does, and whoever does it on which thread, each ends once and leaves nothing.
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>
#include <stdlib.h>

#include "check.h"
#include "threads.h"

static const char HANDSHAKE[] =
    "{\"initialize\":{\"request\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"elicitation\":{}},"
    "\"clientInfo\":{\"name\":\"a host\",\"version\":\"1\"}},"
    "\"response\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}}}";
static const char SILENT[] =
    "{\"initialize\":{\"request\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
    "\"clientInfo\":{\"name\":\"a host\",\"version\":\"1\"}},"
    "\"response\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}}}";
static const char ACCEPT[] = "{\"action\":\"accept\",\"content\":{\"value\":\"ok\"}}";
static const char DECLINE[] = "{\"action\":\"decline\"}";

// What the callbacks of one probe told, and who waits for it.
struct Probe {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    const ElicitEngine *engine;
    uint64_t id;
    // What the host does inside on_request; NULL for nothing.
    void (*in_request)(struct Probe *probe, uint64_t id);
    int requests, cancels, dones;
    int request_had_schema;
    ElicitStatus status;
    ElicitReport *report;
};

static void told(struct Probe *probe, int *what) {
    pthread_mutex_lock(&probe->lock);
    (*what)++;
    pthread_cond_broadcast(&probe->changed);
    pthread_mutex_unlock(&probe->lock);
}

static void on_request(void *user_data, uint64_t probe_id, ElicitStr params_json) {
    struct Probe *probe = (struct Probe *)user_data;
    probe->request_had_schema = contains(params_json, text("\"requestedSchema\""));
    told(probe, &probe->requests);
    if (probe->in_request) probe->in_request(probe, probe_id);
}

static void on_cancel(void *user_data, uint64_t probe_id) {
    struct Probe *probe = (struct Probe *)user_data;
    (void)probe_id;
    told(probe, &probe->cancels);
}

static void on_done(void *user_data, uint64_t probe_id, ElicitStatus status, ElicitReport *report) {
    struct Probe *probe = (struct Probe *)user_data;
    (void)probe_id;
    probe->status = status;
    probe->report = report;
    told(probe, &probe->dones);
}

static void wait_for(struct Probe *probe, const int *what) {
    pthread_mutex_lock(&probe->lock);
    while (*what == 0) pthread_cond_wait(&probe->changed, &probe->lock);
    pthread_mutex_unlock(&probe->lock);
}

static void init(struct Probe *probe, const ElicitEngine *engine) {
    memset(probe, 0, sizeof *probe);
    pthread_mutex_init(&probe->lock, NULL);
    pthread_cond_init(&probe->changed, NULL);
    probe->engine = engine;
}

static void destroy(struct Probe *probe) {
    // The last callback lets go of the lock after it has said that the probe is done.
    pthread_mutex_lock(&probe->lock);
    pthread_mutex_unlock(&probe->lock);
    elicit_report_free(probe->report);
    pthread_cond_destroy(&probe->changed);
    pthread_mutex_destroy(&probe->lock);
}

static ElicitProbeOptions options_of(struct Probe *probe, uint64_t timeout_ms) {
    ElicitProbeOptions options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.mode = ELICIT_MODE_FORM;
    options.timeout_ms = timeout_ms;
    options.on_request = on_request;
    options.on_cancel = on_cancel;
    options.on_done = on_done;
    options.user_data = probe;
    return options;
}

static void start_with(struct Probe *probe, const char *handshake, uint64_t timeout_ms) {
    ElicitReport *report = report_of(handshake);
    ElicitError *error = NULL;
    ElicitProbeOptions options = options_of(probe, timeout_ms);
    CHECK_NUMBER(elicit_probe_start(probe->engine, report, &options, &probe->id, &error), ELICIT_STATUS_OK);
    CHECK_TEXT(elicit_error_message(error), text(""));
    CHECK(probe->id != 0);
    // An engine keeps what it needs of a report.
    elicit_report_free(report);
}

static void start(struct Probe *probe) { start_with(probe, HANDSHAKE, 0); }

static ElicitEngine *engine_of(uint32_t max_open_probes) {
    ElicitEngineOptions options = {sizeof options, max_open_probes};
    ElicitEngine *engine = NULL;
    ElicitError *error = NULL;
    CHECK_NUMBER(elicit_engine_new(&options, &engine, &error), ELICIT_STATUS_OK);
    CHECK(engine != NULL);
    CHECK(error == NULL);
    return engine;
}

static void end(ElicitEngine *engine) {
    CHECK_NUMBER(elicit_engine_shutdown(engine, NULL), ELICIT_STATUS_OK);
    elicit_engine_free(engine);
}

static void check_end(const struct Probe *probe, ElicitStatus status, const char *part) {
    CHECK_NUMBER(probe->dones, 1);
    CHECK_NUMBER(probe->status, status);
    CHECK_NUMBER(probe->report != NULL, status == ELICIT_STATUS_OK);
    CHECK_CONTAINS(elicit_report_json(probe->report), text(part));
}

static void check_over(const struct Probe *probe) {
    ElicitError *error = NULL;
    CHECK_NUMBER(elicit_probe_reply(probe->engine, probe->id, text(ACCEPT), &error), ELICIT_STATUS_NOT_FOUND);
    CHECK_CONTAINS(elicit_error_message(error), text("there is no open probe"));
    elicit_error_free(error);
    CHECK_NUMBER(elicit_probe_fail(probe->engine, probe->id, 0, 0, text("why"), NULL), ELICIT_STATUS_NOT_FOUND);
    CHECK_NUMBER(elicit_probe_cancel(probe->engine, probe->id, NULL), ELICIT_STATUS_NOT_FOUND);
}

static void *accept_from_here(void *argument) {
    struct Probe *probe = (struct Probe *)argument;
    wait_for(probe, &probe->requests);
    return elicit_probe_reply(probe->engine, probe->id, text(ACCEPT), NULL) == ELICIT_STATUS_OK ? probe : NULL;
}

static void an_answer_from_another_thread_ends_the_probe(void) {
    ElicitEngine *engine = engine_of(0);
    struct Probe probe;
    pthread_t thread;
    void *answered = NULL;
    init(&probe, engine);
    start(&probe);
    CHECK_NUMBER(pthread_create(&thread, NULL, accept_from_here, &probe), 0);
    wait_for(&probe, &probe.dones);
    CHECK_NUMBER(pthread_join(thread, &answered), 0);
    CHECK(answered == &probe);
    CHECK(probe.request_had_schema);
    check_end(&probe, ELICIT_STATUS_OK, "\"data\":\"ok\",\"verdict\":\"working\"");
    CHECK_NUMBER(probe.cancels, 0);
    CHECK_NUMBER(elicit_engine_open_probes(engine), 0);
    check_over(&probe);
    end(engine);
    destroy(&probe);
}

static void decline_twice(struct Probe *probe, uint64_t id) {
    CHECK_NUMBER(elicit_probe_reply(probe->engine, id, text(DECLINE), NULL), ELICIT_STATUS_OK);
    CHECK_NUMBER(elicit_probe_reply(probe->engine, id, text(ACCEPT), NULL), ELICIT_STATUS_NOT_FOUND);
}

static void an_answer_inside_the_callback_ends_the_probe_and_a_second_one_changes_nothing(void) {
    ElicitEngine *engine = engine_of(0);
    struct Probe probe;
    init(&probe, engine);
    probe.in_request = decline_twice;
    start(&probe);
    wait_for(&probe, &probe.dones);
    check_end(&probe, ELICIT_STATUS_OK, "\"verdict\":\"advertised_but_autocanceled\",\"answeredBy\":\"machine\"");
    end(engine);
    destroy(&probe);
}

static void not_found(struct Probe *probe, uint64_t id) {
    CHECK_NUMBER(elicit_probe_fail(probe->engine, id, -32601, 0, text("Method not found"), NULL), ELICIT_STATUS_OK);
}

static void an_error_of_the_host_is_no_support(void) {
    ElicitEngine *engine = engine_of(0);
    struct Probe probe;
    init(&probe, engine);
    probe.in_request = not_found;
    start(&probe);
    wait_for(&probe, &probe.dones);
    check_end(&probe, ELICIT_STATUS_OK, "\"diagnosis\":\"declared_but_method_not_found\"");
    end(engine);
    destroy(&probe);
}

static void a_host_that_never_answers_is_told_and_the_probe_times_out(void) {
    ElicitEngine *engine = engine_of(0);
    struct Probe probe;
    init(&probe, engine);
    start_with(&probe, HANDSHAKE, 1);
    wait_for(&probe, &probe.dones);
    check_end(&probe, ELICIT_STATUS_OK, "\"action\":\"timeout\"");
    check_end(&probe, ELICIT_STATUS_OK, "\"verdict\":\"advertised_but_unanswered\"");
    CHECK_NUMBER(probe.requests, 1);
    CHECK_NUMBER(probe.cancels, 1);
    check_over(&probe);
    end(engine);
    destroy(&probe);
}

static void a_cancelled_probe_ends_without_a_report(void) {
    ElicitEngine *engine = engine_of(0);
    struct Probe probe;
    init(&probe, engine);
    start(&probe);
    wait_for(&probe, &probe.requests);
    CHECK_NUMBER(elicit_probe_cancel(engine, probe.id, NULL), ELICIT_STATUS_OK);
    check_over(&probe);
    wait_for(&probe, &probe.dones);
    check_end(&probe, ELICIT_STATUS_CANCELLED, "");
    CHECK_NUMBER(probe.cancels, 1);
    end(engine);
    destroy(&probe);
}

static void a_host_that_must_not_be_asked_is_not(void) {
    ElicitEngine *engine = engine_of(0);
    struct Probe probe;
    init(&probe, engine);
    start_with(&probe, SILENT, 0);
    wait_for(&probe, &probe.dones);
    check_end(&probe, ELICIT_STATUS_OK,
              "{\"attempted\":false,\"reason\":\"client did not advertise elicitation\"}");
    CHECK_NUMBER(probe.requests, 0);
    CHECK_NUMBER(probe.cancels, 0);
    end(engine);
    destroy(&probe);
}

static void a_freed_engine_ends_its_open_probes(void) {
    enum { OPEN = 100 };
    ElicitEngine *engine = engine_of(0);
    struct Probe *probes = (struct Probe *)malloc(OPEN * sizeof *probes);
    CHECK(probes != NULL);
    for (int i = 0; i < OPEN; i++) {
        init(&probes[i], engine);
        start(&probes[i]);
    }
    // The last one may still be waiting to be asked, the first one is not.
    wait_for(&probes[0], &probes[0].requests);
    elicit_engine_free(engine);
    for (int i = 0; i < OPEN; i++) {
        wait_for(&probes[i], &probes[i].dones);
        check_end(&probes[i], ELICIT_STATUS_SHUTDOWN, "");
        CHECK_NUMBER(probes[i].cancels, probes[i].requests);
        destroy(&probes[i]);
    }
    free(probes);
}

static void a_shut_down_engine_has_ended_its_probes_and_starts_none(void) {
    ElicitEngine *engine = engine_of(0);
    ElicitReport *report = report_of(HANDSHAKE);
    struct Probe probe;
    init(&probe, engine);
    start(&probe);
    wait_for(&probe, &probe.requests);
    CHECK_NUMBER(elicit_engine_open_probes(engine), 1);
    CHECK_NUMBER(elicit_engine_shutdown(engine, NULL), ELICIT_STATUS_OK);
    // The thread is gone, so nothing has to be waited for.
    check_end(&probe, ELICIT_STATUS_SHUTDOWN, "");
    CHECK_NUMBER(elicit_engine_open_probes(engine), 0);

    uint64_t id = 1;
    ElicitError *error = NULL;
    ElicitProbeOptions options = options_of(&probe, 0);
    CHECK_NUMBER(elicit_probe_start(engine, report, &options, &id, &error), ELICIT_STATUS_SHUTDOWN);
    CHECK_NUMBER(id, 0);
    CHECK_CONTAINS(elicit_error_message(error), text("shut down"));
    elicit_error_free(error);
    CHECK_NUMBER(probe.dones, 1);
    CHECK_NUMBER(elicit_engine_shutdown(engine, NULL), ELICIT_STATUS_OK);
    elicit_engine_free(engine);
    elicit_report_free(report);
    destroy(&probe);
}

static void shut_down_here(struct Probe *probe, uint64_t id) {
    (void)id;
    ElicitError *error = NULL;
    CHECK_NUMBER(elicit_engine_shutdown(probe->engine, &error), ELICIT_STATUS_INVALID_ARGUMENT);
    CHECK_CONTAINS(elicit_error_message(error), text("its own callback"));
    elicit_error_free(error);
}

static void a_callback_that_shuts_its_engine_down_ends_it_but_cannot_wait(void) {
    ElicitEngine *engine = engine_of(0);
    struct Probe probe;
    init(&probe, engine);
    probe.in_request = shut_down_here;
    start(&probe);
    wait_for(&probe, &probe.dones);
    check_end(&probe, ELICIT_STATUS_SHUTDOWN, "");
    end(engine);
    destroy(&probe);
}

static void a_full_engine_starts_no_more(void) {
    ElicitEngine *engine = engine_of(1);
    ElicitReport *report = report_of(HANDSHAKE);
    struct Probe first, second;
    init(&first, engine);
    init(&second, engine);
    start(&first);
    ElicitError *error = NULL;
    ElicitProbeOptions options = options_of(&second, 0);
    CHECK_NUMBER(elicit_probe_start(engine, report, &options, &second.id, &error), ELICIT_STATUS_FULL);
    CHECK(elicit_error_message(error).len > 0);
    elicit_error_free(error);
    CHECK_NUMBER(elicit_probe_cancel(engine, first.id, NULL), ELICIT_STATUS_OK);
    start(&second);
    end(engine);
    CHECK_NUMBER(first.dones, 1);
    check_end(&second, ELICIT_STATUS_SHUTDOWN, "");
    elicit_report_free(report);
    destroy(&first);
    destroy(&second);
}

static void a_null_engine_is_the_default_one(void) {
    struct Probe probe;
    init(&probe, NULL);
    start(&probe);
    wait_for(&probe, &probe.requests);
    CHECK_NUMBER(elicit_engine_open_probes(NULL), 1);
    CHECK_NUMBER(elicit_probe_reply(NULL, probe.id, text(ACCEPT), NULL), ELICIT_STATUS_OK);
    wait_for(&probe, &probe.dones);
    check_end(&probe, ELICIT_STATUS_OK, "\"verdict\":\"working\"");
    check_over(&probe);
    elicit_engine_free(NULL);
    destroy(&probe);
}

static void what_cannot_be_asked_starts_no_probe(void) {
    ElicitEngine *engine = engine_of(0);
    ElicitReport *report = report_of(HANDSHAKE);
    struct Probe probe;
    uint64_t id = 0;
    init(&probe, engine);
    const ElicitProbeOptions good = options_of(&probe, 0);
    ElicitProbeOptions bad[6];
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) bad[i] = good;
    bad[0].struct_size = 4;
    bad[1].mode = 3;
    bad[2].on_request = NULL;
    bad[3].on_done = NULL;
    bad[4].mode = ELICIT_MODE_URL;
    bad[5].mode = ELICIT_MODE_URL;
    bad[5].url = text("http://a.host/page");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ElicitError *error = NULL;
        CHECK_NUMBER(elicit_probe_start(engine, report, &bad[i], &id, &error), ELICIT_STATUS_INVALID_ARGUMENT);
        CHECK(elicit_error_message(error).len > 0);
        elicit_error_free(error);
    }
    CHECK_NUMBER(elicit_probe_start(engine, NULL, &good, &id, NULL), ELICIT_STATUS_INVALID_ARGUMENT);
    CHECK_NUMBER(elicit_probe_start(engine, report, NULL, &id, NULL), ELICIT_STATUS_INVALID_ARGUMENT);
    CHECK_NUMBER(elicit_probe_start(engine, report, &good, NULL, NULL), ELICIT_STATUS_INVALID_ARGUMENT);
    end(engine);
    CHECK_NUMBER(probe.requests + probe.cancels + probe.dones, 0);
    elicit_report_free(report);
    destroy(&probe);
}

enum { THREADS = 8, PROBES = 50 };

static void answer_every_second_one(struct Probe *probe, uint64_t id) {
    if (id % 2) elicit_probe_reply(probe->engine, id, text(ACCEPT), NULL);
}

static void *probe_many(void *argument) {
    const ElicitEngine *engine = (const ElicitEngine *)argument;
    struct Probe *probes = (struct Probe *)malloc(PROBES * sizeof *probes);
    size_t mistakes = 0;
    for (int i = 0; i < PROBES; i++) {
        init(&probes[i], engine);
        probes[i].in_request = answer_every_second_one;
        start_with(&probes[i], HANDSHAKE, 1 + (uint64_t)i % 5);
    }
    for (int i = 0; i < PROBES; i++) {
        // It may have timed out, or been answered: whatever it was, it was the only thing.
        ElicitStatus cancelled = elicit_probe_cancel(engine, probes[i].id, NULL);
        wait_for(&probes[i], &probes[i].dones);
        mistakes += (cancelled == ELICIT_STATUS_OK) != (probes[i].status == ELICIT_STATUS_CANCELLED);
        mistakes += (probes[i].report != NULL) != (probes[i].status == ELICIT_STATUS_OK);
        mistakes += probes[i].dones != 1;
        destroy(&probes[i]);
    }
    free(probes);
    return (void *)(uintptr_t)mistakes;
}

static void threads_share_one_engine(void) {
    ElicitEngine *engine = engine_of(0);
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++) CHECK_NUMBER(pthread_create(&threads[i], NULL, probe_many, engine), 0);
    for (int i = 0; i < THREADS; i++) {
        void *mistakes = NULL;
        CHECK_NUMBER(pthread_join(threads[i], &mistakes), 0);
        CHECK_NUMBER((uintptr_t)mistakes, 0);
    }
    CHECK_NUMBER(elicit_engine_open_probes(engine), 0);
    end(engine);
}

int main(void) {
    RUN(an_answer_from_another_thread_ends_the_probe);
    RUN(an_answer_inside_the_callback_ends_the_probe_and_a_second_one_changes_nothing);
    RUN(an_error_of_the_host_is_no_support);
    RUN(a_host_that_never_answers_is_told_and_the_probe_times_out);
    RUN(a_cancelled_probe_ends_without_a_report);
    RUN(a_host_that_must_not_be_asked_is_not);
    RUN(a_freed_engine_ends_its_open_probes);
    RUN(a_shut_down_engine_has_ended_its_probes_and_starts_none);
    RUN(a_callback_that_shuts_its_engine_down_ends_it_but_cannot_wait);
    RUN(a_full_engine_starts_no_more);
    RUN(a_null_engine_is_the_default_one);
    RUN(what_cannot_be_asked_starts_no_probe);
    RUN(threads_share_one_engine);
    CHECK_NUMBER(elicit_engine_shutdown(NULL, NULL), ELICIT_STATUS_OK);
    wait_for_other_threads();
    return finish();
}
