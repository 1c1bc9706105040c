#include "cli/judge.hpp"

#include <algorithm>
#include <utility>

#include "policy/json/text.hpp"

namespace winadmit::cli {
namespace {

using nlohmann::json;

std::string text_in_metadata(const json& object, const char* key) {
  const auto metadata = object.find("metadata");
  return metadata != object.end() ? manifests::text_member(*metadata, key) : std::string();
}

std::string name_of(const json& object) {
  std::string name = text_in_metadata(object, "name");
  if (name.empty()) name = text_in_metadata(object, "generateName");
  if (const auto name_space = text_in_metadata(object, "namespace"); !name_space.empty()) {
    name.insert(0, name_space + '/');
  }
  const auto kind = manifests::text_member(object, "kind");
  return name.empty() ? kind : kind + ' ' + name;
}

/// "apps/v1": apps; "v1": the core group.
std::string group_of(const json& object) {
  const auto version = manifests::text_member(object, "apiVersion");
  const std::size_t slash = version.find('/');
  return slash == std::string::npos ? std::string() : version.substr(0, slash);
}

json patched(const json& object, const Patch& patch) {
  json operations = json::array();
  for (const PatchOperation& each : patch) {
    json operation = {{"op", std::string(each.op)}, {"path", each.path}};
    if (!each.value.empty()) operation["value"] = json::parse(each.value);
    operations.push_back(std::move(operation));
  }
  return object.patch(operations);
}

const server::Route& route_of(server::Hook hook, Os default_os) {
  return *std::ranges::find_if(server::kRoutes, [&](const server::Route& each) {
    return each.hook == hook && each.mode == server::Mode::enforce && each.default_os == default_os;
  });
}

server::Config judging_templates(server::Config config) {
  config.policy.workloads = Action::deny;
  return config;
}

Settings stripping(Settings settings) {
  for (const Rule& rule : rules()) {
    if (is_removable(rule.id)) settings.actions.try_emplace(std::string(rule.id), Action::strip);
  }
  return settings;
}

}  // namespace

std::string Said::line() const {
  std::string line = place.text() + ": " + (refuses ? "error: " : "warning: ") + object + ": ";
  if (!field.empty()) line += field + ": ";
  line += text;
  if (!rule.empty()) line += " (" + rule + ')';
  return line;
}

json Said::as_json() const {
  json made = {{"file", place.file}, {"object", object}, {"action", refuses ? "deny" : "warn"},
               {"field", field},     {"message", text},  {"rule", rule}};
  if (place.line != 0) made.update({{"line", place.line}, {"column", place.column}});
  return made;
}

Judge::Judge(const server::Config& config, Os default_os)
    : config_(judging_templates(config)),
      default_os_(default_os),
      policy_(config_.policy),
      stripping_(stripping(config_.policy)) {}

std::vector<Said> Judge::judge(const manifests::Manifest& manifest) {
  const Patch patch =
      admit(manifest.object, route_of(server::Hook::mutate, default_os_)).response.patch;
  const server::Admission admission =
      admit(patched(manifest.object, patch), route_of(server::Hook::validate, default_os_));
  std::vector<Said> said;
  const auto say = [&](const std::string& pointer, bool refuses, std::string_view field,
                       std::string_view text, std::string_view rule) {
    said.push_back({.place = manifests::place_of(manifest, pointer),
                    .object = name_of(manifest.object),
                    .refuses = refuses,
                    .field = std::string(field),
                    .text = std::string(text),
                    .rule = std::string(rule)});
  };
  if (admission.bad_request) say("", true, "", admission.bad_request->message, "");
  for (const Finding& each : admission.found.kept) {
    say(each.path.pointer(), each.action == Action::deny, each.field, each.text, each.id);
  }
  if (const std::size_t more = admission.found.total - admission.found.kept.size(); more > 0) {
    say("", admission.found.denials > 0, "", "and " + with_separators(more) + " more", "");
  }
  std::ranges::stable_sort(
      said, {}, [](const Said& each) { return std::pair(each.place.line, each.place.column); });
  return said;
}

json Judge::fix(const json& object) {
  const server::Admission mutated = admit(object, route_of(server::Hook::mutate, default_os_));
  const PodKind* const kind =
      find_pod_kind(manifests::text_member(object, "kind"), group_of(object));
  if (kind == nullptr || mutated.bad_request || mutated.decision == server::Decision::exempt)
    return object;
  text_ = object.dump();
  const Pod pod = read_pod(parser_.parse(text_).get_object(), *kind);
  const Target target = find_target(pod, config_.policy.target, default_os_);
  return patched(object, stripping_.make_patch(pod, target, Placement::full));
}

server::Admission Judge::admit(const json& object, const server::Route& route) {
  const auto kind = manifests::text_member(object, "kind");
  const std::string group = group_of(object);
  std::string name_space = text_in_metadata(object, "namespace");
  if (name_space.empty()) name_space = "default";
  text_ = object.dump();
  server::Review review;
  review.operation = "CREATE";
  review.kind = kind;
  review.group = group;
  review.name_space = name_space;
  review.object = parser_.parse(text_).get_object();
  return server::admit(review, route, policy_, config_.exempt);
}

}  // namespace winadmit::cli
