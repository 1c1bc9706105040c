#include "policy/pod/quantity.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/policy/parsed.hpp"

namespace winadmit {
namespace {

std::optional<double> read(const std::string& json) {
  return read_quantity(test::ParsedJson(json).value());
}

TEST(Quantity, HasTheSuffixesOfKubernetes) {
  const struct {
    std::string json;
    double value;
  } cases[] = {
      {R"("0")", 0},
      {R"("128974848")", 128974848},
      {R"("1k")", 1000},
      {R"("1Ki")", 1024},
      {R"("1.5Gi")", 1536e0 * 1024 * 1024},
      {R"("1536Mi")", 1536e0 * 1024 * 1024},
      {R"("1E")", 1e18},
      {R"("1E3")", 1000},
      {R"("12e6")", 12e6},
      {R"("+5")", 5},
      {R"("100m")", 1},
      {R"("1500m")", 2},
      {R"("1009000m")", 1009},
      {R"("15000000000n")", 15},
      {R"("15000000001n")", 16},
      {"512", 512},
      {"0.5", 1},
  };
  for (const auto& each : cases) EXPECT_EQ(read(each.json), each.value) << each.json;
}

TEST(Quantity, IsNothingForOtherValues) {
  for (const std::string json : {R"("")", R"("Mi")", R"("1 Mi")", R"("1mi")", R"("1MiB")",
                                 R"("inf")", R"("1e999")", "null", "true", "[]", "{}"}) {
    EXPECT_EQ(read(json), std::nullopt) << json;
  }
}

}  // namespace
}  // namespace winadmit
