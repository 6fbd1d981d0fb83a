// The header as C++17 sees it: the layout, and the objects in the standard library's hands.
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "check.h"

namespace {

struct Free {
    void operator()(ElicitReport *report) const { elicit_report_free(report); }
    void operator()(ElicitError *error) const { elicit_error_free(error); }
};

using Report = std::unique_ptr<ElicitReport, Free>;
using Error = std::unique_ptr<ElicitError, Free>;

std::string_view view(ElicitStr str) { return {reinterpret_cast<const char *>(str.ptr), str.len}; }

ElicitStr str(std::string_view view) { return {reinterpret_cast<const std::uint8_t *>(view.data()), view.size()}; }

std::pair<Report, Error> read(std::string_view handshake) {
    ElicitReport *report = nullptr;
    ElicitError *error = nullptr;
    elicit_report_from_handshake(str(handshake), &report, &error);
    return {Report(report), Error(error)};
}

constexpr std::string_view handshake =
    R"({"initialize":{"request":{"protocolVersion":"2025-06-18","capabilities":{"elicitation":{"url":{}},"roots":{}},)"
    R"("clientInfo":{"name":"a host","version":"1"}}}})";

void what_crosses_by_value_has_the_layout_of_the_abi() {
    static_assert(std::is_standard_layout_v<ElicitStr> && std::is_trivially_copyable_v<ElicitStr>);
    static_assert(offsetof(ElicitStr, ptr) == 0 && offsetof(ElicitStr, len) == sizeof(void *));
    static_assert(sizeof(ElicitSupport) == 5);
    static_assert(offsetof(ElicitFinding, struct_size) == 0 && offsetof(ElicitFinding, severity) == 4);
    static_assert(offsetof(ElicitFinding, code) == 8 && sizeof(ElicitFinding) == 8 + 3 * sizeof(ElicitStr));
    static_assert(sizeof(ElicitStatus) == 4 && sizeof(ElicitSeverity) == 4 && sizeof(ElicitVerdict) == 4);
    static_assert(sizeof(ElicitMode) == 4 && sizeof(ElicitDelivery) == 4 && sizeof(ElicitAction) == 4);
    static_assert(std::is_same_v<decltype(elicit_abi_version()), std::uint32_t>);
    CHECK_NUMBER(elicit_abi_version() >> 16, 1);
}

void a_report_lives_in_a_unique_ptr() {
    auto [report, error] = read(handshake);
    CHECK(report != nullptr);
    CHECK(error == nullptr);
    // Modes came after this revision, so what is declared of them does not count.
    CHECK_NUMBER(elicit_report_support(report.get()).elicitation_form, 1);
    CHECK_NUMBER(elicit_report_support(report.get()).elicitation_url, 0);
    CHECK_NUMBER(elicit_report_support(report.get()).roots, 1);
    CHECK(view(elicit_report_revision(report.get())) == "2025-06-18");
    CHECK(view(elicit_report_json(report.get())).find(R"("elicitation":{"url":{}})") != std::string_view::npos);
}

void an_error_lives_in_a_unique_ptr() {
    auto [report, error] = read("{\"initialize\"");
    CHECK(report == nullptr);
    CHECK_NUMBER(elicit_error_status(error.get()), ELICIT_STATUS_INVALID_JSON);
    CHECK(!view(elicit_error_message(error.get())).empty());
}

void findings_are_read_into_the_standard_librarys_types() {
    auto [report, error] = read(handshake);
    const ElicitFindings *findings = elicit_report_findings(report.get());
    std::vector<std::pair<std::string, std::string>> list;
    for (std::size_t index = 0; index < elicit_findings_len(findings); index++) {
        ElicitFinding finding{};
        finding.struct_size = sizeof finding;
        CHECK_NUMBER(elicit_findings_get(findings, index, &finding, nullptr), ELICIT_STATUS_OK);
        list.emplace_back(view(finding.code), view(finding.path));
    }
    const std::pair<std::string, std::string> expected = {"elicitation_modes_before_2025_11_25",
                                                          "/initialize/request/capabilities/elicitation"};
    bool found = false;
    for (const auto &finding : list) found |= finding.first == expected.first && finding.second.find(expected.second) == 0;
    CHECK(found);
}

void a_shared_report_is_freed_by_whoever_is_last() {
    auto [owned, error] = read(handshake);
    std::shared_ptr<ElicitReport> report = std::move(owned);
    const std::string expected(view(elicit_report_json(report.get())));
    std::vector<int> mistakes(8);
    std::vector<std::thread> threads;
    for (int &count : mistakes)
        threads.emplace_back([report, &count, &expected] {
            for (int round = 0; round < 200; round++) count += view(elicit_report_json(report.get())) != expected;
        });
    report.reset();
    for (std::thread &thread : threads) thread.join();
    for (int count : mistakes) CHECK_NUMBER(count, 0);
}

void a_verdict_is_classified_and_named() {
    const ElicitVerdict verdict = elicit_classify(ELICIT_ACTION_CANCEL, 8, 0, 0);
    CHECK_NUMBER(verdict, ELICIT_VERDICT_ADVERTISED_BUT_AUTOCANCELED);
    CHECK(view(elicit_verdict_name(verdict)) == "advertised_but_autocanceled");
}

}  // namespace

int main() {
    RUN(what_crosses_by_value_has_the_layout_of_the_abi);
    RUN(a_report_lives_in_a_unique_ptr);
    RUN(an_error_lives_in_a_unique_ptr);
    RUN(findings_are_read_into_the_standard_librarys_types);
    RUN(a_shared_report_is_freed_by_whoever_is_last);
    RUN(a_verdict_is_classified_and_named);
    return finish();
}
