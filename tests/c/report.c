// What a report says, and how long what it says lives.
#include "check.h"

static const char FORM_AND_URL[] =
    "{\"initialize\":{\"request\":{\"protocolVersion\":\"2025-11-25\","
    "\"capabilities\":{\"sampling\":{},\"elicitation\":{\"form\":{},\"url\":{}}},"
    "\"clientInfo\":{\"name\":\"a host\",\"version\":\"1\"}},"
    "\"response\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"tools\":{}},"
    "\"serverInfo\":{\"name\":\"a server\",\"version\":\"1\"}}}}";

static const char ELICITATION_TRUE[] =
    "{\"initialize\":{\"request\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{\"elicitation\":true},"
    "\"clientInfo\":{\"name\":\"a host\",\"version\":\"1\"}},"
    "\"response\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
    "\"serverInfo\":{\"name\":\"a server\",\"version\":\"1\"}}}}";

static void the_header_and_the_library_are_of_one_abi(void) {
    CHECK_NUMBER(elicit_abi_version() >> 16, 1);
    CHECK_CONTAINS(elicit_version(), text("."));
}

static void what_the_host_declared_is_supported(void) {
    ElicitReport *report = report_of(FORM_AND_URL);
    ElicitSupport support = elicit_report_support(report);
    CHECK_NUMBER(support.elicitation, 1);
    CHECK_NUMBER(support.elicitation_form, 1);
    CHECK_NUMBER(support.elicitation_url, 1);
    CHECK_NUMBER(support.sampling, 1);
    CHECK_NUMBER(support.roots, 0);
    CHECK_TEXT(elicit_report_revision(report), text("2025-11-25"));
    CHECK_NUMBER(elicit_report_delivery(report), ELICIT_DELIVERY_REQUEST);
    elicit_report_free(report);
}

static void the_handshake_is_echoed_byte_for_byte(void) {
    const char *capabilities =
        "{\"z\":12345678901234567890.50, \"elicitation\": { },  \"x-unknown\":[1e3,\"caf\\u00e9\",\"\xC3\xA9\",null]}";
    char handshake[512];
    snprintf(handshake, sizeof handshake,
             "{\"initialize\":{\"request\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":%s,"
             "\"clientInfo\":{\"name\":\"a host\",\"version\":\"1\"}}}}",
             capabilities);
    ElicitReport *report = report_of(handshake);
    CHECK_CONTAINS(elicit_report_json(report), text(capabilities));
    elicit_report_free(report);
}

static void an_oddity_of_the_host_is_a_finding_with_its_place(void) {
    ElicitReport *report = report_of(ELICITATION_TRUE);
    const ElicitFindings *findings = elicit_report_findings(report);
    int seen = 0;
    for (size_t index = 0; index < elicit_findings_len(findings); index++) {
        ElicitFinding finding = {0};
        finding.struct_size = sizeof finding;
        ElicitError *error = NULL;
        CHECK_NUMBER(elicit_findings_get(findings, index, &finding, &error), ELICIT_STATUS_OK);
        CHECK(error == NULL);
        CHECK(finding.message.len > 0);
        if (equal(finding.code, text("elicitation_not_an_object"))) {
            seen++;
            CHECK_NUMBER(finding.severity, ELICIT_SEVERITY_ERROR);
            CHECK_TEXT(finding.path, text("/initialize/request/capabilities/elicitation"));
            CHECK_CONTAINS(elicit_report_json(report), finding.code);
        }
    }
    CHECK_NUMBER(seen, 1);
    CHECK_NUMBER(elicit_report_support(report).elicitation, 0);
    elicit_report_free(report);
}

static void raw_messages_give_the_report_of_their_exchange(void) {
    ElicitReport *report = report_of(
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-11-25\","
        "\"capabilities\":{\"elicitation\":{\"url\":{}}},\"clientInfo\":{\"name\":\"a host\",\"version\":\"1\"}}}\n"
        "{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{},"
        "\"serverInfo\":{\"name\":\"a server\",\"version\":\"1\"}}}\n");
    ElicitSupport support = elicit_report_support(report);
    CHECK_NUMBER(support.elicitation, 1);
    CHECK_NUMBER(support.elicitation_form, 0);
    CHECK_NUMBER(support.elicitation_url, 1);
    CHECK_TEXT(elicit_report_revision(report), text("2025-11-25"));
    elicit_report_free(report);
}

static void capabilities_of_one_request_are_asked_by_input_required(void) {
    ElicitReport *report = report_of(
        "{\"perRequest\":{\"request\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
        "\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{}}}}}}");
    CHECK_NUMBER(elicit_report_support(report).elicitation_form, 1);
    CHECK_TEXT(elicit_report_revision(report), text("2026-07-28"));
    CHECK_NUMBER(elicit_report_delivery(report), ELICIT_DELIVERY_INPUT_REQUIRED);
    elicit_report_free(report);
}

static void a_stateless_server_cannot_ask_in_the_initialize_era(void) {
    char handshake[1024];
    snprintf(handshake, sizeof handshake, "{\"transport\":{\"stateless\":true},%s", FORM_AND_URL + 1);
    ElicitReport *report = report_of(handshake);
    CHECK_NUMBER(elicit_report_support(report).elicitation_form, 1);
    CHECK_NUMBER(elicit_report_delivery(report), ELICIT_DELIVERY_NONE);
    elicit_report_free(report);
}

static void a_report_reads_its_own_json_again(void) {
    ElicitReport *report = report_of(ELICITATION_TRUE);
    ElicitReport *again = NULL;
    ElicitError *error = NULL;
    CHECK_NUMBER(elicit_report_parse(elicit_report_json(report), &again, &error), ELICIT_STATUS_OK);
    CHECK_TEXT(elicit_error_message(error), text(""));
    CHECK_TEXT(elicit_report_json(again), elicit_report_json(report));
    CHECK_NUMBER(elicit_findings_len(elicit_report_findings(again)),
                 elicit_findings_len(elicit_report_findings(report)));
    elicit_report_free(report);
    elicit_report_free(again);
}

static void a_skipped_probe_is_told_in_a_copy_that_outlives_the_report(void) {
    ElicitReport *report = report_of(FORM_AND_URL);
    ElicitReport *form = NULL, *both = NULL;
    ElicitError *error = NULL;
    CHECK_NUMBER(elicit_report_skip_probe(report, ELICIT_MODE_FORM, text("not \"now\""), &form, &error),
                 ELICIT_STATUS_OK);
    CHECK(!contains(elicit_report_json(report), text("\"probes\"")));
    elicit_report_free(report);
    CHECK_CONTAINS(elicit_report_json(form), text("\"elicitationForm\""));
    CHECK_CONTAINS(elicit_report_json(form), text("not \\\"now\\\""));
    CHECK_NUMBER(elicit_report_skip_probe(form, ELICIT_MODE_URL, text("nor here"), &both, &error), ELICIT_STATUS_OK);
    elicit_report_free(form);
    CHECK_CONTAINS(elicit_report_json(both), text("\"elicitationForm\""));
    CHECK_CONTAINS(elicit_report_json(both), text("\"elicitationUrl\""));
    CHECK_CONTAINS(elicit_report_json(both), text("nor here"));
    CHECK_TEXT(elicit_report_revision(both), text("2025-11-25"));
    elicit_report_free(both);
    CHECK(error == NULL);
}

static void the_input_is_borrowed_for_the_call_and_ends_at_its_length(void) {
    char buffer[sizeof FORM_AND_URL + 8];
    memset(buffer, '}', sizeof buffer);
    memcpy(buffer, FORM_AND_URL, sizeof FORM_AND_URL - 1);
    ElicitStr handshake = {(const uint8_t *)buffer, sizeof FORM_AND_URL - 1};
    ElicitReport *report = NULL;
    CHECK_NUMBER(elicit_report_from_handshake(handshake, &report, NULL), ELICIT_STATUS_OK);
    memset(buffer, 0, sizeof buffer);
    CHECK_CONTAINS(elicit_report_json(report), text("\"name\":\"a host\""));
    CHECK_TEXT(elicit_report_revision(report), text("2025-11-25"));
    elicit_report_free(report);
}

static void nothing_is_asked_of_null(void) {
    ElicitSupport support = elicit_report_support(NULL);
    CHECK_NUMBER(support.elicitation + support.elicitation_form + support.elicitation_url + support.sampling +
                     support.roots,
                 0);
    CHECK_NUMBER(elicit_report_revision(NULL).len, 0);
    CHECK_NUMBER(elicit_report_delivery(NULL), ELICIT_DELIVERY_NONE);
    CHECK_NUMBER(elicit_report_json(NULL).len, 0);
    CHECK_NUMBER(elicit_findings_len(elicit_report_findings(NULL)), 0);
    CHECK_NUMBER(elicit_findings_len(NULL), 0);
    CHECK_NUMBER(elicit_error_status(NULL), ELICIT_STATUS_OK);
    CHECK_NUMBER(elicit_error_message(NULL).len, 0);
    elicit_report_free(NULL);
    elicit_error_free(NULL);
}

int main(void) {
    RUN(the_header_and_the_library_are_of_one_abi);
    RUN(what_the_host_declared_is_supported);
    RUN(the_handshake_is_echoed_byte_for_byte);
    RUN(an_oddity_of_the_host_is_a_finding_with_its_place);
    RUN(raw_messages_give_the_report_of_their_exchange);
    RUN(capabilities_of_one_request_are_asked_by_input_required);
    RUN(a_stateless_server_cannot_ask_in_the_initialize_era);
    RUN(a_report_reads_its_own_json_again);
    RUN(a_skipped_probe_is_told_in_a_copy_that_outlives_the_report);
    RUN(the_input_is_borrowed_for_the_call_and_ends_at_its_length);
    RUN(nothing_is_asked_of_null);
    return finish();
}
