// State that travels through the client: what was sealed opens again, and every other state is refused with its reason.
#include "state_options.h"

static const char PAYLOAD[] = "asked \xFF once";

static ElicitBuffer *seal(const ElicitStateOptions *options) {
    ElicitBuffer *state = NULL;
    ElicitError *error = NULL;
    CHECK_NUMBER(elicit_state_seal(options, text(PAYLOAD), &state, &error), ELICIT_STATUS_OK);
    CHECK_TEXT(elicit_error_message(error), text(""));
    CHECK(state != NULL);
    return state;
}

static void check_opens(const ElicitStateOptions *options, ElicitStr state) {
    ElicitBuffer *payload = NULL;
    ElicitError *error = NULL;
    CHECK_NUMBER(elicit_state_open(options, state, &payload, &error), ELICIT_STATUS_OK);
    CHECK_TEXT(elicit_error_message(error), text(""));
    CHECK_TEXT(elicit_buffer_text(payload), text(PAYLOAD));
    elicit_buffer_free(payload);
}

static void check_refused(const ElicitStateOptions *options, ElicitStr state, ElicitStatus expected) {
    ElicitBuffer *payload = NULL;
    ElicitError *error = NULL;
    CHECK_NUMBER(elicit_state_open(options, state, &payload, &error), expected);
    CHECK(payload == NULL);
    CHECK_NUMBER(elicit_error_status(error), expected);
    CHECK(elicit_error_message(error).len > 0);
    elicit_error_free(error);
    CHECK_NUMBER(elicit_state_open(options, state, &payload, NULL), expected);
}

static void a_state_opens_with_what_it_was_sealed_with(void) {
    ElicitStateOptions options = state_options();
    ElicitBuffer *state = seal(&options);
    check_opens(&options, elicit_buffer_text(state));
    options.arguments_json = text("{\"at\":\"\\u006eoon\",\"people\":2}");
    options.now_ms += options.lifetime_ms - 1;
    check_opens(&options, elicit_buffer_text(state));
    elicit_buffer_free(state);
}

static void a_state_has_only_letters_that_travel(void) {
    ElicitStateOptions options = state_options();
    ElicitBuffer *state = seal(&options);
    ElicitStr str = elicit_buffer_text(state);
    CHECK(str.len > 0);
    for (size_t i = 0; i < str.len; i++) {
        const uint8_t byte = str.ptr[i];
        CHECK((byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') || (byte >= '0' && byte <= '9') ||
              byte == '-' || byte == '_');
    }
    elicit_buffer_free(state);
}

static void a_state_that_was_changed_anywhere_is_refused(void) {
    ElicitStateOptions options = state_options();
    ElicitBuffer *state = seal(&options);
    ElicitStr str = elicit_buffer_text(state);
    char changed[512];
    CHECK(str.len < sizeof changed);
    // The last letter has bits that no byte has.
    for (size_t i = 0; i + 1 < str.len; i++) {
        memcpy(changed, str.ptr, str.len);
        changed[i] = changed[i] == 'A' ? 'B' : 'A';
        ElicitStr whole = {(const uint8_t *)changed, str.len};
        ElicitBuffer *payload = NULL;
        const ElicitStatus status = elicit_state_open(&options, whole, &payload, NULL);
        CHECK(status == ELICIT_STATUS_STATE_FORGED || status == ELICIT_STATUS_STATE_MALFORMED);
        CHECK(payload == NULL);
    }
    changed[str.len / 2] = '!';
    ElicitStr strange = {(const uint8_t *)changed, str.len};
    check_refused(&options, strange, ELICIT_STATUS_STATE_MALFORMED);
    elicit_buffer_free(state);
}

static void a_part_of_a_state_is_refused(void) {
    ElicitStateOptions options = state_options();
    ElicitBuffer *state = seal(&options);
    ElicitStr part = elicit_buffer_text(state);
    while (part.len > 0) {
        part.len--;
        check_refused(&options, part, ELICIT_STATUS_STATE_MALFORMED);
    }
    elicit_buffer_free(state);
}

static void a_state_is_refused_for_each_thing_that_is_another(void) {
    ElicitStateOptions options = state_options();
    ElicitBuffer *state = seal(&options);
    ElicitStr str = elicit_buffer_text(state);

    ElicitStateOptions other = options;
    other.keys = KEYS + KEY;
    check_refused(&other, str, ELICIT_STATUS_STATE_FORGED);

    other = options;
    other.now_ms += other.lifetime_ms;
    check_refused(&other, str, ELICIT_STATUS_STATE_EXPIRED);

    other = options;
    other.principal = text("mallory");
    check_refused(&other, str, ELICIT_STATUS_STATE_FOREIGN);

    other = options;
    other.tool = text("book_room");
    check_refused(&other, str, ELICIT_STATUS_STATE_FOREIGN);

    // The same letters, divided elsewhere.
    other = options;
    other.principal = text("alicebook");
    other.tool = text("_table");
    check_refused(&other, str, ELICIT_STATUS_STATE_FOREIGN);

    other = options;
    other.arguments_json = text("{\"people\": 20, \"at\": \"noon\"}");
    check_refused(&other, str, ELICIT_STATUS_STATE_OTHER_ARGUMENTS);
    other.arguments_json = text("");
    check_refused(&other, str, ELICIT_STATUS_STATE_OTHER_ARGUMENTS);
    elicit_buffer_free(state);
}

static void a_key_can_be_rotated(void) {
    ElicitStateOptions options = state_options();
    options.keys = KEYS + KEY;
    ElicitBuffer *old = seal(&options);
    options.keys = KEYS;
    options.key_count = 2;
    ElicitBuffer *young = seal(&options);
    check_opens(&options, elicit_buffer_text(old));
    check_opens(&options, elicit_buffer_text(young));
    options.key_count = 1;
    check_refused(&options, elicit_buffer_text(old), ELICIT_STATUS_STATE_FORGED);
    elicit_buffer_free(old);
    elicit_buffer_free(young);
}

static void the_default_clock_and_lifetime_serve(void) {
    ElicitStateOptions options = state_options();
    options.now_ms = 0;
    options.lifetime_ms = 0;
    ElicitBuffer *state = seal(&options);
    check_opens(&options, elicit_buffer_text(state));
    elicit_buffer_free(state);
}

static void what_cannot_be_sealed_says_why(void) {
    ElicitStateOptions bad[5];
    const ElicitStatus expected[] = {ELICIT_STATUS_INVALID_ARGUMENT, ELICIT_STATUS_INVALID_ARGUMENT,
                                     ELICIT_STATUS_INVALID_ARGUMENT, ELICIT_STATUS_INVALID_UTF8,
                                     ELICIT_STATUS_INVALID_JSON};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) bad[i] = state_options();
    bad[0].struct_size = 4;
    bad[1].key_count = 0;
    bad[2].keys = NULL;
    bad[3].principal = text("\xFF");
    bad[4].arguments_json = text("{");
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ElicitBuffer *state = NULL;
        ElicitError *error = NULL;
        CHECK_NUMBER(elicit_state_seal(&bad[i], text(PAYLOAD), &state, &error), expected[i]);
        CHECK(state == NULL);
        CHECK(elicit_error_message(error).len > 0);
        elicit_error_free(error);
    }
    ElicitBuffer *state = NULL;
    CHECK_NUMBER(elicit_state_seal(NULL, text(PAYLOAD), &state, NULL), ELICIT_STATUS_INVALID_ARGUMENT);
    CHECK_TEXT(elicit_buffer_text(NULL), text(""));
    elicit_buffer_free(NULL);
}

int main(void) {
    RUN(a_state_opens_with_what_it_was_sealed_with);
    RUN(a_state_has_only_letters_that_travel);
    RUN(a_state_that_was_changed_anywhere_is_refused);
    RUN(a_part_of_a_state_is_refused);
    RUN(a_state_is_refused_for_each_thing_that_is_another);
    RUN(a_key_can_be_rotated);
    RUN(the_default_clock_and_lifetime_serve);
    RUN(what_cannot_be_sealed_says_why);
    return finish();
}
