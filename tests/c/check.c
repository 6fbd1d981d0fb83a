// A request is checked before it goes out, and an answer when it comes back.
#include <stdlib.h>

#include "check.h"

static const char HOST[] =
    "{\"initialize\":{\"request\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"elicitation\":{}},"
    "\"clientInfo\":{\"name\":\"a host\",\"version\":\"1\"}},\"response\":{\"protocolVersion\":\"2025-11-25\","
    "\"capabilities\":{},\"serverInfo\":{\"name\":\"a server\",\"version\":\"1\"}}}}";

static const char FORM[] =
    "{\"message\":\"A table for whom?\",\"requestedSchema\":{\"type\":\"object\",\"required\":[\"name\"],"
    "\"properties\":{\"name\":{\"type\":\"string\",\"maxLength\":2},\"guests\":{\"type\":\"integer\"}}}}";

typedef ElicitStatus (*Check)(const ElicitReport *, ElicitStr, ElicitFindings **, ElicitError **);

static ElicitStatus check_answer_to_form(const ElicitReport *report, ElicitStr result, ElicitFindings **findings,
                                         ElicitError **error) {
    return elicit_check_answer(report, text(FORM), result, findings, error);
}

static ElicitStatus check_decline_of(const ElicitReport *report, ElicitStr params, ElicitFindings **findings,
                                     ElicitError **error) {
    return elicit_check_answer(report, params, text("{\"action\":\"decline\"}"), findings, error);
}

static const Check CHECKS[] = {elicit_check_request, check_answer_to_form, check_decline_of};
enum { CHECK_COUNT = sizeof CHECKS / sizeof *CHECKS };

static ElicitFindings *findings_of(Check checks, const ElicitReport *report, const char *json) {
    ElicitFindings *findings = NULL;
    ElicitError *error = NULL;
    CHECK_NUMBER(checks(report, text(json), &findings, &error), ELICIT_STATUS_OK);
    CHECK_TEXT(elicit_error_message(error), text(""));
    CHECK(findings != NULL);
    elicit_error_free(error);
    return findings;
}

static void check_nothing_found(Check checks, const ElicitReport *report, const char *json) {
    ElicitFindings *findings = findings_of(checks, report, json);
    CHECK_NUMBER(elicit_findings_len(findings), 0);
    elicit_findings_free(findings);
}

static void check_found(Check checks, const ElicitReport *report, const char *json, ElicitSeverity severity,
                        const char *code, const char *path) {
    ElicitFindings *findings = findings_of(checks, report, json);
    CHECK_NUMBER(elicit_findings_len(findings), 1);
    ElicitFinding finding = {0};
    finding.struct_size = sizeof finding;
    ElicitError *error = NULL;
    CHECK_NUMBER(elicit_findings_get(findings, 0, &finding, &error), ELICIT_STATUS_OK);
    CHECK_NUMBER(finding.severity, severity);
    CHECK_TEXT(finding.code, text(code));
    CHECK_TEXT(finding.path, text(path));
    CHECK(finding.message.len > 0);
    elicit_error_free(error);
    elicit_findings_free(findings);
}

static void a_request_that_fits_the_host_has_no_findings(void) {
    ElicitReport *report = report_of(HOST);
    check_nothing_found(elicit_check_request, report, FORM);
    elicit_report_free(report);
}

static void what_a_request_must_not_ask_is_found_where_it_stands(void) {
    ElicitReport *report = report_of(HOST);
    check_found(elicit_check_request, report,
                "{\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"password\":"
                "{\"type\":\"string\"}}}}",
                ELICIT_SEVERITY_ERROR, "request_secret", "/requestedSchema/properties/password");
    check_found(elicit_check_request, report,
                "{\"mode\":\"url\",\"message\":\"m\",\"url\":\"https://example.org/\",\"elicitationId\":\"1\"}",
                ELICIT_SEVERITY_ERROR, "request_mode_undeclared", "/mode");
    elicit_report_free(report);
}

static void a_host_without_elicitation_is_asked_nothing(void) {
    ElicitReport *report = report_of("{\"initialize\":{}}");
    check_found(elicit_check_request, report, FORM, ELICIT_SEVERITY_ERROR, "request_unsupported", "");
    elicit_report_free(report);
}

static void an_answer_is_checked_against_what_was_asked(void) {
    ElicitReport *report = report_of(HOST);
    check_nothing_found(check_answer_to_form, report, "{\"action\":\"accept\",\"content\":{\"name\":\"Jo\"}}");
    check_nothing_found(check_answer_to_form, report, "{\"action\":\"cancel\"}");
    check_found(check_answer_to_form, report, "{\"action\":\"accept\",\"content\":{\"name\":\"Joe\"}}",
                ELICIT_SEVERITY_ERROR, "answer_value", "/content/name");
    check_found(check_answer_to_form, report, "{\"action\":\"accept\"}", ELICIT_SEVERITY_ERROR, "answer_content", "");
    check_found(check_answer_to_form, report, "{\"action\":\"decline\",\"content\":{}}", ELICIT_SEVERITY_WARNING,
                "answer_surplus", "/content");
    elicit_report_free(report);
}

static void findings_outlive_the_report_and_the_texts(void) {
    char *params = (char *)malloc(sizeof FORM);
    CHECK(params != NULL);
    if (!params) return;
    memcpy(params, FORM, sizeof FORM);
    ElicitReport *report = report_of(HOST);
    ElicitFindings *findings = NULL;
    CHECK_NUMBER(elicit_check_answer(report, text(params), text("{\"action\":\"accept\",\"content\":{\"name\":7}}"),
                                     &findings, NULL),
                 ELICIT_STATUS_OK);
    elicit_report_free(report);
    free(params);
    ElicitFinding finding = {0};
    finding.struct_size = sizeof finding;
    CHECK_NUMBER(elicit_findings_get(findings, 0, &finding, NULL), ELICIT_STATUS_OK);
    CHECK_TEXT(finding.path, text("/content/name"));
    CHECK_CONTAINS(finding.message, text("name"));
    elicit_findings_free(findings);
}

static void check_refused(Check checks, const ElicitReport *report, ElicitStr json, ElicitStatus expected) {
    static char stale;
    ElicitFindings *findings = (ElicitFindings *)(void *)&stale;
    ElicitError *error = NULL;
    CHECK_NUMBER(checks(report, json, &findings, &error), expected);
    CHECK(findings == NULL);
    CHECK_NUMBER(elicit_error_status(error), expected);
    CHECK(elicit_error_message(error).len > 0);
    elicit_error_free(error);
    CHECK_NUMBER(checks(report, json, &findings, NULL), expected);
    CHECK(findings == NULL);
}

static void what_cannot_be_checked_is_refused_with_its_status(void) {
    ElicitReport *report = report_of(HOST);
    size_t len = (1u << 20) + 1;
    uint8_t *brackets = (uint8_t *)malloc(len);
    CHECK(brackets != NULL);
    if (!brackets) return;
    memset(brackets, '[', len);
    ElicitStr large = {brackets, len}, deep = {brackets, 129}, nowhere = {NULL, 5};
    for (size_t i = 0; i < CHECK_COUNT; i++) {
        check_refused(CHECKS[i], report, text(""), ELICIT_STATUS_INVALID_JSON);
        check_refused(CHECKS[i], report, text("{\"message\":"), ELICIT_STATUS_INVALID_JSON);
        check_refused(CHECKS[i], report, text("\"\xFF\""), ELICIT_STATUS_INVALID_UTF8);
        check_refused(CHECKS[i], report, text("42"), ELICIT_STATUS_WRONG_SHAPE);
        check_refused(CHECKS[i], report, large, ELICIT_STATUS_TOO_LARGE);
        check_refused(CHECKS[i], report, deep, ELICIT_STATUS_TOO_DEEP);
        check_refused(CHECKS[i], report, nowhere, ELICIT_STATUS_INVALID_ARGUMENT);
        check_refused(CHECKS[i], NULL, text(FORM), ELICIT_STATUS_INVALID_ARGUMENT);
        ElicitError *error = NULL;
        CHECK_NUMBER(CHECKS[i](report, text(FORM), NULL, &error), ELICIT_STATUS_INVALID_ARGUMENT);
        CHECK_CONTAINS(elicit_error_message(error), text("findings"));
        elicit_error_free(error);
    }
    free(brackets);
    elicit_report_free(report);
}

static void no_list_is_freed_without_harm(void) {
    elicit_findings_free(NULL);
    CHECK_NUMBER(elicit_findings_len(NULL), 0);
}

int main(void) {
    RUN(a_request_that_fits_the_host_has_no_findings);
    RUN(what_a_request_must_not_ask_is_found_where_it_stands);
    RUN(a_host_without_elicitation_is_asked_nothing);
    RUN(an_answer_is_checked_against_what_was_asked);
    RUN(findings_outlive_the_report_and_the_texts);
    RUN(what_cannot_be_checked_is_refused_with_its_status);
    RUN(no_list_is_freed_without_harm);
    return finish();
}
