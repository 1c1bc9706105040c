#include "cli/manifest_checker.hpp"

#include <algorithm>
#include <utility>

#include "policy/json/text.hpp"
#include "server/config/namespace_labels.hpp"

namespace winadmit::cli {
namespace {

using nlohmann::json;

std::string metadata_member(const json& object, const char* key) {
  const auto metadata = object.find("metadata");
  return metadata != object.end() ? manifests::string_member(*metadata, key) : std::string();
}

std::string name_of(const json& object) {
  std::string name = metadata_member(object, "name");
  if (name.empty()) name = metadata_member(object, "generateName");
  if (const auto name_space = metadata_member(object, "namespace"); !name_space.empty()) {
    name.insert(0, name_space + '/');
  }
  const auto kind = manifests::string_member(object, "kind");
  return name.empty() ? kind : kind + ' ' + name;
}

/// "apps" of apps/v1; "" of v1, the core group.
std::string group_of(const json& object) {
  const auto version = manifests::string_member(object, "apiVersion");
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

const server::Route& find_route(server::Hook hook, Os default_os) {
  return *std::ranges::find_if(server::kRoutes, [&](const server::Route& each) {
    return each.hook == hook && each.mode == server::Mode::enforce && each.default_os == default_os;
  });
}

std::pair<int, int> position(const ManifestFinding& finding) {
  return {finding.location.line, finding.location.column};
}

server::Config denying_workloads(server::Config config) {
  config.policy.workloads = Action::deny;
  return config;
}

Settings stripping_removable_fields(Settings settings) {
  for (const Rule& rule : rules()) {
    if (is_removable(rule.id)) settings.actions.try_emplace(std::string(rule.id), Action::strip);
  }
  return settings;
}

}  // namespace

std::string to_string(const ManifestFinding& finding) {
  std::string line =
      to_string(finding.location) + (finding.is_denial ? ": error: " : ": warning: ");
  line += finding.object + ": ";
  if (!finding.field.empty()) line += finding.field + ": ";
  line += finding.message;
  if (!finding.rule.empty()) line += " (" + finding.rule + ')';
  return line;
}

json to_json(const ManifestFinding& finding) {
  json row = {{"file", finding.location.file},
              {"object", finding.object},
              {"action", finding.is_denial ? "deny" : "warn"},
              {"field", finding.field},
              {"message", finding.message},
              {"rule", finding.rule}};
  if (finding.location.line != 0)
    row.update({{"line", finding.location.line}, {"column", finding.location.column}});
  return row;
}

ManifestChecker::ManifestChecker(const server::Config& config, Os default_os)
    : config_(denying_workloads(config)),
      default_os_(default_os),
      policy_(config_.policy),
      fixing_policy_(stripping_removable_fields(config_.policy)) {}

std::vector<ManifestFinding> ManifestChecker::check_namespace(
    const manifests::Manifest& manifest) const {
  const Action action = action_of_advice(kAdviceNamespaceLabel, config_.policy);
  if (action == Action::allow) return {};
  static const json::json_pointer kLabels("/metadata/labels");
  if (!manifest.object.contains(kLabels)) return {};
  std::vector<ManifestFinding> findings;
  for (const auto& [key, value] : manifest.object.at(kLabels).items()) {
    if (!value.is_string()) continue;  // the API server refuses it
    const auto fault = server::find_label_fault(key, value.get<std::string>());
    if (fault.reason.empty()) continue;
    findings.push_back({.location = manifests::location_of(
                            manifest, "/metadata/labels/" + escape_pointer_token(key)),
                        .object = name_of(manifest.object),
                        .is_denial = action == Action::deny,
                        .field = "metadata.labels[" + key + ']',
                        .message = fault.reason + "; " + fault.instead,
                        .rule = std::string(kAdviceNamespaceLabel)});
  }
  std::ranges::stable_sort(findings, {}, position);
  return findings;
}

std::vector<ManifestFinding> ManifestChecker::check(const manifests::Manifest& manifest) {
  if (manifests::string_member(manifest.object, "kind") == "Namespace" &&
      group_of(manifest.object).empty()) {
    return check_namespace(manifest);
  }
  const Patch patch =
      admit(manifest.object, parse(manifest.object), server::Hook::mutate).response.patch;
  const json placed = patched(manifest.object, patch);
  const server::Admission admission = admit(placed, parse(placed), server::Hook::validate);
  std::vector<ManifestFinding> findings;
  const auto add = [&](const std::string& pointer, bool is_denial, std::string_view field,
                       std::string_view message, std::string_view rule) {
    findings.push_back({.location = manifests::location_of(manifest, pointer),
                        .object = name_of(manifest.object),
                        .is_denial = is_denial,
                        .field = std::string(field),
                        .message = std::string(message),
                        .rule = std::string(rule)});
  };
  if (admission.bad_request) add("", true, "", admission.bad_request->message, "");
  for (const Finding& each : admission.found.kept) {
    std::string text;
    each.append_text(text);
    add(each.path.json_pointer(), each.action == Action::deny, each.field, text, each.id);
  }
  if (const std::size_t more = admission.found.total - admission.found.kept.size(); more > 0) {
    add("", admission.found.denials > 0, "", "and " + format_count(more) + " more", "");
  }
  std::ranges::stable_sort(findings, {}, position);
  return findings;
}

json ManifestChecker::fix(const json& object) {
  const JsonObject parsed = parse(object);
  const server::Admission mutated = admit(object, parsed, server::Hook::mutate);
  const PodKind* const kind =
      find_pod_kind(manifests::string_member(object, "kind"), group_of(object));
  if (kind == nullptr || mutated.bad_request || mutated.decision == server::Decision::exempt)
    return object;
  const Pod pod = read_pod(parsed, *kind, config_.policy.target.windows_labels);
  const Target target = find_target(pod, config_.policy.target, default_os_);
  return patched(object, fixing_policy_.make_patch(pod, target, Placement::full));
}

JsonObject ManifestChecker::parse(const json& object) {
  text_ = object.dump();
  return parser_.parse(text_).get_object();
}

server::Admission ManifestChecker::admit(const json& object, JsonObject parsed,
                                         server::Hook hook) const {
  const auto kind = manifests::string_member(object, "kind");
  const std::string group = group_of(object);
  std::string name_space = metadata_member(object, "namespace");
  if (name_space.empty()) name_space = "default";
  server::Review review;
  review.operation = "CREATE";
  review.kind = kind;
  review.group = group;
  review.name_space = name_space;
  review.object = parsed;
  return server::admit(review, find_route(hook, default_os_), policy_, config_.exempt);
}

}  // namespace winadmit::cli
