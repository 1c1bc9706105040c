// Each example of `winadmit explain` is proved: the pod before has findings of its rule and of no
// other, and the pod after has none.
#include "cli/examples/examples.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

#include "cli/judge/manifest_checker.hpp"
#include "manifests/location.hpp"
#include "manifests/read_manifests.hpp"
#include "tests/temporary_folder.hpp"

namespace winadmit::cli {
namespace {

/// The lines of one side: `mark` is '-' or '+'.
std::string side_of(std::string_view diff, char mark) {
  std::string pod;
  while (!diff.empty()) {
    const std::string_view line = diff.substr(0, diff.find('\n') + 1);
    diff.remove_prefix(line.size());
    if (line.front() == ' ' || line.front() == mark) pod += line.substr(1);
  }
  return pod;
}

std::set<std::string> rules_found(const Example& example, char mark) {
  server::Config config;
  constexpr std::string_view kRelease = "# Kubernetes ";
  if (example.diff.starts_with(kRelease)) {
    const auto line = example.diff.substr(0, example.diff.find('\n'));
    config.policy.kubernetes = parse_version(line.substr(kRelease.size())).value();
  }
  ManifestChecker checker(config, Os::none);
  const test::TemporaryFolder folder;
  const std::string file = folder.write("pod.yaml", side_of(example.diff, mark));
  std::set<std::string> found;
  std::size_t pods = 0;
  manifests::read_manifests(
      file,
      {.object =
           [&](const manifests::Manifest& manifest) {
             ++pods;
             const Verdict verdict = checker.judge(manifest);
             for (const auto& each : verdict.findings) found.insert(each.rule);
           },
       .error = [](const manifests::FileError& error) { ADD_FAILURE() << to_string(error); }});
  EXPECT_EQ(pods, 1U);
  return found;
}

TEST(Examples, AreRefusedBeforeAndNotAfter) {
  for (const Example& each : examples()) {
    SCOPED_TRACE(each.rule);
    EXPECT_EQ(rules_found(each, '-'), std::set<std::string>{std::string(each.rule)});
    EXPECT_EQ(rules_found(each, '+'), std::set<std::string>{});
  }
}

TEST(Examples, AreThereForEachRuleAndForNothingElse) {
  std::set<std::string_view> ids, shown;
  for (const Rule& each : rules()) ids.insert(each.id);
  for (const Example& each : examples()) EXPECT_TRUE(shown.insert(each.rule).second) << each.rule;
  EXPECT_EQ(shown, ids);
}

}  // namespace
}  // namespace winadmit::cli
