#include "admission/answer.hpp"

#include <chrono>
#include <span>

#include "admission/review_reader.hpp"
#include "admission/review_writer.hpp"

namespace winadmit::server {
namespace {

/// Whether a malformed request can be refused by an AdmissionReview. Other malformed requests get
/// an HTTP error, so that the failurePolicy of the webhook decides.
bool can_refuse(const Route& route, const Review& review) {
  return route.hook == Hook::validate && route.mode == Mode::enforce && !review.uid.empty() &&
         !review.api_version.empty();
}

/// In UTC. The clock is read only where an exemption may end.
std::chrono::sys_days today(const Exemptions& exempt) {
  if (exempt.findings.empty()) return {};
  return std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now());
}

}  // namespace

Answer answer_review(simdjson::dom::parser& parser, std::string_view body, const Route& route,
                     const Policy& policy, const Exemptions& exempt, fmt::memory_buffer& to) {
  const ParsedReview parsed = parse_review(parser, body);
  Answer answer{.review = parsed.review,
                .admission = parsed.bad_request
                                 ? refuse_malformed(*parsed.bad_request)
                                 : admit(parsed.review, route, policy, exempt, today(exempt))};
  const Admission& admission = answer.admission;
  answer.is_response = !admission.bad_request || can_refuse(route, parsed.review);
  if (!answer.is_response) return answer;
  const auto causes =
      admission.response.allowed ? std::span<const Finding>() : std::span(admission.found.kept);
  write_review(to, parsed.review, admission.response, causes);
  return answer;
}

}  // namespace winadmit::server
