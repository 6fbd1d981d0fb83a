// One report read by several threads at once while others make, copy and fail to make reports of their own.
#define _POSIX_C_SOURCE 200809L
#include <pthread.h>

#include "check.h"

enum { THREADS = 8, ROUNDS = 200 };

static const char HANDSHAKE[] =
    "{\"initialize\":{\"request\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"elicitation\":{\"form\":[]}},"
    "\"clientInfo\":{\"name\":\"a host\",\"version\":\"1\"}}}}";

struct Worker {
    pthread_t thread;
    const ElicitReport *shared;
    int mistakes;
};

static int reads_the_same(const ElicitReport *report, ElicitStr json, size_t findings) {
    return equal(elicit_report_json(report), json) &&
           elicit_findings_len(elicit_report_findings(report)) == findings &&
           elicit_report_support(report).elicitation_url == 0;
}

static void *work(void *argument) {
    struct Worker *worker = (struct Worker *)argument;
    ElicitStr json = elicit_report_json(worker->shared);
    size_t findings = elicit_findings_len(elicit_report_findings(worker->shared));
    for (int round = 0; round < ROUNDS; round++) {
        ElicitReport *own = NULL, *copy = NULL, *none = NULL;
        ElicitError *error = NULL;
        worker->mistakes += !reads_the_same(worker->shared, json, findings);
        worker->mistakes += elicit_report_from_handshake(text(HANDSHAKE), &own, NULL) != ELICIT_STATUS_OK;
        worker->mistakes += !reads_the_same(own, json, findings);
        worker->mistakes +=
            elicit_report_skip_probe(worker->shared, ELICIT_MODE_FORM, text("why"), &copy, NULL) != ELICIT_STATUS_OK;
        worker->mistakes += !contains(elicit_report_json(copy), text("\"why\""));
        worker->mistakes += elicit_report_parse(text("{"), &none, &error) != ELICIT_STATUS_INVALID_JSON;
        worker->mistakes += elicit_error_status(error) != ELICIT_STATUS_INVALID_JSON;
        elicit_error_free(error);
        elicit_report_free(copy);
        elicit_report_free(own);
    }
    return NULL;
}

static void threads_share_one_report(void) {
    struct Worker workers[THREADS];
    ElicitReport *shared = report_of(HANDSHAKE);
    CHECK(elicit_findings_len(elicit_report_findings(shared)) > 0);
    for (int i = 0; i < THREADS; i++) {
        workers[i].shared = shared;
        workers[i].mistakes = 0;
        CHECK_NUMBER(pthread_create(&workers[i].thread, NULL, work, &workers[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        CHECK_NUMBER(pthread_join(workers[i].thread, NULL), 0);
        CHECK_NUMBER(workers[i].mistakes, 0);
    }
    elicit_report_free(shared);
}

static void *free_report(void *report) {
    elicit_report_free((ElicitReport *)report);
    return NULL;
}

static void a_report_is_freed_on_another_thread_than_it_was_made_on(void) {
    pthread_t thread;
    CHECK_NUMBER(pthread_create(&thread, NULL, free_report, report_of(HANDSHAKE)), 0);
    CHECK_NUMBER(pthread_join(thread, NULL), 0);
}

int main(void) {
    RUN(threads_share_one_report);
    RUN(a_report_is_freed_on_another_thread_than_it_was_made_on);
    return finish();
}
