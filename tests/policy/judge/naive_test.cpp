// The engine against a slow, naive evaluation of the table, over generated pods.
#include "tests/policy/judge/naive.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "policy/judge/validate.hpp"

namespace winadmit::test {
namespace {

/// Findings without their values.
class Listed final : public FindingSink {
 public:
  void add(const FindingView& hit) override {
    found.push_back({std::string(hit.id), hit.path.text(), hit.action, {}});
  }
  std::vector<NaiveFinding> found;
};

TEST(Naive, EvaluationFindsWhatTheEngineFinds) {
  PodGenerator generate(1);
  std::size_t found = 0;
  for (int i = 0; i < 3000; ++i) {
    const nlohmann::json object = generate.pod();
    const Settings settings = generate.settings();
    SCOPED_TRACE(object.dump() + " in " + to_string(settings.kubernetes));
    simdjson::dom::parser parser;
    const Pod pod = read_pod(parser.parse(object.dump()).get_object(), *find_pod_kind("Pod"));
    Listed listed;
    Problems problems;
    Validator(rules(), settings).validate(pod, listed, problems);
    EXPECT_EQ(problems.line(), "");
    std::ranges::sort(listed.found);

    std::vector<NaiveFinding> expected = naive_findings(object, settings);
    for (NaiveFinding& each : expected) each.value = {};
    std::ranges::sort(expected);
    ASSERT_EQ(listed.found.size(), expected.size());
    for (std::size_t at = 0; at < expected.size(); ++at) {
      EXPECT_EQ(listed.found[at].id, expected[at].id);
      EXPECT_EQ(listed.found[at].field, expected[at].field);
      EXPECT_EQ(listed.found[at].action, expected[at].action);
    }
    found += expected.size();
    if (HasFailure()) return;
  }
  EXPECT_GT(found, 3000U) << "the generated pods have something to find";
}

}  // namespace
}  // namespace winadmit::test
