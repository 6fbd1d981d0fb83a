// What a caller gets for an input that gives no report: a status, a message, and nothing to clean up but the error.
#include <stdlib.h>

#include "check.h"

static const char HANDSHAKE[] = "{\"initialize\":{\"request\":{\"protocolVersion\":\"2025-11-25\","
                                "\"capabilities\":{\"elicitation\":true}}}}";

typedef ElicitStatus (*Reader)(ElicitStr, ElicitReport **, ElicitError **);

static void check_refused(Reader reader, ElicitStr input, ElicitStatus expected) {
    ElicitReport *report = NULL;
    ElicitError *error = NULL;
    CHECK_NUMBER(reader(input, &report, &error), expected);
    CHECK(report == NULL);
    CHECK_NUMBER(elicit_error_status(error), expected);
    CHECK(elicit_error_message(error).len > 0);
    elicit_error_free(error);
    CHECK_NUMBER(reader(input, &report, NULL), expected);
    CHECK(report == NULL);
}

static void refuse_by_both(ElicitStr input, ElicitStatus expected) {
    check_refused(elicit_report_from_handshake, input, expected);
    check_refused(elicit_report_parse, input, expected);
}

static void each_kind_of_bad_text_has_its_own_status(void) {
    refuse_by_both(text("{\"initialize\":"), ELICIT_STATUS_INVALID_JSON);
    refuse_by_both(text(""), ELICIT_STATUS_INVALID_JSON);
    refuse_by_both(text("\"\xFF\""), ELICIT_STATUS_INVALID_UTF8);
    refuse_by_both(text("42"), ELICIT_STATUS_WRONG_SHAPE);
}

static void a_text_that_is_too_large_or_too_deep_is_refused(void) {
    // More than a report may have either: it is somewhat larger than the largest handshake.
    size_t len = 64u << 20;
    uint8_t *brackets = (uint8_t *)malloc(len);
    CHECK(brackets != NULL);
    if (!brackets) return;
    memset(brackets, '[', len);
    ElicitStr whole = {brackets, len}, start = {brackets, 1000};
    refuse_by_both(whole, ELICIT_STATUS_TOO_LARGE);
    refuse_by_both(start, ELICIT_STATUS_TOO_DEEP);
    free(brackets);
}

static void a_message_names_the_byte_that_is_wrong(void) {
    ElicitReport *report = NULL;
    ElicitError *error = NULL;
    CHECK_NUMBER(elicit_report_from_handshake(text("{\"initialize\":?}"), &report, &error),
                 ELICIT_STATUS_INVALID_JSON);
    CHECK_CONTAINS(elicit_error_message(error), text("14"));
    elicit_error_free(error);
}

static void a_missing_pointer_is_an_invalid_argument(void) {
    ElicitStr nowhere = {NULL, 5};
    refuse_by_both(nowhere, ELICIT_STATUS_INVALID_ARGUMENT);

    ElicitError *error = NULL;
    CHECK_NUMBER(elicit_report_from_handshake(text(HANDSHAKE), NULL, &error), ELICIT_STATUS_INVALID_ARGUMENT);
    CHECK(elicit_error_message(error).len > 0);
    elicit_error_free(error);

    error = NULL;
    ElicitReport *probed = NULL;
    CHECK_NUMBER(elicit_report_skip_probe(NULL, ELICIT_MODE_FORM, text("why"), &probed, &error),
                 ELICIT_STATUS_INVALID_ARGUMENT);
    CHECK(probed == NULL);
    CHECK(elicit_error_message(error).len > 0);
    elicit_error_free(error);
}

static void an_unknown_mode_is_an_invalid_argument(void) {
    const int32_t unknown[] = {INT32_MIN, -1, 0, 3, INT32_MAX};
    ElicitReport *report = report_of(HANDSHAKE);
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++) {
        ElicitReport *probed = NULL;
        ElicitError *error = NULL;
        CHECK_NUMBER(elicit_report_skip_probe(report, unknown[i], text("why"), &probed, &error),
                     ELICIT_STATUS_INVALID_ARGUMENT);
        CHECK(probed == NULL);
        CHECK(elicit_error_message(error).len > 0);
        elicit_error_free(error);
    }
    elicit_report_free(report);
}

static void a_finding_is_read_only_inside_the_list_and_into_a_known_size(void) {
    ElicitReport *report = report_of(HANDSHAKE);
    const ElicitFindings *findings = elicit_report_findings(report);
    size_t len = elicit_findings_len(findings);
    CHECK(len > 0);

    ElicitFinding finding = {0};
    finding.struct_size = sizeof finding;
    const size_t outside[] = {len, len + 1, SIZE_MAX};
    for (size_t i = 0; i < sizeof outside / sizeof *outside; i++) {
        ElicitError *error = NULL;
        CHECK_NUMBER(elicit_findings_get(findings, outside[i], &finding, &error), ELICIT_STATUS_INVALID_ARGUMENT);
        CHECK(elicit_error_message(error).len > 0);
        elicit_error_free(error);
    }
    CHECK_NUMBER(finding.code.len, 0);

    const uint32_t sizes[] = {0, 4, sizeof finding - 1, sizeof finding + 1, UINT32_MAX};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        ElicitError *error = NULL;
        finding.struct_size = sizes[i];
        CHECK_NUMBER(elicit_findings_get(findings, 0, &finding, &error), ELICIT_STATUS_INVALID_ARGUMENT);
        CHECK_NUMBER(finding.code.len, 0);
        CHECK(elicit_error_message(error).len > 0);
        elicit_error_free(error);
    }
    elicit_report_free(report);
}

static void a_call_after_an_error_works(void) {
    refuse_by_both(text("nonsense"), ELICIT_STATUS_INVALID_JSON);
    ElicitReport *report = report_of(HANDSHAKE);
    CHECK_NUMBER(elicit_report_support(report).elicitation, 0);
    elicit_report_free(report);
}

int main(void) {
    RUN(each_kind_of_bad_text_has_its_own_status);
    RUN(a_text_that_is_too_large_or_too_deep_is_refused);
    RUN(a_message_names_the_byte_that_is_wrong);
    RUN(a_missing_pointer_is_an_invalid_argument);
    RUN(an_unknown_mode_is_an_invalid_argument);
    RUN(a_finding_is_read_only_inside_the_list_and_into_a_known_size);
    RUN(a_call_after_an_error_works);
    return finish();
}
