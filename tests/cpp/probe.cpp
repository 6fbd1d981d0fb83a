// A probe from C++17: functions as callbacks, the report handed over through a promise.
#include <future>
#include <memory>
#include <string>
#include <string_view>
#include <thread>

#include "check.h"
#include "threads.h"

namespace {

struct Free {
    void operator()(ElicitReport *report) const { elicit_report_free(report); }
    void operator()(ElicitEngine *engine) const { elicit_engine_free(engine); }
};

using Report = std::unique_ptr<ElicitReport, Free>;
using Engine = std::unique_ptr<ElicitEngine, Free>;

ElicitStr str(std::string_view view) { return {reinterpret_cast<const std::uint8_t *>(view.data()), view.size()}; }

std::string copy(ElicitStr str) { return {reinterpret_cast<const char *>(str.ptr), str.len}; }

// One question on its way: what the host is asked, and the report that comes of its answer.
struct Question {
    std::promise<std::pair<std::uint64_t, std::string>> asked;
    std::promise<std::pair<ElicitStatus, Report>> done;
};

extern "C" {

void on_request(void *user_data, std::uint64_t probe_id, ElicitStr params_json) {
    static_cast<Question *>(user_data)->asked.set_value({probe_id, copy(params_json)});
}

void on_done(void *user_data, std::uint64_t, ElicitStatus status, ElicitReport *report) {
    static_cast<Question *>(user_data)->done.set_value({status, Report(report)});
}
}

Engine make_engine() {
    ElicitEngine *engine = nullptr;
    CHECK_NUMBER(elicit_engine_new(nullptr, &engine, nullptr), ELICIT_STATUS_OK);
    return Engine(engine);
}

void start(const Engine &engine, Question &question) {
    constexpr const char *handshake =
        R"({"initialize":{"request":{"protocolVersion":"2025-11-25","capabilities":{"elicitation":{}},)"
        R"("clientInfo":{"name":"a host","version":"1"}},"response":{"protocolVersion":"2025-11-25"}}})";
    const Report report(report_of(handshake));
    ElicitProbeOptions options{};
    options.struct_size = sizeof options;
    options.mode = ELICIT_MODE_FORM;
    options.on_request = on_request;
    options.on_done = on_done;
    options.user_data = &question;
    std::uint64_t id = 0;
    CHECK_NUMBER(elicit_probe_start(engine.get(), report.get(), &options, &id, nullptr), ELICIT_STATUS_OK);
}

void a_host_on_another_thread_answers_and_the_report_comes_through_a_promise() {
    const Engine engine = make_engine();
    Question question;
    start(engine, question);
    std::thread host([&] {
        const auto [id, params] = question.asked.get_future().get();
        const bool is_our_form = params.find("requestedSchema") != std::string::npos;
        elicit_probe_reply(
            engine.get(), id,
            str(is_our_form ? R"({"action":"accept","content":{"value":"ok"}})" : R"({"action":"decline"})"), nullptr);
    });
    const auto [status, report] = question.done.get_future().get();
    host.join();
    CHECK_NUMBER(status, ELICIT_STATUS_OK);
    CHECK_CONTAINS(elicit_report_json(report.get()), text("\"data\":\"ok\",\"verdict\":\"working\""));
    CHECK_NUMBER(elicit_engine_shutdown(engine.get(), nullptr), ELICIT_STATUS_OK);
}

void an_engine_that_goes_out_of_scope_ends_its_probes() {
    Question question;
    {
        const Engine engine = make_engine();
        start(engine, question);
    }
    const auto [status, report] = question.done.get_future().get();
    CHECK_NUMBER(status, ELICIT_STATUS_SHUTDOWN);
    CHECK(report == nullptr);
    // Its thread may still be on its way out of the promise.
    wait_for_other_threads();
}

}  // namespace

int main() {
    RUN(a_host_on_another_thread_answers_and_the_report_comes_through_a_promise);
    RUN(an_engine_that_goes_out_of_scope_ends_its_probes);
    return finish();
}
