// The probe over two requests: the client carries the state, and any instance that has the key finishes the probe.
#include "state_options.h"

static const char HANDSHAKE[] =
    "{\"perRequest\":{\"request\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
    "\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{\"form\":{},\"url\":{}}},"
    "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"a host\",\"version\":\"1\"}}}}}";
static const char SILENT[] =
    "{\"perRequest\":{\"request\":{\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
    "\"io.modelcontextprotocol/clientCapabilities\":{},"
    "\"io.modelcontextprotocol/clientInfo\":{\"name\":\"a host\",\"version\":\"1\"}}}}}";

static ElicitRoundTripOptions options_of(const ElicitStateOptions *state) {
    ElicitRoundTripOptions options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.mode = ELICIT_MODE_FORM;
    options.state = state;
    return options;
}

// The first pass, and the state of its result, as the client would echo it.
static void begin(const ElicitReport *report, const ElicitRoundTripOptions *options, char *state, size_t size) {
    static const char KEY_OF_STATE[] = "\"requestState\":\"";
    ElicitBuffer *result = NULL;
    ElicitReport *skipped = NULL;
    ElicitError *error = NULL;
    CHECK_NUMBER(elicit_round_trip_begin(report, options, &result, &skipped, &error), ELICIT_STATUS_OK);
    CHECK_TEXT(elicit_error_message(error), text(""));
    CHECK(skipped == NULL);
    ElicitStr json = elicit_buffer_text(result);
    CHECK_CONTAINS(json, text("\"resultType\":\"input_required\""));
    CHECK_CONTAINS(json, text("\"elicit_doctor\":{\"method\":\"elicitation/create\""));
    CHECK_CONTAINS(json, text(KEY_OF_STATE));
    state[0] = 0;
    const size_t key = sizeof KEY_OF_STATE - 1;
    for (size_t at = 0; at + key < json.len; at++) {
        if (memcmp(json.ptr + at, KEY_OF_STATE, key) != 0) continue;
        size_t len = 0;
        while (at + key + len < json.len && json.ptr[at + key + len] != '"' && len + 1 < size) len++;
        memcpy(state, json.ptr + at + key, len);
        state[len] = 0;
    }
    elicit_buffer_free(result);
}

static ElicitStatus resume(const ElicitReport *report, const ElicitRoundTripOptions *options, const char *state,
                           const char *responses, ElicitReport **probed) {
    char params[2048];
    snprintf(params, sizeof params, "{\"name\":\"book_table\",\"requestState\":\"%s\"%s%s}", state,
             responses ? ",\"inputResponses\":" : "", responses ? responses : "");
    return elicit_round_trip_resume(report, options, text(params), probed, NULL);
}

static void the_answer_of_the_repeated_request_is_judged_by_the_time_in_the_state(void) {
    static const struct {
        uint64_t later_ms;
        const char *responses, *expected;
    } rows[] = {
        {2500, "{\"elicit_doctor\":{\"action\":\"accept\",\"content\":{\"value\":\"ok\"}}}",
         "\"action\":\"accept\",\"latencyMs\":2500,\"data\":\"ok\",\"verdict\":\"working\",\"answeredBy\":\"person\""},
        {2000, "{\"elicit_doctor\":{\"action\":\"decline\"}}",
         "\"latencyMs\":2000,\"data\":null,\"verdict\":\"user_declined\",\"answeredBy\":\"person\""},
        {8, "{\"elicit_doctor\":{\"action\":\"cancel\"}}",
         "\"latencyMs\":8,\"data\":null,\"verdict\":\"advertised_but_autocanceled\",\"answeredBy\":\"machine\""},
        {59999, "{\"elicit_doctor\":[]}", "\"verdict\":\"unsupported\""},
    };
    ElicitReport *report = report_of(HANDSHAKE);
    CHECK_NUMBER(elicit_report_delivery(report), ELICIT_DELIVERY_INPUT_REQUIRED);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char state[1024];
        ElicitStateOptions state_of_first = state_options(), state_of_second = state_options();
        ElicitRoundTripOptions first = options_of(&state_of_first), second = options_of(&state_of_second);
        begin(report, &first, state, sizeof state);
        state_of_second.now_ms += rows[i].later_ms;
        ElicitReport *probed = NULL;
        CHECK_NUMBER(resume(report, &second, state, rows[i].responses, &probed), ELICIT_STATUS_OK);
        CHECK_CONTAINS(elicit_report_json(probed), text(rows[i].expected));
        elicit_report_free(probed);
    }
    elicit_report_free(report);
}

static void a_host_that_must_not_be_asked_is_not(void) {
    ElicitStateOptions state = state_options();
    ElicitRoundTripOptions options = options_of(&state);
    ElicitReport *report = report_of(SILENT), *skipped = NULL;
    ElicitBuffer *result = NULL;
    CHECK_NUMBER(elicit_round_trip_begin(report, &options, &result, &skipped, NULL), ELICIT_STATUS_OK);
    CHECK(result == NULL);
    CHECK_CONTAINS(elicit_report_json(skipped),
                   text("{\"attempted\":false,\"reason\":\"client did not advertise elicitation\"}"));
    elicit_report_free(skipped);
    elicit_report_free(report);
}

static void a_repeated_request_is_refused_with_its_reason(void) {
    static const char ACCEPT[] = "{\"elicit_doctor\":{\"action\":\"accept\",\"content\":{\"value\":\"ok\"}}}";
    char state[1024];
    ElicitStateOptions first_state = state_options();
    ElicitRoundTripOptions first = options_of(&first_state);
    ElicitReport *report = report_of(HANDSHAKE), *probed = NULL;
    begin(report, &first, state, sizeof state);

    CHECK_NUMBER(resume(report, &first, state, NULL, &probed), ELICIT_STATUS_NOT_ANSWERED);
    CHECK(probed == NULL);
    CHECK_NUMBER(resume(report, &first, state, "{\"another\":{}}", &probed), ELICIT_STATUS_NOT_ANSWERED);
    CHECK_NUMBER(resume(report, &first, state, "[]", &probed), ELICIT_STATUS_WRONG_SHAPE);
    CHECK_NUMBER(resume(report, &first, "c3RhdGU", ACCEPT, &probed), ELICIT_STATUS_STATE_MALFORMED);
    CHECK_NUMBER(elicit_round_trip_resume(report, &first, text("{"), &probed, NULL), ELICIT_STATUS_INVALID_JSON);
    CHECK_NUMBER(elicit_round_trip_resume(report, &first, text("{}"), &probed, NULL), ELICIT_STATUS_NOT_ANSWERED);

    ElicitStateOptions other = first_state;
    const ElicitRoundTripOptions second = options_of(&other);
    other.keys = KEYS + KEY;
    CHECK_NUMBER(resume(report, &second, state, ACCEPT, &probed), ELICIT_STATUS_STATE_FORGED);
    other = first_state;
    other.now_ms += other.lifetime_ms;
    CHECK_NUMBER(resume(report, &second, state, ACCEPT, &probed), ELICIT_STATUS_STATE_EXPIRED);
    other = first_state;
    other.principal = text("mallory");
    CHECK_NUMBER(resume(report, &second, state, ACCEPT, &probed), ELICIT_STATUS_STATE_FOREIGN);
    other = first_state;
    other.arguments_json = text("{}");
    CHECK_NUMBER(resume(report, &second, state, ACCEPT, &probed), ELICIT_STATUS_STATE_OTHER_ARGUMENTS);
    CHECK(probed == NULL);

    // None of that used it up: the client may still answer.
    other = first_state;
    CHECK_NUMBER(resume(report, &second, state, ACCEPT, &probed), ELICIT_STATUS_OK);
    elicit_report_free(probed);
    elicit_report_free(report);
}

static void a_page_is_asked_for_by_its_url(void) {
    char state[1024];
    ElicitStateOptions state_of = state_options();
    ElicitRoundTripOptions options = options_of(&state_of);
    ElicitReport *report = report_of(HANDSHAKE), *probed = NULL, *visited = NULL;
    options.mode = ELICIT_MODE_URL;
    options.url = text("http://127.0.0.1:8080/probe/1");
    begin(report, &options, state, sizeof state);
    CHECK_NUMBER(resume(report, &options, state, "{\"elicit_doctor\":{\"action\":\"accept\"}}", &probed),
                 ELICIT_STATUS_OK);
    CHECK_NUMBER(elicit_report_with_visit(probed, 1, &visited, NULL), ELICIT_STATUS_OK);
    CHECK_CONTAINS(elicit_report_json(visited), text("\"elicitationUrl\":{\"attempted\":true,\"action\":\"accept\""));
    CHECK_CONTAINS(elicit_report_json(visited), text("\"visited\":true"));
    elicit_report_free(visited);

    options.url = text("http://a.host/probe");
    ElicitBuffer *result = NULL;
    ElicitReport *skipped = NULL;
    CHECK_NUMBER(elicit_round_trip_begin(report, &options, &result, &skipped, NULL), ELICIT_STATUS_INVALID_ARGUMENT);
    elicit_report_free(probed);
    elicit_report_free(report);
}

static void a_missing_pointer_is_an_invalid_argument(void) {
    ElicitStateOptions state = state_options();
    ElicitRoundTripOptions options = options_of(&state), bad = options;
    ElicitReport *report = report_of(HANDSHAKE), *skipped = NULL, *probed = NULL;
    ElicitBuffer *result = NULL;
    const ElicitStatus invalid = ELICIT_STATUS_INVALID_ARGUMENT;
    CHECK_NUMBER(elicit_round_trip_begin(NULL, &options, &result, &skipped, NULL), invalid);
    CHECK_NUMBER(elicit_round_trip_begin(report, NULL, &result, &skipped, NULL), invalid);
    CHECK_NUMBER(elicit_round_trip_begin(report, &options, NULL, &skipped, NULL), invalid);
    CHECK_NUMBER(elicit_round_trip_begin(report, &options, &result, NULL, NULL), invalid);
    bad.state = NULL;
    CHECK_NUMBER(elicit_round_trip_begin(report, &bad, &result, &skipped, NULL), invalid);
    CHECK_NUMBER(elicit_round_trip_resume(NULL, &options, text("{}"), &probed, NULL), invalid);
    CHECK_NUMBER(elicit_round_trip_resume(report, NULL, text("{}"), &probed, NULL), invalid);
    CHECK_NUMBER(elicit_round_trip_resume(report, &options, text("{}"), NULL, NULL), invalid);
    CHECK(result == NULL && skipped == NULL && probed == NULL);
    elicit_report_free(report);
}

int main(void) {
    RUN(the_answer_of_the_repeated_request_is_judged_by_the_time_in_the_state);
    RUN(a_host_that_must_not_be_asked_is_not);
    RUN(a_repeated_request_is_refused_with_its_reason);
    RUN(a_page_is_asked_for_by_its_url);
    RUN(a_missing_pointer_is_an_invalid_argument);
    return finish();
}
