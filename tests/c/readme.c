#include <stdio.h>
#include <string.h>

#include "elicit_doctor.h"

int main(void) {
    const char *handshake =
        "{\"initialize\":{\"request\":{\"clientInfo\":{\"name\":\"host\",\"version\":\"1\"},"
        "\"capabilities\":{\"elicitation\":{\"form\":{}}}},"
        "\"response\":{\"protocolVersion\":\"2025-11-25\",\"capabilities\":{}}}}";
    ElicitStr text = {(const uint8_t *)handshake, strlen(handshake)};
    ElicitReport *report = NULL;
    ElicitError *error = NULL;

    if (elicit_report_from_handshake(text, &report, &error) != ELICIT_STATUS_OK) {
        ElicitStr message = elicit_error_message(error);
        fprintf(stderr, "%.*s\n", (int)message.len, (const char *)message.ptr);
        elicit_error_free(error);
        return 1;
    }
    if (elicit_report_support(report).elicitation_form) {
        puts("this host declares forms");
    }
    elicit_report_free(report);
    return 0;
}
