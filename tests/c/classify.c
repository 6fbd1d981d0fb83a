// The verdict on what came back from a host, row by row.
#include "check.h"

static void an_answer_is_judged_by_action_and_latency(void) {
    static const struct {
        int32_t action;
        uint64_t latency_ms;
        uint8_t timed_out, errored;
        ElicitVerdict expected;
    } rows[] = {
        {ELICIT_ACTION_ACCEPT, 0, 0, 0, ELICIT_VERDICT_WORKING},
        {ELICIT_ACTION_ACCEPT, UINT64_MAX, 0, 0, ELICIT_VERDICT_WORKING},
        {ELICIT_ACTION_DECLINE, 1999, 0, 0, ELICIT_VERDICT_ADVERTISED_BUT_AUTOCANCELED},
        {ELICIT_ACTION_CANCEL, 0, 0, 0, ELICIT_VERDICT_ADVERTISED_BUT_AUTOCANCELED},
        {ELICIT_ACTION_DECLINE, 2000, 0, 0, ELICIT_VERDICT_USER_DECLINED},
        {ELICIT_ACTION_CANCEL, UINT64_MAX, 0, 0, ELICIT_VERDICT_USER_DECLINED},
        {ELICIT_ACTION_ACCEPT, 5, 0, 1, ELICIT_VERDICT_UNSUPPORTED},
        {0, 5, 0, 0, ELICIT_VERDICT_UNSUPPORTED},
        {INT32_MIN, 5, 0, 0, ELICIT_VERDICT_UNSUPPORTED},
        {INT32_MAX, 5, 0, 0, ELICIT_VERDICT_UNSUPPORTED},
        {0, 40000, 1, 0, ELICIT_VERDICT_ADVERTISED_BUT_UNANSWERED},
        {ELICIT_ACTION_ACCEPT, 5, 1, 1, ELICIT_VERDICT_ADVERTISED_BUT_UNANSWERED},
        {ELICIT_ACTION_ACCEPT, 5, 255, 255, ELICIT_VERDICT_ADVERTISED_BUT_UNANSWERED},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        ElicitVerdict verdict =
            elicit_classify(rows[i].action, rows[i].latency_ms, rows[i].timed_out, rows[i].errored);
        CHECK_NUMBER(verdict, rows[i].expected);
        if (verdict != rows[i].expected) printf("    in row %u\n", (unsigned)i);
    }
}

static void each_verdict_has_its_name(void) {
    CHECK_TEXT(elicit_verdict_name(ELICIT_VERDICT_WORKING), text("working"));
    CHECK_TEXT(elicit_verdict_name(ELICIT_VERDICT_USER_DECLINED), text("user_declined"));
    CHECK_TEXT(elicit_verdict_name(ELICIT_VERDICT_ADVERTISED_BUT_AUTOCANCELED), text("advertised_but_autocanceled"));
    CHECK_TEXT(elicit_verdict_name(ELICIT_VERDICT_ADVERTISED_BUT_UNANSWERED), text("advertised_but_unanswered"));
    CHECK_TEXT(elicit_verdict_name(ELICIT_VERDICT_UNSUPPORTED), text("unsupported"));
}

static void an_unknown_verdict_has_an_empty_name(void) {
    const int32_t unknown[] = {INT32_MIN, -1, 0, 6, INT32_MAX};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        CHECK_TEXT(elicit_verdict_name(unknown[i]), text(""));
}

int main(void) {
    RUN(an_answer_is_judged_by_action_and_latency);
    RUN(each_verdict_has_its_name);
    RUN(an_unknown_verdict_has_an_empty_name);
    return finish();
}
