// What the expressions contain. The end-to-end tests compare their results with the server's.
#include "export/cel/placement_cel.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "export/cel/pod_view.hpp"
#include "tests/text.hpp"

namespace winadmit {
namespace {

using test::contains;

std::string text_of(std::string_view variable, const Settings& settings) {
  const auto all = placement_variables(settings, Os::none);
  return std::ranges::find(all, variable, &CelVariable::name)->expression;
}

TEST(PlacementCel, FindsTheSelectorOfTheConfiguredLabel) {
  Settings settings;
  settings.node_selector_key = "example.com/os";
  const std::string missing = text_of("missing", settings);
  EXPECT_TRUE(
      contains(missing, "!['kubernetes.io/os', 'beta.kubernetes.io/os', 'example.com/os'].exists("))
      << missing;
}

/// The chart puts the literals of a platform into the policies of another one.
TEST(PlacementCel, HasThePlatformInLiteralsOfTheirOwnAlone) {
  const auto variables_of = [](const Platform& platform) {
    Settings settings;
    settings.set_platform(platform);
    auto all = pod_variables(settings, Os::none);
    std::ranges::move(placement_variables(settings, Os::none), std::back_inserter(all));
    return all;
  };
  const auto of_default = variables_of(default_platform());
  for (const Platform& platform : platforms()) {
    const auto all = variables_of(platform);
    ASSERT_EQ(all.size(), of_default.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
      if (all[i].expression == of_default[i].expression) continue;
      EXPECT_TRUE(nlohmann::json::accept(all[i].expression)) << platform.id << all[i].name;
    }
  }
}

}  // namespace
}  // namespace winadmit
