// `winadmit fix` on the manifests in tests/data.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/cli/binary.hpp"
#include "tests/test_data.hpp"

namespace winadmit {
namespace {

namespace fs = std::filesystem;

class Fix : public test::Binary {};

TEST_F(Fix, IsIdempotent) {
  for (const auto& entry : fs::directory_iterator(test::data("fix"))) {
    if (entry.path().extension() != ".yaml") continue;
    const auto once = run("fix " + entry.path().string());
    if (once.exit_code == 2) continue;
    const auto twice = run("fix " + write("once.yaml", once.out));
    EXPECT_EQ(twice.out, once.out) << entry.path();
    EXPECT_EQ(twice.exit_code, once.exit_code) << entry.path();
  }
}

TEST_F(Fix, ReportsWhatCheckReports) {
  for (const auto& entry : fs::directory_iterator(test::data("check"))) {
    if (entry.path().extension() != ".yaml") continue;
    const auto fixed = run("fix " + entry.path().string());
    if (fixed.exit_code == 2) continue;
    EXPECT_EQ(run("check " + write("fixed.yaml", fixed.out)).exit_code, fixed.exit_code)
        << entry.path();
  }
}

}  // namespace
}  // namespace winadmit
