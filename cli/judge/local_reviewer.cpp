#include "cli/judge/local_reviewer.hpp"

#include <algorithm>

#include "cli/judge/unpinned_linux.hpp"

namespace winadmit::cli {
namespace {

const server::Route& find_route(server::Hook hook, Os default_os) {
  return *std::ranges::find_if(server::kRoutes, [&](const server::Route& each) {
    return each.hook == hook && each.mode == server::Mode::enforce && each.default_os == default_os;
  });
}

Settings denying_workloads(Settings settings) {
  settings.workloads = Action::deny;
  return settings;
}

/// What the API server would ask about the document, if it is not a review itself.
server::ParsedReview make_review(const Subject& subject, JsonValue document) {
  if (subject.is_review()) return server::read_review(document);
  server::Review review;
  review.operation = "CREATE";
  review.kind = subject.kind();
  review.group = subject.group();
  review.name_space = subject.name().name_space;
  if (review.name_space.empty()) review.name_space = "default";
  review.object = JsonObject(document);
  return {.review = review, .bad_request = std::nullopt};
}

}  // namespace

LocalReviewer::LocalReviewer(const server::Config& config, Os default_os, AddedScheduling* added)
    : policy_(denying_workloads(config.policy)),
      exempt_(config.exempt),
      today_(std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now())),
      default_os_(default_os),
      added_(added) {}

bool LocalReviewer::exempts(const std::string& name_space) const {
  return std::ranges::find(exempt_.namespaces, name_space) != exempt_.namespaces.end();
}

server::ParsedReview LocalReviewer::read_review(const Subject& subject) {
  return subject.is_changed() ? parse_review(subject, subject.text())
                              : make_review(subject, subject.original());
}

server::ParsedReview LocalReviewer::parse_review(const Subject& subject, std::string text) {
  text.reserve(text.size() + simdjson::SIMDJSON_PADDING);
  return make_review(subject, parser_.parse(text.data(), text.size(), false));
}

std::optional<Pod> LocalReviewer::read_pod_of(const Subject& subject) {
  return pod_in(read_review(subject), subject);
}

std::optional<Pod> LocalReviewer::pod_in(const server::ParsedReview& parsed,
                                         const Subject& subject) const {
  const PodKind* const kind = subject.pod_kind();
  if (kind == nullptr || parsed.bad_request || !parsed.review.object) return std::nullopt;
  return read_pod(*parsed.review.object, *kind, settings().target.windows_labels);
}

Target LocalReviewer::target_of(const Pod& pod) const {
  return find_target(pod, settings().target, default_os_);
}

std::optional<Subject> LocalReviewer::sent_to_windows(const Subject& subject) {
  if (added_ == nullptr) return std::nullopt;
  Subject scheduled = subject;
  if (!added_->add_to(scheduled)) return std::nullopt;
  const std::optional<Pod> pod = read_pod_of(scheduled);
  if (!pod) return std::nullopt;
  const Os os = target_of(*pod).os;
  if (os != Os::windows && os != Os::conflict) return std::nullopt;
  return scheduled;
}

bool LocalReviewer::asks_for_linux_selector() const {
  return default_os_ == Os::linux || (default_os_ == Os::none && may_be_without_taints(settings()));
}

FieldErrors LocalReviewer::errors_of(const Pod& pod) const {
  FindingCollector ignored;
  return policy_.validate(pod, target_of(pod), ignored);
}

server::IgnoredIds LocalReviewer::exempt_ids(const server::Review& review) const {
  server::IgnoredIds ids;
  ids.add_exempt(exempt_, review.name_space, today_);
  return ids;
}

server::Admission LocalReviewer::admit(const server::Review& review, server::Hook hook) const {
  return server::admit(review, find_route(hook, default_os_), policy_, exempt_, today_,
                       kMaxFindings);
}

}  // namespace winadmit::cli
