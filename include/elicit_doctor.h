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
#define ELICIT_ABI_VERSION_MINOR 2

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
  /**
   * There is no such open probe: it has ended, or never was.
   */
  ELICIT_STATUS_NOT_FOUND = 8,
  /**
   * The engine has been freed or shut down.
   */
  ELICIT_STATUS_SHUTDOWN = 9,
  /**
   * The caller cancelled the probe.
   */
  ELICIT_STATUS_CANCELLED = 10,
  /**
   * The engine has as many open probes as it may.
   */
  ELICIT_STATUS_FULL = 11,
  /**
   * The system gave no thread or no timer.
   */
  ELICIT_STATUS_SYSTEM = 12,
  /**
   * A state is none of this library, or a part of one.
   */
  ELICIT_STATUS_STATE_MALFORMED = 13,
  /**
   * A state was changed, or sealed with a key that this server does not have.
   */
  ELICIT_STATUS_STATE_FORGED = 14,
  /**
   * The time of a state is over.
   */
  ELICIT_STATUS_STATE_EXPIRED = 15,
  /**
   * A state was made for another principal or another tool.
   */
  ELICIT_STATUS_STATE_FOREIGN = 16,
  /**
   * A state was made for other arguments.
   */
  ELICIT_STATUS_STATE_OTHER_ARGUMENTS = 17,
  /**
   * A repeated request has no answer to what was asked.
   */
  ELICIT_STATUS_NOT_ANSWERED = 18,
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
 * A text that a call made. Belongs to the caller, who frees it.
 */
typedef struct ElicitBuffer ElicitBuffer;

/**
 * Runs probes, on a thread of its own. Threads may share it freely.
 *
 * Every function that takes an engine takes NULL for the default engine of the process, which is made when it is first
 * used.
 */
typedef struct ElicitEngine ElicitEngine;

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
 * What an engine is made with.
 */
typedef struct ElicitEngineOptions {
  /**
   * `sizeof(ElicitEngineOptions)`. Later versions may have more members at the end.
   */
  uint32_t struct_size;
  /**
   * How many probes may be open at a time; 0 for 100,000. An open probe takes less than 1 KiB.
   */
  uint32_t max_open_probes;
} ElicitEngineOptions;

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
   * Where: a JSON Pointer (RFC 6901) into the report, or into the text that was checked.
   */
  struct ElicitStr path;
  /**
   * What it means for the server, in English.
   */
  struct ElicitStr message;
} ElicitFinding;

/**
 * Send this to the host: `params_json` are the parameters of `elicitation/create`, borrowed for the call. Answer by
 * `elicit_probe_reply` or `elicit_probe_fail`, now or later, from any thread.
 */
typedef void (*ElicitRequestFn)(void *user_data, uint64_t probe_id, struct ElicitStr params_json);

/**
 * The request that was sent no longer matters: the probe timed out, was cancelled, or its engine has ended.
 */
typedef void (*ElicitCancelFn)(void *user_data, uint64_t probe_id);

/**
 * The probe has ended; called exactly once, last. With `ELICIT_STATUS_OK`, `report` is the report with the result,
 * and belongs to the callee, who frees it; with `ELICIT_STATUS_CANCELLED` or `ELICIT_STATUS_SHUTDOWN` it is NULL.
 */
typedef void (*ElicitDoneFn)(void *user_data,
                             uint64_t probe_id,
                             ElicitStatus status,
                             struct ElicitReport *report);

/**
 * What to ask, and whom to call. Every callback runs on the engine's thread, never inside a call of the caller's, must
 * return soon, and must not unwind into the library.
 */
typedef struct ElicitProbeOptions {
  /**
   * `sizeof(ElicitProbeOptions)`. Later versions may have more members at the end.
   */
  uint32_t struct_size;
  /**
   * An `ElicitMode`.
   */
  int32_t mode;
  /**
   * How long to wait for the answer, in milliseconds; 0 for 40,000. Hosts end a tool call at 60,000.
   */
  uint64_t timeout_ms;
  /**
   * URL mode: the page to open, `https`, or `http` on the loopback.
   */
  struct ElicitStr url;
  /**
   * URL mode: unique for this question, where the revision is older than 2026-07-28.
   */
  struct ElicitStr elicitation_id;
  /**
   * Must be given.
   */
  ElicitRequestFn on_request;
  /**
   * May be NULL.
   */
  ElicitCancelFn on_cancel;
  /**
   * Must be given.
   */
  ElicitDoneFn on_done;
  /**
   * Handed to the callbacks untouched.
   */
  void *user_data;
} ElicitProbeOptions;

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

/**
 * The keys of a server, and what a state is bound to.
 */
typedef struct ElicitStateOptions {
  /**
   * `sizeof(ElicitStateOptions)`. Later versions may have more members at the end.
   */
  uint32_t struct_size;
  /**
   * How many keys there are. The first seals; every one opens, so that a key can be rotated.
   */
  uint32_t key_count;
  /**
   * The keys: 32 bytes each, one after another, from a good random source.
   */
  const uint8_t *keys;
  /**
   * Who the client is, as the server knows it; empty where there is no such notion.
   */
  struct ElicitStr principal;
  /**
   * The tool that was called.
   */
  struct ElicitStr tool;
  /**
   * The arguments of the call, as JSON; empty for none. White space, order of keys and escapes do not matter.
   */
  struct ElicitStr arguments_json;
  /**
   * How long a state is good, in milliseconds; 0 for 600,000.
   */
  uint64_t lifetime_ms;
  /**
   * The time, in milliseconds since the Unix epoch; 0 for the system's clock.
   */
  uint64_t now_ms;
} ElicitStateOptions;

/**
 * What to ask over two requests; the same for both.
 */
typedef struct ElicitRoundTripOptions {
  /**
   * `sizeof(ElicitRoundTripOptions)`. Later versions may have more members at the end.
   */
  uint32_t struct_size;
  /**
   * An `ElicitMode`.
   */
  int32_t mode;
  /**
   * URL mode: the page to open, `https`, or `http` on the loopback.
   */
  struct ElicitStr url;
  /**
   * How the state is sealed, an `ElicitStateOptions`, and what it is bound to. Its lifetime is how long the person
   * may think.
   */
  const struct ElicitStateOptions *state;
} ElicitRoundTripOptions;

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
 * The text; what `elicit_state_open` gives is the payload as it was sealed, UTF-8 or not. Empty for NULL. It lives as
 * long as the buffer.
 *
 * # Safety
 *
 * `buffer` must be NULL or a buffer that was not freed.
 */
struct ElicitStr elicit_buffer_text(const struct ElicitBuffer *buffer);

/**
 * Frees a buffer. NULL is accepted.
 *
 * # Safety
 *
 * `buffer` must be NULL or a buffer that was not freed; nobody may use it or its text afterwards.
 */
void elicit_buffer_free(struct ElicitBuffer *buffer);

/**
 * Checks a request for elicitation before it is sent to the host of a report: `params_json` are the parameters of
 * `elicitation/create`, the JSON-RPC request with them, or the input request with method and params.
 *
 * `*findings` gets the list; an empty one says: send it. A finding of `ELICIT_SEVERITY_ERROR` says: do not; its path
 * is a JSON Pointer into the parameters. The list belongs to the caller, who frees it with `elicit_findings_free`.
 *
 * Fails where there is nothing to check, with `ELICIT_STATUS_INVALID_ARGUMENT`, `_INVALID_UTF8`, `_INVALID_JSON`,
 * `_TOO_LARGE` (1 MiB), `_TOO_DEEP` (128) or `_WRONG_SHAPE`; `*findings` is then NULL.
 *
 * # Safety
 *
 * `report` must be NULL or a report that was not freed; `params_json` readable; `findings` NULL or a place for one
 * pointer; `error` the same.
 */
ElicitStatus elicit_check_request(const struct ElicitReport *report,
                                  struct ElicitStr params_json,
                                  struct ElicitFindings **findings,
                                  struct ElicitError **error);

/**
 * Checks what a host answered against the parameters that were sent. `result_json` is the result of
 * `elicitation/create`, or the answer under a key of `inputResponses`; both texts may be the whole JSON-RPC message.
 *
 * `*findings` gets the list; an empty one says that the answer is what was asked for. After a finding of
 * `ELICIT_SEVERITY_ERROR`, do not use the content; its path is a JSON Pointer into the result. The list belongs to the
 * caller, who frees it with `elicit_findings_free`. Fails as `elicit_check_request` does.
 *
 * # Safety
 *
 * `report` must be NULL or a report that was not freed; `params_json` and `result_json` readable; `findings` NULL or a
 * place for one pointer; `error` the same.
 */
ElicitStatus elicit_check_answer(const struct ElicitReport *report,
                                 struct ElicitStr params_json,
                                 struct ElicitStr result_json,
                                 struct ElicitFindings **findings,
                                 struct ElicitError **error);

/**
 * Makes an engine. `options` may be NULL. Fails with `ELICIT_STATUS_INVALID_ARGUMENT` or `ELICIT_STATUS_SYSTEM`;
 * `*engine` is then NULL. The engine belongs to the caller, who frees it or shuts it down.
 *
 * # Safety
 *
 * `options` must be NULL or a struct of `struct_size` bytes; `engine` NULL or a place for one pointer; `error` the
 * same.
 */
ElicitStatus elicit_engine_new(const struct ElicitEngineOptions *options,
                               struct ElicitEngine **engine,
                               struct ElicitError **error);

/**
 * How many probes of the engine are open.
 *
 * # Safety
 *
 * `engine` must be NULL, for the default engine, or an engine that was not freed.
 */
size_t elicit_engine_open_probes(const struct ElicitEngine *engine);

/**
 * Ends an engine and waits until its thread is gone, so that the library can be unloaded. Its open probes end with
 * `ELICIT_STATUS_SHUTDOWN`, and none can be started. The engine still has to be freed. NULL is the default engine,
 * which cannot be used again.
 *
 * Fails with `ELICIT_STATUS_INVALID_ARGUMENT` where a callback of this engine calls it: the engine ends, but its
 * thread cannot wait for itself.
 *
 * # Safety
 *
 * `engine` must be NULL or an engine that was not freed; `error` NULL or a place for one pointer.
 */
ElicitStatus elicit_engine_shutdown(const struct ElicitEngine *engine,
                                    struct ElicitError **error);

/**
 * Frees an engine without waiting. Its open probes end with `ELICIT_STATUS_SHUTDOWN`: their callbacks may still run
 * for a moment, and must not use the engine. NULL is accepted, and does nothing.
 *
 * # Safety
 *
 * `engine` must be NULL or an engine that was not freed; nobody may use it afterwards.
 */
void elicit_engine_free(struct ElicitEngine *engine);

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
 * Frees a list that a check made, and not one that belongs to a report. NULL is accepted.
 *
 * # Safety
 *
 * `findings` must be NULL or a list that a check made and that was not freed; nobody may use it or its texts
 * afterwards.
 */
void elicit_findings_free(struct ElicitFindings *findings);

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
 * Starts a probe: asks the host of `report` and waits for the answer. A host that must not be asked is not; then the
 * report that `on_done` gets says why. `*probe_id` names the probe; a number is never given twice.
 *
 * Fails with `ELICIT_STATUS_INVALID_ARGUMENT`, `_INVALID_UTF8`, `_FULL`, `_SHUTDOWN` or `_SYSTEM`; then no callback is
 * called.
 *
 * # Safety
 *
 * `engine` must be NULL, for the default engine, or an engine that was not freed; `report` NULL or a report that was
 * not freed; `options` NULL or a struct of `struct_size` bytes with functions that keep what their types say;
 * `probe_id` NULL or a place for one number; `error` NULL or a place for one pointer.
 */
ElicitStatus elicit_probe_start(const struct ElicitEngine *engine,
                                const struct ElicitReport *report,
                                const struct ElicitProbeOptions *options,
                                uint64_t *probe_id,
                                struct ElicitError **error);

/**
 * The host answered: `result_json` is the result of `elicitation/create`, or the whole JSON-RPC response. Whatever it
 * is, no JSON even, it ends the probe, with a verdict and a diagnosis.
 *
 * Fails with `ELICIT_STATUS_NOT_FOUND` where the probe has ended; the answer changes nothing then.
 *
 * # Safety
 *
 * `engine` must be NULL, for the default engine, or an engine that was not freed; `result_json` readable; `error` NULL
 * or a place for one pointer.
 */
ElicitStatus elicit_probe_reply(const struct ElicitEngine *engine,
                                uint64_t probe_id,
                                struct ElicitStr result_json,
                                struct ElicitError **error);

/**
 * The host failed: `code` and `message` are those of its JSON-RPC error, or 0 and what went wrong. `timed_out` is not
 * 0 where the caller knows that no answer came; the ways in which SDKs say so by code or message are known here.
 *
 * Fails with `ELICIT_STATUS_NOT_FOUND` where the probe has ended.
 *
 * # Safety
 *
 * `engine` must be NULL, for the default engine, or an engine that was not freed; `message` readable; `error` NULL or
 * a place for one pointer.
 */
ElicitStatus elicit_probe_fail(const struct ElicitEngine *engine,
                               uint64_t probe_id,
                               int32_t code,
                               uint8_t timed_out,
                               struct ElicitStr message,
                               struct ElicitError **error);

/**
 * Ends a probe without a result: `on_cancel` and `on_done` follow. Fails with `ELICIT_STATUS_NOT_FOUND` where the
 * probe has ended.
 *
 * # Safety
 *
 * `engine` must be NULL, for the default engine, or an engine that was not freed; `error` NULL or a place for one
 * pointer.
 */
ElicitStatus elicit_probe_cancel(const struct ElicitEngine *engine,
                                 uint64_t probe_id,
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
 * Makes a copy of a report that says whether the page of its URL probe was opened: `visited` is 1 for yes, 0 for no, -1
 * where that cannot be seen. A report without a URL probe that was attempted is copied as it is.
 *
 * Fails with `ELICIT_STATUS_INVALID_ARGUMENT`; `*copy` is then NULL. The copy belongs to the caller, who frees it with
 * `elicit_report_free`.
 *
 * # Safety
 *
 * `report` must be NULL or a report that was not freed; `copy` NULL or a place for one pointer; `error` the same.
 */
ElicitStatus elicit_report_with_visit(const struct ElicitReport *report,
                                      int32_t visited,
                                      struct ElicitReport **copy,
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
 * The first pass over a call. Gives either `*result_json`, with which the call is answered (`resultType`,
 * `inputRequests` under the key "elicit_doctor", `requestState`), or `*skipped`, the report that says why the host
 * must not be asked; the other one is NULL. Both belong to the caller, who frees them. What earlier probes of `report`
 * found travels in the state, so that one question can follow another.
 *
 * Fails as `elicit_state_seal` does.
 *
 * # Safety
 *
 * `report` must be NULL or a report that was not freed; `options` NULL or a struct of `struct_size` bytes with a
 * readable state and texts; `result_json`, `skipped` and `error` NULL or places for one pointer each.
 */
ElicitStatus elicit_round_trip_begin(const struct ElicitReport *report,
                                     const struct ElicitRoundTripOptions *options,
                                     struct ElicitBuffer **result_json,
                                     struct ElicitReport **skipped,
                                     struct ElicitError **error);

/**
 * The second pass: `params_json` are the parameters of the repeated request, with `inputResponses` and `requestState`.
 * `*probed` gets the report with the outcome, and belongs to the caller, who frees it.
 *
 * Fails with `ELICIT_STATUS_NOT_ANSWERED`, as `elicit_state_open` does, and with what is wrong about the parameters;
 * `*probed` is then NULL, and the caller may begin again.
 *
 * # Safety
 *
 * `report` must be NULL or a report that was not freed; `options` NULL or a struct of `struct_size` bytes with a
 * readable state and texts; `params_json` readable; `probed` and `error` NULL or places for one pointer each.
 */
ElicitStatus elicit_round_trip_resume(const struct ElicitReport *report,
                                      const struct ElicitRoundTripOptions *options,
                                      struct ElicitStr params_json,
                                      struct ElicitReport **probed,
                                      struct ElicitError **error);

/**
 * Seals a payload, UTF-8 or not, into a state: a text of letters, digits, '-' and '_'. The client can read the payload
 * but not change it, use it after its time, or hand it in for another principal, tool or arguments.
 *
 * Fails with `ELICIT_STATUS_INVALID_ARGUMENT` (there is no key) and with what is wrong about a text of the options;
 * `*state` is then NULL. The state belongs to the caller, who frees it with `elicit_buffer_free`.
 *
 * # Safety
 *
 * `options` must be NULL or a struct of `struct_size` bytes with readable keys and texts; `payload` readable; `state`
 * NULL or a place for one pointer; `error` the same.
 */
ElicitStatus elicit_state_seal(const struct ElicitStateOptions *options,
                               struct ElicitStr payload,
                               struct ElicitBuffer **state,
                               struct ElicitError **error);

/**
 * Opens a state that `elicit_state_seal` made with the same options and one of the same keys.
 *
 * Fails with `ELICIT_STATUS_STATE_MALFORMED`, `_STATE_FORGED`, `_STATE_EXPIRED`, `_STATE_FOREIGN`,
 * `_STATE_OTHER_ARGUMENTS`, and as `elicit_state_seal` does; `*payload` is then NULL. The payload belongs to the
 * caller, who frees it with `elicit_buffer_free`.
 *
 * # Safety
 *
 * `options` must be NULL or a struct of `struct_size` bytes with readable keys and texts; `state` readable; `payload`
 * NULL or a place for one pointer; `error` the same.
 */
ElicitStatus elicit_state_open(const struct ElicitStateOptions *options,
                               struct ElicitStr state,
                               struct ElicitBuffer **payload,
                               struct ElicitError **error);

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
