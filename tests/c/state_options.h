// What the tests of states and of round trips seal with.
#ifndef ELICIT_TESTS_STATE_OPTIONS_H
#define ELICIT_TESTS_STATE_OPTIONS_H

#include "check.h"

enum { KEY = 32 };

// Two keys, one after another.
static const uint8_t KEYS[2 * KEY] = {1, 2, 3, 4, [KEY] = 5, 6, 7, 8};
static const uint64_t NOW = 1800000000000u;

static inline ElicitStateOptions state_options(void) {
    ElicitStateOptions options;
    memset(&options, 0, sizeof options);
    options.struct_size = sizeof options;
    options.keys = KEYS;
    options.key_count = 1;
    options.principal = text("alice");
    options.tool = text("book_table");
    options.arguments_json = text("{\"people\": 2, \"at\": \"noon\"}");
    options.lifetime_ms = 60000;
    options.now_ms = NOW;
    return options;
}

#endif
