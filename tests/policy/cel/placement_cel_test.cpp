// What the expressions contain. The end-to-end tests compare their results with the server's.
#include "policy/cel/placement_cel.hpp"

#include <gtest/gtest.h>

#include "tests/text.hpp"

namespace winadmit {
namespace {

using test::contains;

TEST(WantedTolerations, AreTheDefaultOnesWithoutThoseOfBuilds) {
  Settings settings;
  settings.tolerations_by_build.clear();
  const std::string wanted = wanted_tolerations(settings).expression;
  EXPECT_TRUE(contains(wanted, "[['']].map(wanted,")) << wanted;
}

TEST(MissingPlacement, FindsTheSelectorOfTheConfiguredLabel) {
  Settings settings;
  settings.node_selector_key = "example.com/os";
  const std::string missing = missing_placement(settings).expression;
  EXPECT_TRUE(
      contains(missing, "!['kubernetes.io/os', 'beta.kubernetes.io/os', 'example.com/os'].exists("))
      << missing;
}

}  // namespace
}  // namespace winadmit
