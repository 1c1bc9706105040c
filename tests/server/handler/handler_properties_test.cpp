// Properties of every review, tested with generated pods.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "tests/policy/judge/naive.hpp"
#include "tests/rule_cases.hpp"
#include "tests/server/handler/reviewer.hpp"
#include "tests/test_data.hpp"

namespace winadmit::test {
namespace {

using nlohmann::json;

Json ordered(const json& value) { return Json::parse(value.dump()); }

/// The denials of a pod, as an UPDATE compares them.
std::set<std::tuple<std::string, std::string, std::string>> denials_of(const json& pod) {
  std::set<std::tuple<std::string, std::string, std::string>> keys;
  for (const NaiveFinding& each : naive_findings(pod, Settings{})) {
    if (each.action != Action::deny) continue;
    keys.emplace(each.id, each.field, each.value.dump());
  }
  return keys;
}

TEST(HandlerProperties, AnUpdateIsRefusedForNewDenialsAndForNothingElse) {
  Reviewer reviewer;
  PodGenerator generate(2);
  std::size_t refused = 0;
  std::size_t allowed_with_denials = 0;
  for (std::size_t i = 0; i < 2000; i += input_step()) {
    const json old = generate.pod();
    const json changed = generate.changed(old);
    SCOPED_TRACE(old.dump() + " to " + changed.dump());
    const auto denials = denials_of(changed);
    const bool all_old = std::ranges::includes(denials_of(old), denials);
    const Answer answer = reviewer.send("/validate", update(ordered(old), ordered(changed)));
    ASSERT_EQ(answer.status, 200);
    ASSERT_EQ(answer.allowed(), all_old) << answer.body;
    refused += all_old ? 0 : 1;
    allowed_with_denials += all_old && !denials.empty() ? 1 : 0;
  }
  EXPECT_GT(refused, 100 / input_step());
  EXPECT_GT(allowed_with_denials, 100 / input_step());
}

TEST(HandlerProperties, AnUpdateOfFieldsThatNoRuleReadsIsNeverRefused) {
  Reviewer reviewer;
  PodGenerator generate(3);
  for (std::size_t i = 0; i < 500; i += input_step()) {
    const json old = generate.pod();
    json changed = old;
    changed["metadata"]["labels"]["a"] = "b";
    changed["spec"]["activeDeadlineSeconds"] = 5;
    changed["spec"]["containers"][0]["image"] = "registry.example/app:2";
    changed["spec"]["containers"][0]["resources"]["limits"]["cpu"] = "2";
    SCOPED_TRACE(old.dump());
    EXPECT_TRUE(reviewer.send("/validate", update(ordered(old), ordered(changed))).allowed());
    json labelled = old;
    labelled["metadata"]["labels"]["a"] = "b";
    EXPECT_TRUE(
        reviewer.send("/validate", update(ordered(old), ordered(labelled))).is_plain_allow());
  }
}

TEST(HandlerProperties, TheResponseDoesNotDependOnTheOrderOfKeysOrOnWhiteSpace) {
  Reviewer reviewer;
  PodGenerator generate(4);
  for (std::size_t i = 0; i < 500; i += input_step()) {
    const json old = generate.pod();
    const Json review = update(ordered(old), ordered(generate.changed(old)));
    SCOPED_TRACE(review.dump());
    const Answer expected = reviewer.send("/validate", review);
    for (const std::string& body : {reversed(review).dump(), review.dump(3)}) {
      const Answer answer = reviewer.post("/validate", body);
      EXPECT_EQ(answer.allowed(), expected.allowed());
      EXPECT_EQ(answer.refused(), expected.refused());
      EXPECT_EQ(answer.warned(), expected.warned());
    }
  }
}

/// Appends a pointer to each member below `at`.
void list_members(const json& at, const json::json_pointer& pointer,
                  std::vector<json::json_pointer>& members) {
  if (at.is_object()) {
    for (const auto& [key, value] : at.items()) {
      members.push_back(pointer / key);
      list_members(value, pointer / key, members);
    }
  } else if (at.is_array()) {
    for (std::size_t i = 0; i < at.size(); ++i) list_members(at[i], pointer / i, members);
  }
}

/// The text of a review with a duplicate of the member.
std::string doubled(const json& review, const json::json_pointer& member, const json& second) {
  static const std::string kMark = "twice:";
  json made = review;
  made[member.parent_pointer()][kMark + member.back()] = second;
  std::string text = made.dump();
  text.erase(text.find(kMark), kMark.size());
  return text;
}

std::string summary_of(const Answer& answer) {
  if (answer.status != 200) return std::to_string(answer.status);
  return answer.response.dump();
}

TEST(HandlerProperties, ADuplicateKeyIsNeverIgnored) {
  Reviewer reviewer;
  PodGenerator generate(5);
  std::size_t refused = 0;
  for (std::size_t i = 0; i < 300; i += input_step()) {
    json object = generate.pod();
    object["spec"]["tolerations"] = {{{"key", "os"}, {"value", "Win1809"}}};
    object["spec"]["affinity"] = json::parse(
        R"({"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":{"nodeSelectorTerms":
           [{"matchExpressions":[{"key":"kubernetes.io/os","operator":"In","values":["windows"]}]}]}}})");
    object["metadata"]["ownerReferences"] = {{{"kind", "DaemonSet"}, {"controller", true}}};
    json review = json::parse(create(ordered(object)).dump());
    std::vector<json::json_pointer> members;
    list_members(review, json::json_pointer(), members);
    for (const json::json_pointer& member : members) {
      // Another value of the same type, or none.
      const json& first = review.at(member);
      const json second = first.is_boolean()  ? json(!first.get<bool>())
                          : first.is_string() ? json("other")
                                              : json();
      json other = review;
      other.at(member) = second;
      for (const char* path : {"/validate", "/mutate"}) {
        const std::string as_first = summary_of(reviewer.post(path, review.dump()));
        const std::string as_second = summary_of(reviewer.post(path, other.dump()));
        if (as_first == as_second || member.back() == "uid") continue;
        SCOPED_TRACE(member.to_string() + " in " + review.dump());
        const Answer answer = reviewer.post(path, doubled(review, member, second));
        const bool is_refused = answer.status == 400 ||
                                (!answer.response["allowed"].get<bool>() && answer.code() == 400);
        EXPECT_TRUE(is_refused) << answer.body;
        ++refused;
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(refused, 1000 / input_step());
}

constexpr std::string_view kHostile = "-\n\x1b\u202e";

/// The review with the hostile text behind a key, and behind its value if that is a string.
std::vector<json> made_hostile(const json& review, const json::json_pointer& member) {
  std::vector<json> made;
  json& parent = made.emplace_back(review).at(member.parent_pointer());
  if (parent.is_object()) {
    parent[member.back() + std::string(kHostile)] = parent[member.back()];
    parent.erase(member.back());
  }
  if (review.at(member).is_string()) {
    json& value = made.emplace_back(review).at(member);
    value = value.get<std::string>() + std::string(kHostile);
  }
  return made;
}

/// Lines that are the entries of a list of findings, and nothing of the request.
bool is_safe(const std::string& text) {
  return text.find('\x1b') == std::string::npos && text.find("\u202e") == std::string::npos &&
         text.find("-\n") == std::string::npos;
}

TEST(HandlerProperties, NoTextOfARequestHidesOrMovesThatOfAMessage) {
  Reviewer reviewer("strict: true\n");
  std::size_t repeated = 0;
  const auto expect_safe = [&](const std::string& text) {
    EXPECT_TRUE(is_safe(text)) << text;
    repeated += text.find("\\x1b\\u202e") == std::string::npos ? 0 : 1;
  };
  for (const RuleCase& one : sample(rule_cases())) {
    const json review = json::parse(create(ordered(one.pod)).dump());
    std::vector<json::json_pointer> members;
    list_members(review, json::json_pointer(), members);
    for (const json::json_pointer& member : members) {
      for (const json& hostile : made_hostile(review, member)) {
        const Answer answer = reviewer.post("/validate", hostile.dump());
        if (answer.status != 200) {
          expect_safe(answer.body);
          continue;
        }
        for (const std::string& warning : answer.warnings()) {
          expect_safe(warning);
          EXPECT_EQ(warning.find('\n'), std::string::npos) << warning;
        }
        if (!answer.allowed()) expect_safe(answer.message());
      }
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(repeated, 1000 / input_step());
}

}  // namespace
}  // namespace winadmit::test
