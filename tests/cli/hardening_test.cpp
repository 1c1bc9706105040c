// What the build promises about the binary and about the archives it is linked from.
#include <gtest/gtest.h>

#include <cstdio>
#include <sstream>
#include <string>
#include <vector>

#include "tests/test_data.hpp"
#include "tests/text.hpp"

namespace winadmit {
namespace {

using test::contains;
using test::count;

/// What a command prints.
std::string output_of(const std::string& command) {
  std::string text;
  FILE* pipe = popen(command.c_str(), "r");
  char buffer[65536];
  for (std::size_t size; (size = fread(buffer, 1, sizeof buffer, pipe)) > 0;)
    text.append(buffer, size);
  EXPECT_EQ(pclose(pipe), 0) << command;
  return text;
}

std::string readelf(const std::string& options, const std::string& file = test::binary()) {
  return output_of("readelf " + options + " " + file);
}

std::vector<std::string> lines_with(const std::string& text, const std::string& part) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (contains(line, part)) lines.push_back(line);
  return lines;
}

/// Our own libraries. Those of the distribution were compiled with other flags.
std::vector<std::string> archives() {
  std::vector<std::string> files;
  std::istringstream in(test::archives());
  for (std::string file; std::getline(in, file, ',');) files.push_back(file);
  EXPECT_FALSE(files.empty());
  return files;
}

TEST(Hardening, IsAPositionIndependentExecutable) {
  EXPECT_TRUE(contains(readelf("-hW"), "DYN ("));
  EXPECT_TRUE(contains(readelf("-dW"), "PIE"));
}

TEST(Hardening, ResolvesAllSymbolsAtItsStartAndThenLocksThem) {
  EXPECT_TRUE(contains(readelf("-lW"), "GNU_RELRO"));
  const std::vector<std::string> flags = lines_with(readelf("-dW"), "(FLAGS_1)");
  ASSERT_EQ(flags.size(), 1U);
  EXPECT_TRUE(contains(flags.front(), "NOW")) << flags.front();
}

TEST(Hardening, NoMemoryIsWritableAndExecutable) {
  const std::string segments = readelf("-lW");
  const std::vector<std::string> stack = lines_with(segments, "GNU_STACK");
  ASSERT_EQ(stack.size(), 1U);
  EXPECT_TRUE(contains(stack.front(), " RW "));
  EXPECT_FALSE(contains(segments, "RWE"));
  EXPECT_FALSE(contains(readelf("-dW"), "TEXTREL"));
}

TEST(Hardening, FunctionsWithBuffersGuardTheirStack) {
  for (const std::string& archive : archives())
    EXPECT_TRUE(contains(readelf("-sW", archive), "__stack_chk_fail")) << archive;
}

TEST(Hardening, TheStandardLibraryChecksItsPreconditions) {
  for (const std::string& archive : archives())
    EXPECT_TRUE(contains(readelf("-sW", archive), "glibcxx_assert_fail")) << archive;
}

TEST(Hardening, CallsOfTheCLibraryCheckTheirBuffers) {
#ifdef WINADMIT_IS_FORTIFIED
  std::string symbols;
  for (const std::string& archive : archives()) symbols += readelf("-sW", archive);
  EXPECT_TRUE(contains(symbols, "__snprintf_chk"));
#else
  GTEST_SKIP() << "needs an optimising build without sanitizers";
#endif
}

TEST(Hardening, EveryObjectIsMarkedForControlFlowEnforcement) {
#if defined(__x86_64__)
  const std::string mark = "x86 feature: IBT, SHSTK";
#elif defined(__aarch64__)
  const std::string mark = "AArch64 feature: BTI, PAC";
#else
  const std::string mark;
  GTEST_SKIP() << "of x86-64 and arm64";
#endif
  for (const std::string& archive : archives()) {
    const std::string notes = readelf("-nW", archive);
    EXPECT_GT(count(notes, "File: "), 0U);
    EXPECT_EQ(count(notes, mark), count(notes, "File: ")) << archive;
  }
}

TEST(Hardening, NoPathOfTheBuildIsInTheBinary) {
#ifdef WINADMIT_IS_FORTIFIED
  EXPECT_FALSE(contains(test::read(test::binary()), test::source("").string()));
#else
  GTEST_SKIP() << "debuggers want them";
#endif
}

}  // namespace
}  // namespace winadmit
