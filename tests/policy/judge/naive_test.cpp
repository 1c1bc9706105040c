// Compares the validator with the naive implementation, on generated pods.
#include "tests/policy/judge/naive.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "policy/judge/validate.hpp"
#include "tests/policy/parsed.hpp"

namespace winadmit::test {
namespace {

/// Keeps all findings, without their values.
class FindingList final : public FindingSink {
 public:
  void add(const FindingView& hit) override {
    found.push_back({std::string(hit.id), hit.path.to_string(), hit.action, {}});
  }
  std::vector<NaiveFinding> found;
};

TEST(Naive, HasTheFindingsOfTheValidator) {
  PodGenerator generate(1);
  std::size_t found = 0;
  std::set<std::string> ids;
  for (int i = 0; i < 4000; ++i) {
    const nlohmann::json object = generate.pod();
    const Settings settings = generate.settings();
    SCOPED_TRACE(object.dump() + " in " + to_string(settings.kubernetes));
    simdjson::dom::parser parser;
    const Pod pod = read_pod(parser.parse(object.dump()).get_object(), *find_pod_kind("Pod"),
                             test::no_labels());
    FindingList list;
    FieldErrors errors;
    Validator(rules(), settings).validate(pod, list, errors);
    EXPECT_EQ(errors.message(), "");
    std::ranges::sort(list.found);

    std::vector<NaiveFinding> expected = naive_findings(object, settings);
    for (NaiveFinding& each : expected) each.value = {};
    std::ranges::sort(expected);
    ASSERT_EQ(list.found.size(), expected.size());
    for (std::size_t at = 0; at < expected.size(); ++at) {
      EXPECT_EQ(list.found[at].id, expected[at].id);
      EXPECT_EQ(list.found[at].field, expected[at].field);
      EXPECT_EQ(list.found[at].action, expected[at].action);
    }
    found += expected.size();
    for (const NaiveFinding& each : expected) ids.insert(each.id);
    if (HasFailure()) return;
  }
  EXPECT_GT(found, 3000U) << "the generated pods must have findings";
  for (const Rule& rule : rules()) {
    EXPECT_TRUE(ids.contains(std::string(rule.id)))
        << rule.id << ": no generated pod has a finding of it; add a value to naive.cpp";
  }
}

}  // namespace
}  // namespace winadmit::test
