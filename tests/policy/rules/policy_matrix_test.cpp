// Completeness: every field of the Pod API, as enumerated from the OpenAPI of four releases,
// against the table and the fields that it allows (tests/data/policy-matrix).
#include <gtest/gtest.h>
#include <simdjson.h>

#include <array>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "policy/rules/allowed_fields.hpp"
#include "policy/rules/field_pattern.hpp"
#include "policy/rules/rule.hpp"
#include "tests/test_data.hpp"

namespace winadmit {
namespace {

constexpr std::array<std::string_view, 4> kReleases = {"1.14", "1.16", "1.34", "1.36"};

struct Field {
  std::string path;
  std::string type;
  std::string rule;  // the id of the matrix, which is ours where the action is not allow
  std::map<std::string_view, bool> exists;
  std::map<std::string_view, std::string> action;
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
      for (const std::string_view release : kReleases) {
        field.exists[release] = row["exists"][release].get_bool().value();
        field.action[release] = text(row["action"][release]);
      }
      read.push_back(std::move(field));
    }
    return read;
  }();
  return kFields;
}

/// The paths of each row, worked out once.
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

bool names(const Row& row, std::string_view path) {
  return std::any_of(row.paths.begin(), row.paths.end(),
                     [&](const std::string& own) { return is_same_path(path, own); });
}

bool reaches(const Row& row, std::string_view path) {
  return std::any_of(row.paths.begin(), row.paths.end(),
                     [&](const std::string& own) { return is_below(path, own); });
}

/// Whether the row can say anything of a pod without spec.os and without strict.
bool speaks(const Rule& rule) { return rule.forbids.matches != never.matches; }

std::vector<const Rule*> active_rules(std::string_view path, Version version) {
  std::vector<const Rule*> active;
  for (const Row& row : rows()) {
    if (speaks(*row.rule) && row.rule->versions.contains(version) &&
        (names(row, path) || reaches(row, path))) {
      active.push_back(row.rule);
    }
  }
  return active;
}

std::string_view name_of(Action action) {
  return action == Action::deny ? "deny" : action == Action::warn ? "warn" : "other";
}

/// Decided after the matrix was written: `kubectl debug` adds SYS_PTRACE, so on an ephemeral
/// container capabilities warn where the matrix denies.
std::string_view expected_action(const Field& field, std::string_view release) {
  const std::string& action = field.action.at(release);
  if (action == "deny" &&
      field.path.starts_with("spec.ephemeralContainers[*].securityContext.capabilities")) {
    return "warn";
  }
  return action;
}

TEST(PolicyMatrix, HasEveryFieldOfThePodApi) { EXPECT_EQ(matrix().size(), 1097U); }

TEST(PolicyMatrix, LeavesNoFieldWithoutAnOpinion) {
  for (const std::string_view release : kReleases) {
    const Version version = parse_version(release).value();
    for (const Field& field : matrix()) {
      if (!field.exists.at(release)) continue;
      EXPECT_TRUE(!active_rules(field.path, version).empty() ||
                  find_allowed_field(field.path) != nullptr)
          << field.path << " in " << release << ": no rule, and not allowed because of anything";
    }
  }
}

TEST(PolicyMatrix, AgreesWithTheTableOnWhatIsForbidden) {
  for (const std::string_view release : kReleases) {
    const Version version = parse_version(release).value();
    for (const Field& field : matrix()) {
      if (!field.exists.at(release) || field.action.at(release) == "allow") continue;
      const std::vector<const Rule*> active = active_rules(field.path, version);
      EXPECT_TRUE(std::any_of(active.begin(), active.end(),
                              [&](const Rule* rule) {
                                return rule->id == field.rule &&
                                       name_of(rule->action) == expected_action(field, release);
                              }))
          << field.path << " in " << release << " must " << field.action.at(release) << " by "
          << field.rule;
      for (const Rule* rule : active) EXPECT_EQ(rule->id, field.rule) << field.path;
    }
  }
}

TEST(PolicyMatrix, AgreesWithTheTableOnWhatIsAllowed) {
  for (const std::string_view release : kReleases) {
    const Version version = parse_version(release).value();
    for (const Field& field : matrix()) {
      // Where a release has no ephemeral containers, it has no field of theirs to be flagged.
      if (field.action.at(release) != "allow") continue;
      if (!field.exists.at(release) && field.path.starts_with("spec.ephemeralContainers")) continue;
      for (const Rule* rule : active_rules(field.path, version)) {
        ADD_FAILURE() << field.path << " in " << release << " is allowed, but " << rule->id
                      << " speaks of it";
      }
    }
  }
}

TEST(PolicyMatrix, KnowsEveryFieldOfTheTable) {
  for (const Row& row : rows()) {
    for (const std::string& path : row.paths) {
      EXPECT_TRUE(std::any_of(matrix().begin(), matrix().end(),
                              [&](const Field& field) { return is_same_path(field.path, path); }))
          << row.rule->id << ": the Pod API has no " << path;
    }
  }
}

TEST(PolicyMatrix, KnowsEveryAllowedField) {
  for (const AllowedField& allowed : allowed_fields()) {
    for (const std::string& path : paths_of(allowed.scope, allowed.field)) {
      EXPECT_TRUE(std::any_of(matrix().begin(), matrix().end(),
                              [&](const Field& field) { return is_same_path(field.path, path); }))
          << "the Pod API has no " << path;
    }
  }
}

TEST(PolicyMatrix, HasAllowedFieldsThatARuleDoesNotForbidNow) {
  for (const AllowedField& allowed : allowed_fields()) {
    for (const std::string& path : paths_of(allowed.scope, allowed.field)) {
      for (const Row& row : rows()) {
        // A rule of one value, `hugepages-*` say, leaves the field as such allowed.
        if (row.rule->id == "hugepages" || row.rule->id == "ephemeral-target") continue;
        EXPECT_FALSE(names(row, path) && speaks(*row.rule) &&
                     row.rule->versions.contains(kNewestVersion))
            << path << " is allowed, and forbidden by " << row.rule->id;
      }
    }
  }
}

TEST(PolicyMatrix, GivesFieldsTheTypesThatTheTableExpects) {
  const std::map<std::string_view, Shape> shapes = {
      {"boolean", Shape::boolean}, {"integer", Shape::integer}, {"string", Shape::string}};
  for (const Row& row : rows()) {
    if (!speaks(*row.rule)) continue;
    for (const Field& field : matrix()) {
      if (!names(row, field.path)) continue;
      const auto scalar = shapes.find(field.type);
      const Shape expected = field.path.ends_with("[*]") ? Shape::list
                             : scalar != shapes.end()    ? scalar->second
                                                         : Shape::object;
      EXPECT_EQ(static_cast<int>(row.rule->forbids.shape), static_cast<int>(expected))
          << row.rule->id << " on " << field.path << ", which is a " << field.type;
    }
  }
}

/// With spec.os.name windows the API server refuses these fields. Where it looks at the value
/// (hostPID, hostIPC, sysctls) the rule of the value is enough; elsewhere presence must be denied.
TEST(PolicyMatrix, HasARuleForEachFieldThatTheApiServerRefuses) {
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
      if (!names(row, path) || !row.rule->versions.contains(kNewestVersion)) continue;
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
