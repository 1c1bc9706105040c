// Every field of the Pod API is covered: compares the fields in the OpenAPI of some releases
// (tests/data/policy-matrix) with the rule table and the allowed fields.
#include <gtest/gtest.h>
#include <simdjson.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "policy/rules/allowed_fields.hpp"
#include "policy/rules/field_pattern.hpp"
#include "policy/rules/rule.hpp"
#include "policy/rules/version.hpp"
#include "tests/test_data.hpp"

namespace winadmit {
namespace {

struct Field {
  std::string path;
  std::string type;
  std::string rule;  // an id of ours, if the action is not allow
  std::map<std::string, bool> exists;
  std::map<std::string, std::string> action;
};

std::string text(simdjson::dom::element value) { return std::string(value.get_string().value()); }

const std::vector<Field>& matrix() {
  static const std::vector<Field> kFields = [] {
    simdjson::dom::parser parser;
    const simdjson::dom::array rows =
        parser.load(test::data("policy-matrix/policy-matrix.json").string());
    std::vector<Field> read;
    for (const simdjson::dom::element row : rows) {
      Field field{text(row["path"]), text(row["type"]), text(row["rule"]), {}, {}};
      for (const auto [release, exists] : simdjson::dom::object(row["exists"])) {
        field.exists[std::string(release)] = exists.get_bool().value();
        field.action[std::string(release)] = text(row["action"][release]);
      }
      read.push_back(std::move(field));
    }
    return read;
  }();
  return kFields;
}

/// The columns of the matrix.
std::vector<Version> releases() {
  std::vector<Version> found;
  for (const auto& [release, exists] : matrix().front().exists)
    found.push_back(parse_version(release).value());
  return found;
}

/// A row of the rule table and its paths.
struct Row {
  const Rule* rule;
  std::vector<std::string> paths;
};

const std::vector<Row>& rows() {
  static const std::vector<Row> kRows = [] {
    std::vector<Row> made;
    for (const Rule& rule : rules()) {
      if (rule.scope == Scope::annotation || rule.field.empty()) continue;
      made.push_back({&rule, paths_of(rule.scope, rule.field)});
    }
    return made;
  }();
  return kRows;
}

bool is_field_of(const Row& row, std::string_view path) {
  return std::any_of(row.paths.begin(), row.paths.end(),
                     [&](const std::string& own) { return is_same_path(path, own); });
}

/// A rule that relates some members of an object says nothing about the other members.
bool is_below_field_of(const Row& row, std::string_view path) {
  if (row.rule->forbids.relates) return false;
  return std::any_of(row.paths.begin(), row.paths.end(),
                     [&](const std::string& own) { return is_below(path, own); });
}

/// Whether the rule can match in a pod without spec.os and without strict.
bool can_match(const Rule& rule) { return rule.forbids.matches != never.matches; }

std::vector<const Rule*> active_rules(std::string_view path, Version version) {
  std::vector<const Rule*> active;
  for (const Row& row : rows()) {
    if (can_match(*row.rule) && row.rule->versions.contains(version) &&
        (is_field_of(row, path) || is_below_field_of(row, path))) {
      active.push_back(row.rule);
    }
  }
  return active;
}

/// Whether the matrix forbids a field by this rule. A rule that is added later may forbid what the
/// matrix allows.
bool is_in_matrix(const Rule& rule) {
  return std::ranges::any_of(matrix(), [&](const Field& field) {
    return field.rule == rule.id && std::ranges::any_of(field.action, [](const auto& entry) {
             return entry.second != "allow";
           });
  });
}

/// The action of the matrix, with one exception: `kubectl debug` adds SYS_PTRACE, so capabilities
/// of an ephemeral container warn instead of deny.
std::string_view expected_action(const Field& field, const std::string& release) {
  const std::string& action = field.action.at(release);
  if (action == "deny" &&
      field.path.starts_with("spec.ephemeralContainers[*].securityContext.capabilities")) {
    return "warn";
  }
  return action;
}

TEST(PolicyMatrix, EndsWithTheNewestRelease) { EXPECT_EQ(releases().back(), kNewestVersion); }

TEST(PolicyMatrix, HasEveryFieldOfThePodApi) {
  EXPECT_EQ(matrix().size(), 1097U) << "change README.md of the matrix, too";
}

TEST(PolicyMatrix, HasARuleOrAnAllowedFieldForEachField) {
  for (const Version version : releases()) {
    const std::string release = to_string(version);
    for (const Field& field : matrix()) {
      if (!field.exists.at(release)) continue;
      EXPECT_TRUE(!active_rules(field.path, version).empty() ||
                  find_allowed_field(field.path) != nullptr)
          << field.path << " in " << release
          << " is new: add a rule, or an entry in policy/rules/allowed_fields.cpp";
    }
  }
}

TEST(PolicyMatrix, AgreesWithTheTableOnWhatIsForbidden) {
  for (const Version version : releases()) {
    const std::string release = to_string(version);
    for (const Field& field : matrix()) {
      if (!field.exists.at(release) || field.action.at(release) == "allow") continue;
      const std::vector<const Rule*> active = active_rules(field.path, version);
      EXPECT_TRUE(std::any_of(active.begin(), active.end(),
                              [&](const Rule* rule) {
                                return rule->id == field.rule &&
                                       to_string(rule->action) == expected_action(field, release);
                              }))
          << field.path << " in " << release << " must " << field.action.at(release) << " by "
          << field.rule;
      for (const Rule* rule : active) {
        if (is_in_matrix(*rule)) {
          EXPECT_EQ(rule->id, field.rule) << field.path;
        }
      }
    }
  }
}

TEST(PolicyMatrix, AgreesWithTheTableOnWhatIsAllowed) {
  for (const Version version : releases()) {
    const std::string release = to_string(version);
    for (const Field& field : matrix()) {
      // A release without ephemeral containers has none of their fields.
      if (field.action.at(release) != "allow") continue;
      if (!field.exists.at(release) && field.path.starts_with("spec.ephemeralContainers")) continue;
      for (const Rule* rule : active_rules(field.path, version)) {
        EXPECT_FALSE(is_in_matrix(*rule))
            << field.path << " in " << release << " is allowed, but has the rule " << rule->id;
      }
    }
  }
}

TEST(PolicyMatrix, HasEveryFieldOfTheTable) {
  for (const Row& row : rows()) {
    for (const std::string& path : row.paths) {
      EXPECT_TRUE(std::any_of(matrix().begin(), matrix().end(),
                              [&](const Field& field) { return is_same_path(field.path, path); }))
          << row.rule->id << ": the Pod API has no field " << path
          << ". For a new field, add it to tests/data/policy-matrix/policy-matrix.json";
    }
  }
}

TEST(PolicyMatrix, HasEveryAllowedField) {
  for (const AllowedField& allowed : allowed_fields()) {
    for (const std::string& path : paths_of(allowed.scope, allowed.field)) {
      EXPECT_TRUE(std::any_of(matrix().begin(), matrix().end(),
                              [&](const Field& field) { return is_same_path(field.path, path); }))
          << "the Pod API has no " << path;
    }
  }
}

TEST(PolicyMatrix, HasNoAllowedFieldThatARuleForbids) {
  for (const AllowedField& allowed : allowed_fields()) {
    // An entry without a last release says what holds in the newest one.
    const VersionRange range = allowed.versions.contains(kNewestVersion)
                                   ? between(kNewestVersion, kNewestVersion)
                                   : allowed.versions;
    for (const std::string& path : paths_of(allowed.scope, allowed.field)) {
      for (const Row& row : rows()) {
        // A rule about some values, some keys of a map or some pods leaves the field itself
        // allowed.
        const bool forbids_presence = (row.rule->forbids.matches == value_is_present ||
                                       row.rule->forbids.matches == value_is_nonempty ||
                                       row.rule->forbids.matches == nonempty_string.matches) &&
                                      !row.rule->only_if && !row.rule->unless;
        EXPECT_FALSE(forbids_presence && is_field_of(row, path) && can_match(*row.rule) &&
                     row.rule->versions.overlaps(range))
            << row.rule->id << " forbids " << path
            << ": remove it from policy/rules/allowed_fields.cpp, or limit its versions there";
      }
    }
  }
}

TEST(PolicyMatrix, AgreesWithTheTableOnTypes) {
  const std::map<std::string_view, JsonType> json_types = {
      {"boolean", JsonType::boolean}, {"integer", JsonType::integer}, {"string", JsonType::string}};
  for (const Row& row : rows()) {
    if (!can_match(*row.rule)) continue;
    for (const Field& field : matrix()) {
      if (!is_field_of(row, field.path)) continue;
      const auto scalar = json_types.find(field.type);
      const JsonType expected = field.path.ends_with("[*]")  ? JsonType::list
                                : scalar != json_types.end() ? scalar->second
                                                             : JsonType::object;
      EXPECT_EQ(static_cast<int>(row.rule->forbids.type), static_cast<int>(expected))
          << row.rule->id << " on " << field.path << ", which is a " << field.type;
    }
  }
}

/// The API server refuses these fields if spec.os.name is windows. Of hostPID, hostIPC, sysctls and
/// added capabilities it looks at the value, so a rule about the value is enough; elsewhere
/// presence must be denied.
TEST(PolicyMatrix, HasADenialForEachFieldThatTheApiServerRefuses) {
  const std::set<std::string_view> by_value = {"spec.hostPID", "spec.hostIPC",
                                               "spec.securityContext.sysctls[*]"};
  simdjson::dom::parser parser;
  const simdjson::dom::array paths =
      parser.load(test::data("policy-matrix/rejected-with-spec-os.json").string());
  std::size_t seen = 0;
  for (const simdjson::dom::element entry : paths) {
    const std::string path = text(entry);
    ++seen;
    bool refused = false;
    for (const Row& row : rows()) {
      if (!is_field_of(row, path) || !row.rule->versions.contains(kNewestVersion)) continue;
      refused |= static_cast<bool>(row.rule->forbids_with_spec_os) ||
                 (row.rule->action == Action::deny &&
                  (by_value.contains(path) || path.ends_with("capabilities.add[*]")));
    }
    EXPECT_TRUE(refused) << path;
  }
  EXPECT_EQ(seen, 52U);
}

}  // namespace
}  // namespace winadmit
