#include "server/routes.hpp"

#include <algorithm>
#include <charconv>
#include <exception>

#include "server/log.hpp"

namespace winadmit::server {
namespace {

using std::chrono::steady_clock;

/// A parser keeps buffers of several times the largest body it saw; above this they are given back.
constexpr std::size_t kParserKeeps = 1U << 20U;
constexpr std::size_t kReplyKeeps = 1U << 16U;

std::string_view path_of(std::string_view target) { return target.substr(0, target.find('?')); }

bool is_json(std::string_view content_type) {
  if (content_type == kJsonType) return true;
  content_type = content_type.substr(0, content_type.find(';'));
  while (content_type.ends_with(' ')) content_type.remove_suffix(1);
  return std::ranges::equal(content_type, kJsonType, [](char a, char b) {
    return (a >= 'A' && a <= 'Z' ? a - 'A' + 'a' : a) == b;
  });
}

void count(Shard& shard, HttpFault fault) {
  shard.http_faults[static_cast<std::size_t>(fault)].add();
}

std::string joined_ids(const std::vector<Finding>& findings) {
  std::string ids;
  ids.reserve(findings.size() * 24);  // most are shorter
  for (const Finding& finding : findings) {
    if (!ids.empty()) ids += ',';
    ids += finding.id;
  }
  return ids;
}

std::string joined_signals(const Target& target) {
  std::string names;
  for (const Signals& signals : {target.windows, target.linux}) {
    signals.each([&](Signal signal) {
      if (!names.empty()) names += ',';
      names += to_string(signal);
    });
  }
  return names;
}

/// metadata.name is not there yet when a controller asks for a generated one.
std::string_view name_of(const Review& review) {
  if (!review.name.empty()) return review.name;
  if (!review.object) return {};
  const auto metadata = member<JsonObject>(*review.object, "metadata");
  if (!metadata) return {};
  const auto name = text_member(*metadata, "name");
  return name.empty() ? text_member(*metadata, "generateName") : name;
}

std::optional<HttpReply> refuse_by_head(const HttpRequest& request, const Route* route,
                                        Shard& shard) {
  if (route == nullptr) {
    count(shard, HttpFault::not_found);
    return plain_reply(404, "no such path: winadmit serves /mutate and /validate");
  }
  if (request.method != "POST") {
    count(shard, HttpFault::method);
    return plain_reply(
        405, "method " + std::string(request.method) + " is not served: POST an AdmissionReview");
  }
  if (!is_json(request.content_type)) {
    count(shard, HttpFault::content_type);
    return plain_reply(415, "content type must be application/json, not \"" +
                                std::string(request.content_type) + '"');
  }
  return std::nullopt;
}

}  // namespace

HttpReply plain_reply(int status, std::string_view line) {
  HttpReply reply{.status = status, .content_type = "text/plain; charset=utf-8", .body = {}};
  append(reply.body, line, "\n");
  return reply;
}

std::optional<std::chrono::milliseconds> timeout_of(std::string_view target) {
  static constexpr std::string_view kKey = "timeout=";
  const std::size_t query = target.find('?');
  if (query == std::string_view::npos) return std::nullopt;
  std::string_view rest = target.substr(query + 1);
  while (!rest.starts_with(kKey)) {
    const std::size_t next = rest.find('&');
    if (next == std::string_view::npos) return std::nullopt;
    rest.remove_prefix(next + 1);
  }
  rest = rest.substr(kKey.size(), rest.find('&') - kKey.size());
  if (rest.empty()) return std::nullopt;
  double milliseconds = 0;
  while (!rest.empty()) {  // 1m30s
    double value = 0;
    const auto [end, error] =
        std::from_chars(rest.data(), rest.data() + rest.size(), value, std::chars_format::fixed);
    if (error != std::errc{} || !(value >= 0 && value <= 1e6)) return std::nullopt;
    rest.remove_prefix(static_cast<std::size_t>(end - rest.data()));
    const std::size_t unit_size = std::min(rest.find_first_of("0123456789."), rest.size());
    const std::string_view unit = rest.substr(0, unit_size);
    rest.remove_prefix(unit_size);
    if (unit == "ms") {
      milliseconds += value;
    } else if (unit == "s") {
      milliseconds += value * 1000;
    } else if (unit == "m") {
      milliseconds += value * 60'000;
    } else {
      return std::nullopt;
    }
  }
  return std::chrono::milliseconds(static_cast<std::int64_t>(std::min(milliseconds, 1e9)));
}

std::optional<HttpReply> refuse_by_head(const HttpRequest& request, Shard& shard) {
  return refuse_by_head(request, find_route(path_of(request.target)), shard);
}

const HttpReply& Handler::handle(const HttpRequest& request) {
  give_back();
  const Route* const route = find_route(path_of(request.target));
  if (auto refusal = refuse_by_head(request, route, shard_)) return reply_ = std::move(*refusal);
  try {
    answer(*route, request);
  } catch (const std::exception& error) {
    // An allow is never invented: the cluster's failurePolicy decides.
    count(shard_, HttpFault::internal);
    LogLine(spdlog::level::err, "internal fault")
        .with("path", route->path)
        .with("error", error.what());
    reply_ = plain_reply(500, "internal fault");
  }
  return reply_;
}

void Handler::answer(const Route& route, const HttpRequest& request) {
  const auto start = steady_clock::now();
  const ParsedReview parsed = parse_review(parser_, request.body, request.size);
  const Review& review = parsed.review;
  const Admission admission =
      parsed.bad ? malformed(*parsed.bad) : admit(review, route, policy_, exempt_);
  if (admission.bad) shard_.bad_reviews[static_cast<std::size_t>(admission.bad->fault)].add();
  if (admission.bad && !can_refuse(route, review)) {
    reply_ = plain_reply(400, admission.bad->what);
  } else {
    reply_.status = 200;
    reply_.content_type = kJsonType;
    reply_.body.clear();
    render(reply_.body, review, admission.decision);
  }
  record(route, review, admission, start);
}

/// What cannot be judged is refused where a refusal can be said, and is an HTTP error elsewhere, so
/// that the webhook's failurePolicy decides.
bool Handler::can_refuse(const Route& route, const Review& review) const {
  return route.hook == Hook::validate && route.mode == Mode::enforce && !review.uid.empty() &&
         !review.api_version.empty();
}

void Handler::record(const Route& route, const Review& review, const Admission& admission,
                     steady_clock::time_point start) {
  const auto took = steady_clock::now() - start;
  shard_
      .requests[static_cast<std::size_t>(&route - kRoutes.data())]
               [static_cast<std::size_t>(admission.outcome)]
      .add();
  shard_.observe(took);
  if (admission.outcome == Outcome::patched) {
    shard_.patches[review.operation == "UPDATE" ? 1 : 0].add();
  }
  for (const Finding& finding : admission.findings) metrics_.count_finding(shard_, finding);

  if (!spdlog::default_logger_raw()->should_log(spdlog::level::info)) return;
  LogLine line(spdlog::level::info, "review");
  line.with("uid", review.uid)
      .with("kind", review.kind)
      .with("namespace", review.name_space)
      .with("name", name_of(review))
      .with("operation", review.operation)
      .with("subresource", review.subresource)
      .with("path", Plain{route.path})
      .with("os", Plain{to_string(admission.target.os)})
      .with("signals", Plain{joined_signals(admission.target)})
      .with("decision", Plain{to_string(admission.outcome)})
      .with("rules", Plain{joined_ids(admission.findings)})
      .with("us", std::chrono::duration_cast<std::chrono::microseconds>(took).count());
  if (admission.bad) line.with("error", admission.bad->what);
}

void Handler::give_back() {
  if (parser_.capacity() > kParserKeeps) parser_ = make_parser();
  if (reply_.body.capacity() > kReplyKeeps) reply_.body = {};
}

}  // namespace winadmit::server
