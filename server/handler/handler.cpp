#include "server/handler/handler.hpp"

#include <algorithm>
#include <exception>
#include <vector>

#include "admission/answer.hpp"
#include "server/telemetry/log.hpp"
#include "text/printable.hpp"
#include "text/text.hpp"

namespace winadmit::server {
namespace {

using std::chrono::steady_clock;

/// In bytes. A parser keeps buffers of several times the largest body that it has parsed; larger
/// buffers are released after the request.
constexpr std::size_t kMaxKeptParser = 1U << 20U;

bool is_json(std::string_view content_type) {
  if (content_type == kJsonType) return true;
  return equals_ignoring_case(trim(content_type.substr(0, content_type.find(';'))), kJsonType);
}

void append_to_list(std::string& list, std::string_view entry) {
  if (!list.empty()) list += ',';
  list += entry;
}

/// The ids of the findings, each once.
std::string list_ids(const std::vector<Finding>& findings) {
  std::vector<std::string_view> ids;
  std::string list;
  for (const Finding& finding : findings) {
    if (std::ranges::find(ids, finding.id) != ids.end()) continue;
    ids.push_back(finding.id);
    append_to_list(list, finding.id);
  }
  return list;
}

std::string list_signals(const Target& target) {
  std::string list;
  for (const Signals& signals : {target.windows_signals, target.linux_signals}) {
    signals.for_each([&](Signal signal) { append_to_list(list, to_string(signal)); });
  }
  return list;
}

/// The request has no name yet if the object has only a generateName.
std::string_view name_of(const Review& review) {
  if (!review.name.empty()) return review.name;
  if (!review.object) return {};
  const auto metadata = member<JsonObject>(*review.object, "metadata");
  if (!metadata) return {};
  const auto name = string_member(*metadata, "name");
  return name.empty() ? string_member(*metadata, "generateName") : name;
}

std::optional<HttpReply> refuse_by_header(const HttpRequest& request, const Route* route,
                                          ThreadMetrics& metrics) {
  if (route == nullptr) {
    metrics.bad_request(BadRequestReason::not_found).add();
    return plain_reply(404, "no such path: winadmit serves /mutate and /validate");
  }
  if (request.method != "POST") {
    metrics.bad_request(BadRequestReason::method).add();
    return plain_reply(405, "method must be POST, not " + in_quotes(request.method));
  }
  if (!is_json(request.content_type)) {
    metrics.bad_request(BadRequestReason::content_type).add();
    return plain_reply(
        415, "content type must be application/json, not " + in_quotes(request.content_type));
  }
  return std::nullopt;
}

}  // namespace

std::optional<HttpReply> refuse_by_header(const HttpRequest& request, ThreadMetrics& metrics) {
  return refuse_by_header(request, find_route(path_of(request.target)), metrics);
}

HttpReply& Handler::handle(const HttpRequest& request) {
  release_if_large(reply_.body);
  const Route* const route = find_route(path_of(request.target));
  if (auto refusal = refuse_by_header(request, route, metrics_))
    return reply_ = std::move(*refusal);
  try {
    answer(*route, request);
  } catch (const std::exception& error) {
    // Never an allow: the failurePolicy of the webhook decides. After a failed allocation
    // simdjson's parser assumes that its buffers exist.
    parser_ = simdjson::dom::parser();
    metrics_.bad_request(BadRequestReason::internal).add();
    LogLine(spdlog::level::err, "internal error")
        .with("path", route->path)
        .with("error", error.what());
    reply_ = plain_reply(500, "internal error");
    reply_.is_logged = true;
  }
  if (parser_.capacity() > kMaxKeptParser) parser_ = simdjson::dom::parser();
  return reply_;
}

HttpReply Handler::refuse_late() {
  metrics_.bad_request(BadRequestReason::timeout).add();
  return plain_reply(503, "the timeout of the request ended before it was handled");
}

void Handler::answer(const Route& route, const HttpRequest& request) {
  reply_.body.clear();
  const Answer answer = answer_review(parser_, request.body, route, policy_, exempt_, reply_.body);
  if (answer.is_response) {
    reply_.status = 200;
    reply_.content_type = kJsonType;
  } else {
    reply_ = plain_reply(400, answer.admission.bad_request->message);
  }
  record(route, answer.review, answer.admission, steady_clock::now() - request.received);
  reply_.is_logged = true;
}

void Handler::record(const Route& route, const Review& review, const Admission& admission,
                     steady_clock::duration duration) {
  metrics_.count_review(route, admission.decision, duration);
  if (admission.bad_request) metrics_.bad_request(admission.bad_request->reason).add();
  if (admission.decision == Decision::patched) {
    (review.operation == "UPDATE" ? metrics_.updated_patches : metrics_.created_patches).add();
  }
  for (const Finding& finding : admission.found.kept) metrics_.count_finding(finding, route.mode);
  if (!admission.default_os_change.empty()) metrics_.default_os_changes.add(review.name_space);

  if (!spdlog::default_logger_raw()->should_log(spdlog::level::info)) return;
  LogLine line(spdlog::level::info, "review");
  line.with("uid", review.uid)
      .with("kind", truncate_utf8(review.kind))
      .with("namespace", truncate_utf8(review.name_space))
      .with("name", truncate_utf8(name_of(review)))
      .with("operation", truncate_utf8(review.operation))
      .with("subresource", truncate_utf8(review.subresource))
      .with("path", route.path)
      .with("os", to_string(admission.target.os))
      .with("signals", list_signals(admission.target))
      .with("decision", to_string(admission.decision))
      .with("dry_run", review.dry_run ? "true" : "")
      .with("rules", list_ids(admission.found.kept))
      .with("default_os_change", admission.default_os_change)
      .with("us", std::chrono::duration_cast<std::chrono::microseconds>(duration).count());
  if (admission.bad_request) line.with("error", admission.bad_request->message);
}

}  // namespace winadmit::server
