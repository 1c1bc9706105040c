// The generated fields of the API, against two other lists: the OpenAPI of four releases, and the
// rule table.
#include "cli/fields/pod_api.hpp"

#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <map>
#include <string>
#include <string_view>

#include "cli/fields/placement_fields.hpp"
#include "policy/pod/pod_kind.hpp"
#include "policy/rules/allowed_fields.hpp"
#include "policy/rules/field_pattern.hpp"
#include "policy/rules/rule.hpp"
#include "policy/rules/version.hpp"
#include "tests/test_data.hpp"

namespace winadmit::cli {
namespace {

/// "spec.volumes[*].csi.driver", lists with [*] at the end, too.
const std::map<std::string, VersionRange>& fields_of_pods() {
  static const std::map<std::string, VersionRange> kFields = [] {
    std::map<std::string, VersionRange> fields;
    for (const ApiPath& each : api_paths(api_type("PodSpec"))) {
      const std::string list = each.field->is_list ? "[*]" : "";
      fields.emplace("spec." + to_string(each.steps) + list, each.versions);
    }
    return fields;
  }();
  return kFields;
}

const VersionRange* find_field(const std::string& path) {
  const auto& fields = fields_of_pods();
  const auto found = std::ranges::find_if(
      fields, [&](const auto& each) { return is_same_path(each.first, path); });
  return found == fields.end() ? nullptr : &found->second;
}

TEST(PodApi, EndsWithTheNewestRelease) {
  const std::string releases = to_string(kOldestVersion) + '-' + to_string(kNewestVersion);
  EXPECT_NE(pod_api_text().find("Kubernetes " + releases), std::string_view::npos)
      << "run tools/pod-api";
}

TEST(PodApi, KnowsEachKindThatIsOrHoldsAPod) {
  for (const PodKind& kind : pod_kinds()) {
    const ApiType* type = &api_type(kind.kind);
    for (const std::string_view step : kind.template_path) {
      ASSERT_NE(type->find(step), nullptr) << kind.kind << ' ' << step;
      type = type->find(step)->type;
    }
    ASSERT_NE(type->find("spec"), nullptr) << kind.kind;
    EXPECT_EQ(type->find("spec")->type, &api_type("PodSpec")) << kind.kind;
    EXPECT_EQ(type->find("Spec"), nullptr);
  }
}

/// Metadata is left out of the generated fields.
TEST(PodApi, HasTheFieldsThatTheMatrixHas) {
  simdjson::dom::parser parser;
  const simdjson::dom::array rows =
      parser.load(test::data("policy-matrix/policy-matrix.json").string());
  std::map<std::string_view, std::size_t> count;
  for (const simdjson::dom::element row : rows) {
    const std::string path(row["path"].get_string().value());
    if (path.find(".metadata.") != path.npos) continue;
    const auto field = fields_of_pods().find(path);
    ASSERT_NE(field, fields_of_pods().end()) << path;
    for (const auto [release, value] : simdjson::dom::object(row["exists"])) {
      const bool exists = value.get_bool().value();
      EXPECT_EQ(field->second.contains(*parse_version(release)), exists) << path << ' ' << release;
      count[release] += exists ? 1 : 0;
    }
  }
  for (const auto& [release, in_matrix] : count) {
    const auto own = std::ranges::count_if(fields_of_pods(), [&](const auto& each) {
      return each.second.contains(*parse_version(release));
    });
    EXPECT_EQ(static_cast<std::size_t>(own), in_matrix) << release;
  }
}

TEST(PodApi, HasTheFieldOfEachRuleInItsReleases) {
  for (const Rule& rule : rules()) {
    if (rule.scope == Scope::annotation || rule.field.empty()) continue;
    bool is_in_all = false;  // ephemeral containers are younger than the others
    for (const std::string& path : paths_of(rule.scope, rule.field)) {
      const VersionRange* field = find_field(path);
      ASSERT_NE(field, nullptr) << rule.id << ' ' << path;
      is_in_all |= field->first <= rule.versions.first && rule.versions.last <= field->last;
    }
    EXPECT_TRUE(is_in_all) << rule.id << ' ' << to_string(rule.versions);
  }
}

TEST(PodApi, HasTheAllowedFields) {
  for (const AllowedField& allowed : allowed_fields()) {
    for (const std::string& path : paths_of(allowed.scope, allowed.field))
      EXPECT_NE(find_field(path), nullptr) << path;
  }
}

TEST(PodApi, HasFieldsThatWereRemoved) {
  const ApiField* const field = api_type("PodSpec").find("workloadRef");
  ASSERT_NE(field, nullptr);
  EXPECT_EQ(to_string(field->versions), "1.35");
}

TEST(PlacementFields, AreFieldsOfPods) {
  for (const std::string_view name : placement_fields())
    EXPECT_FALSE(api_paths_named(api_type("Pod"), name).empty()) << name;
}

TEST(PlacementFields, AreRecognizedWithMistakes) {
  const std::map<std::string_view, std::string_view> names = {
      {"nodeSelectors", "nodeSelector"}, {"node_selector", "nodeSelector"},
      {"NODESELECTOR", "nodeSelector"},  {"toleration", "tolerations"},
      {"nodeAfinity", "nodeAffinity"},   {"windows", "windowsOptions"},
      {"hostProces", "hostProcess"},     {"OS", "os"}};
  for (const auto& [name, expected] : names)
    EXPECT_EQ(near_placement_field(name), expected) << name;
}

TEST(PlacementFields, AreNotNearToOtherFieldsOfTheApi) {
  for (const ApiPath& each : api_paths(api_type("Pod"))) {
    const std::string_view name = each.field->name;
    if (is_placement_field(name)) continue;
    EXPECT_EQ(near_placement_field(name), "") << name;
  }
}

}  // namespace
}  // namespace winadmit::cli
