// What every test program here needs: checks that tell both values, and the count that `cargo xtask test` reads.
// C99 and C++17.
#ifndef ELICIT_TESTS_CHECK_H
#define ELICIT_TESTS_CHECK_H

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "elicit_doctor.h"

static int tests_passed, tests_failed, checks_failed;

static inline ElicitStr text(const char *string) {
    ElicitStr str;
    str.ptr = (const uint8_t *)string;
    str.len = strlen(string);
    return str;
}

static inline int equal(ElicitStr left, ElicitStr right) {
    return left.len == right.len && (left.len == 0 || memcmp(left.ptr, right.ptr, left.len) == 0);
}

static inline int contains(ElicitStr whole, ElicitStr part) {
    for (size_t at = 0; at + part.len <= whole.len; at++)
        if (memcmp(whole.ptr + at, part.ptr, part.len) == 0) return 1;
    return 0;
}

static inline void check(int holds, const char *file, int line, const char *condition) {
    if (holds) return;
    checks_failed++;
    printf("%s:%d: does not hold: %s\n", file, line, condition);
}

static inline void check_number(long long actual, long long expected, const char *file, int line, const char *what) {
    if (actual == expected) return;
    checks_failed++;
    printf("%s:%d: %s is %lld instead of %lld\n", file, line, what, actual, expected);
}

static inline void check_text(int holds, ElicitStr actual, ElicitStr expected, const char *relation, const char *file,
                              int line, const char *what) {
    if (holds) return;
    checks_failed++;
    printf("%s:%d: %s %s \"%.*s\", but is \"%.*s\"\n", file, line, what, relation, (int)expected.len,
           expected.len ? (const char *)expected.ptr : "", (int)actual.len, actual.len ? (const char *)actual.ptr : "");
}

#define CHECK(condition) check((condition) ? 1 : 0, __FILE__, __LINE__, #condition)
#define CHECK_NUMBER(actual, expected) \
    check_number((long long)(actual), (long long)(expected), __FILE__, __LINE__, #actual)
#define CHECK_TEXT(actual, expected) \
    check_text(equal(actual, expected), actual, expected, "must be", __FILE__, __LINE__, #actual)
#define CHECK_CONTAINS(actual, part) \
    check_text(contains(actual, part), actual, part, "must contain", __FILE__, __LINE__, #actual)

static inline void run(const char *name, void (*test)(void)) {
    checks_failed = 0;
    test();
    if (checks_failed) {
        tests_failed++;
        printf("FAILED %s\n", name);
    } else {
        tests_passed++;
    }
}

#define RUN(test) run(#test, test)

static inline int finish(void) {
    printf("%d passed, %d failed\n", tests_passed, tests_failed);
    return tests_failed != 0;
}

// The report of a handshake that the library must accept.
static inline ElicitReport *report_of(const char *handshake) {
    ElicitReport *report = NULL;
    ElicitError *error = NULL;
    ElicitStatus status = elicit_report_from_handshake(text(handshake), &report, &error);
    CHECK_NUMBER(status, ELICIT_STATUS_OK);
    CHECK_TEXT(elicit_error_message(error), text(""));
    CHECK(report != NULL);
    elicit_error_free(error);
    return report;
}

#endif
