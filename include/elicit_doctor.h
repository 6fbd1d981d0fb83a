/*
 * elicit-doctor: what an MCP host declares about elicitation, what it really does, and what a server may ask.
 * Generated from src/ffi by `BLESS=1 cargo test --test generated`; do not edit.
 *
 * The rules that every function keeps:
 *
 * - Text is an ElicitStr: UTF-8, borrowed, not NUL-terminated. What goes in is borrowed for the call; what comes out
 *   lives as long as the object it came from.
 * - A function that can fail returns an ElicitStatus, 0 for success, and takes as its last argument a place for an
 *   error object, which may be NULL. On failure the place gets an error that the caller reads and frees, on success
 *   NULL. The places for other results get NULL on failure.
 * - Objects are opaque, belong to the caller who got them through a place, and are freed by their own _free function,
 *   which accepts NULL. What a function returns as a pointer to const is borrowed and not freed.
 * - A report is immutable: threads may share it freely. No function keeps a lock or waits.
 * - Booleans are uint8_t, 0 for false. Enumerations are int32_t; a number that is none of them is an error, never
 *   undefined behaviour. A struct that begins with struct_size has it set by the caller to sizeof; later versions
 *   append members.
 * - No panic leaves the library, and one inside harms no other call. The library has no global state, installs no
 *   signal handler, prints nothing and reads no environment variable.
 * - elicit_abi_version() tells whether the library that was loaded fits this header.
 */


#ifndef ELICIT_DOCTOR_H
#define ELICIT_DOCTOR_H

#include <stddef.h>
#include <stdint.h>

/**
 * Major version of the ABI: a change breaks callers.
 */
#define ELICIT_ABI_VERSION_MAJOR 1

/**
 * Minor version of the ABI: a change adds functions, values or members at the end of a struct.
 */
#define ELICIT_ABI_VERSION_MINOR 0

/**
 * How a call ended.
 */
enum ElicitStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * It did what it says.
   */
  ELICIT_STATUS_OK = 0,
  /**
   * An argument is NULL where it must not be, a number is none of its enumeration, or a struct has another size.
   */
  ELICIT_STATUS_INVALID_ARGUMENT = 1,
  /**
   * A text is not UTF-8.
   */
  ELICIT_STATUS_INVALID_UTF8 = 2,
  /**
   * A text is not JSON; the message names the byte.
   */
  ELICIT_STATUS_INVALID_JSON = 3,
  /**
   * A text is longer than the call reads.
   */
  ELICIT_STATUS_TOO_LARGE = 4,
  /**
   * A text nests deeper than the call reads.
   */
  ELICIT_STATUS_TOO_DEEP = 5,
  /**
   * A text is JSON of another shape than the call takes; the message names the JSON Pointer.
   */
  ELICIT_STATUS_WRONG_SHAPE = 6,
  /**
   * The library has a defect. The call did nothing, and other calls are not harmed.
   */
  ELICIT_STATUS_PANIC = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum ElicitStatus ElicitStatus;
#else
typedef int32_t ElicitStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * How a server may ask a host for something.
 */
enum ElicitDelivery
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Not at all.
   */
  ELICIT_DELIVERY_NONE = 0,
  /**
   * By the request `elicitation/create`, while a request of the client is open.
   */
  ELICIT_DELIVERY_REQUEST = 1,
  /**
   * By an input-required result; the answer comes with the repeated request.
   */
  ELICIT_DELIVERY_INPUT_REQUIRED = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum ElicitDelivery ElicitDelivery;
#else
typedef int32_t ElicitDelivery;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What the answer to a probe says about the host.
 */
enum ElicitVerdict
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * The user accepted: elicitation makes the round trip.
   */
  ELICIT_VERDICT_WORKING = 1,
  /**
   * The user declined or dismissed a real prompt.
   */
  ELICIT_VERDICT_USER_DECLINED = 2,
  /**
   * The "no" came back faster than a person could have given it.
   */
  ELICIT_VERDICT_ADVERTISED_BUT_AUTOCANCELED = 3,
  /**
   * No answer arrived in time.
   */
  ELICIT_VERDICT_ADVERTISED_BUT_UNANSWERED = 4,
  /**
   * The request failed, or the answer was none that the specification knows.
   */
  ELICIT_VERDICT_UNSUPPORTED = 5,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum ElicitVerdict ElicitVerdict;
#else
typedef int32_t ElicitVerdict;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * What a host answered to an elicitation request.
 */
enum ElicitAction
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * The user gave what was asked.
   */
  ELICIT_ACTION_ACCEPT = 1,
  /**
   * The user said no.
   */
  ELICIT_ACTION_DECLINE = 2,
  /**
   * The user dismissed the question.
   */
  ELICIT_ACTION_CANCEL = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum ElicitAction ElicitAction;
#else
typedef int32_t ElicitAction;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A mode of elicitation.
 */
enum ElicitMode
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * The host draws a form.
   */
  ELICIT_MODE_FORM = 1,
  /**
   * The host sends the user to a URL.
   */
  ELICIT_MODE_URL = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum ElicitMode ElicitMode;
#else
typedef int32_t ElicitMode;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * How much a finding matters.
 */
enum ElicitSeverity
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
  /**
   * Good to know; nothing to do.
   */
  ELICIT_SEVERITY_INFO = 0,
  /**
   * Something works otherwise than the peer may think.
   */
  ELICIT_SEVERITY_WARNING = 1,
  /**
   * The peer breaks the specification.
   */
  ELICIT_SEVERITY_ERROR = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum ElicitSeverity ElicitSeverity;
#else
typedef int32_t ElicitSeverity;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * Why a call failed. Belongs to the caller, who frees it.
 */
typedef struct ElicitError ElicitError;

/**
 * A list of findings.
 */
typedef struct ElicitFindings ElicitFindings;

/**
 * What is known of a host. Immutable: threads may share it freely.
 */
typedef struct ElicitReport ElicitReport;

/**
 * UTF-8 text of `len` bytes, borrowed and not NUL-terminated. `ptr` may be NULL where `len` is 0.
 *
 * Text that goes in is borrowed for the call. Text that comes out lives as long as the object it came from.
 */
typedef struct ElicitStr {
  /**
   * The first byte.
   */
  const uint8_t *ptr;
  /**
   * The number of bytes.
   */
  size_t len;
} ElicitStr;

/**
 * One finding. The texts live as long as the list.
 */
typedef struct ElicitFinding {
  /**
   * `sizeof(ElicitFinding)`, set by the caller. Later versions may have more members at the end.
   */
  uint32_t struct_size;
  /**
   * An `ElicitSeverity`.
   */
  int32_t severity;
  /**
   * What was found, for programs: a stable word such as "elicitation_not_an_object".
   */
  struct ElicitStr code;
  /**
   * Where: a JSON Pointer (RFC 6901) into the report.
   */
  struct ElicitStr path;
  /**
   * What it means for the server, in English.
   */
  struct ElicitStr message;
} ElicitFinding;

/**
 * What a host declares, by the specification's rules: each member is 0 or 1.
 */
typedef struct ElicitSupport {
  /**
   * Some mode of elicitation.
   */
  uint8_t elicitation;
  /**
   * Form mode. An empty `elicitation` object declares it.
   */
  uint8_t elicitation_form;
  /**
   * URL mode (since 2025-11-25).
   */
  uint8_t elicitation_url;
  /**
   * Sampling.
   */
  uint8_t sampling;
  /**
   * Roots.
   */
  uint8_t roots;
} ElicitSupport;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * The ABI version of the library that was loaded: `(major << 16) | minor`. Another major than
 * `ELICIT_ABI_VERSION_MAJOR`, or a smaller minor than `ELICIT_ABI_VERSION_MINOR`, does not fit the header that the
 * caller was compiled with.
 */
uint32_t elicit_abi_version(void);

/**
 * The version of the library, such as "0.1.0". The text lives as long as the library.
 */
struct ElicitStr elicit_version(void);

/**
 * The status that the call returned. `ELICIT_STATUS_OK` for NULL.
 *
 * # Safety
 *
 * `error` must be NULL or an error that was not freed.
 */
ElicitStatus elicit_error_status(const struct ElicitError *error);

/**
 * What happened, where, and what to do, in English. Empty for NULL. The text lives as long as the error.
 *
 * # Safety
 *
 * `error` must be NULL or an error that was not freed.
 */
struct ElicitStr elicit_error_message(const struct ElicitError *error);

/**
 * Frees an error. NULL is accepted.
 *
 * # Safety
 *
 * `error` must be NULL or an error that was not freed; nobody may use it or its message afterwards.
 */
void elicit_error_free(struct ElicitError *error);

/**
 * How many findings the list has. 0 for NULL.
 *
 * # Safety
 *
 * `findings` must be NULL or a list that was not freed, with what it came from.
 */
size_t elicit_findings_len(const struct ElicitFindings *findings);

/**
 * Copies the finding at `index`, from 0, into `finding`, whose `struct_size` the caller has set. Its texts are
 * borrowed from the list.
 *
 * Fails with `ELICIT_STATUS_INVALID_ARGUMENT` where there is no such finding or `struct_size` is another one.
 *
 * # Safety
 *
 * `findings` must be NULL or a list that was not freed, with what it came from; `finding` NULL or a struct of
 * `struct_size` bytes; `error` NULL or a place for one pointer.
 */
ElicitStatus elicit_findings_get(const struct ElicitFindings *findings,
                                 size_t index,
                                 struct ElicitFinding *finding,
                                 struct ElicitError **error);

/**
 * Makes the report of a handshake: UTF-8 JSON of at most 1 MiB that nests at most 128 deep, in one of these forms.
 *
 * 1. `{"initialize": {"request": R, "response": S}}`: the parameters and the result of `initialize`, or the JSON-RPC
 *    messages that carry them.
 * 2. `{"perRequest": {"request": {"_meta": M}, "response": S}}`: the `_meta` of a request (2026-07-28) and the result
 *    of `server/discover`, or the messages that carry them.
 * 3. Raw JSON-RPC messages: one, an array of them, or one after another (JSON lines). `initialize` counts with the
 *    response of the same id; without it the last request that has capabilities in its `_meta`.
 *
 * Any half may be absent. Beside the handshake, forms 1 and 2 may have `"transport": {"stateless": true}` (the server
 * keeps no session) and `"verbatim": false` (the handshake is not what was on the wire).
 *
 * What is odd within a handshake is a finding. Fails where no report can be made, with
 * `ELICIT_STATUS_INVALID_ARGUMENT`, `_INVALID_UTF8`, `_INVALID_JSON`, `_TOO_LARGE`, `_TOO_DEEP` or `_WRONG_SHAPE`;
 * `*report` is then NULL. The report belongs to the caller, who frees it with `elicit_report_free`.
 *
 * # Safety
 *
 * `handshake_json` must be readable; `report` NULL or a place for one pointer; `error` the same.
 */
ElicitStatus elicit_report_from_handshake(struct ElicitStr handshake_json,
                                          struct ElicitReport **report,
                                          struct ElicitError **error);

/**
 * Reads a report of at most 2 MiB: one of this library's, of any version, or one that Elicitly's `elicit_doctor`
 * printed. The text is kept as it is, and nothing is concluded anew.
 *
 * Fails as `elicit_report_from_handshake` does; `*report` is then NULL. The report belongs to the caller, who frees
 * it with `elicit_report_free`.
 *
 * # Safety
 *
 * `report_json` must be readable; `report` NULL or a place for one pointer; `error` the same.
 */
ElicitStatus elicit_report_parse(struct ElicitStr report_json,
                                 struct ElicitReport **report,
                                 struct ElicitError **error);

/**
 * Makes a copy of a report that says that no probe of `mode` (an `ElicitMode`) was made, and why: `reason` is one
 * line, cut after 300 characters. It takes the place of an earlier result for that mode.
 *
 * Fails with `ELICIT_STATUS_INVALID_ARGUMENT` or `ELICIT_STATUS_INVALID_UTF8`; `*probed` is then NULL. The copy
 * belongs to the caller, who frees it with `elicit_report_free`.
 *
 * # Safety
 *
 * `report` must be NULL or a report that was not freed; `reason` readable; `probed` NULL or a place for one pointer;
 * `error` the same.
 */
ElicitStatus elicit_report_skip_probe(const struct ElicitReport *report,
                                      int32_t mode,
                                      struct ElicitStr reason,
                                      struct ElicitReport **probed,
                                      struct ElicitError **error);

/**
 * What the host declares. All 0 for NULL.
 *
 * # Safety
 *
 * `report` must be NULL or a report that was not freed.
 */
struct ElicitSupport elicit_report_support(const struct ElicitReport *report);

/**
 * The negotiated revision, such as "2025-11-25". Empty where it is not known, and for NULL.
 *
 * # Safety
 *
 * `report` must be NULL or a report that was not freed.
 */
struct ElicitStr elicit_report_revision(const struct ElicitReport *report);

/**
 * How a server may ask this host. `ELICIT_DELIVERY_NONE` for NULL.
 *
 * # Safety
 *
 * `report` must be NULL or a report that was not freed.
 */
ElicitDelivery elicit_report_delivery(const struct ElicitReport *report);

/**
 * The report as JSON (`schema/report.schema.json`). Empty for NULL. The text lives as long as the report.
 *
 * # Safety
 *
 * `report` must be NULL or a report that was not freed.
 */
struct ElicitStr elicit_report_json(const struct ElicitReport *report);

/**
 * The report's findings. NULL for NULL. The list lives as long as the report and is not freed by itself.
 *
 * # Safety
 *
 * `report` must be NULL or a report that was not freed.
 */
const struct ElicitFindings *elicit_report_findings(const struct ElicitReport *report);

/**
 * Frees a report. NULL is accepted.
 *
 * # Safety
 *
 * `report` must be NULL or a report that was not freed; nobody may use it or its texts afterwards.
 */
void elicit_report_free(struct ElicitReport *report);

/**
 * The verdict on what came back from a probe. Pure: it cannot fail, does not allocate and needs no error.
 *
 * `action` is an `ElicitAction`; any other number means that the answer had none, or one that the specification does
 * not know. `latency_ms` is the time from the request to the answer, in milliseconds. `timed_out` and `errored` are 0
 * for false. In this order: timed out is `ELICIT_VERDICT_ADVERTISED_BUT_UNANSWERED`; errored or no known action is
 * `_UNSUPPORTED`; accept is `_WORKING`; decline or cancel is `_ADVERTISED_BUT_AUTOCANCELED` below 2000 ms and
 * `_USER_DECLINED` from there on.
 */
ElicitVerdict elicit_classify(int32_t action,
                              uint64_t latency_ms,
                              uint8_t timed_out,
                              uint8_t errored);

/**
 * The verdict as the report spells it, such as "advertised_but_autocanceled". Empty for a number that is no
 * `ElicitVerdict`. The text lives as long as the library.
 */
struct ElicitStr elicit_verdict_name(int32_t verdict);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* ELICIT_DOCTOR_H */
