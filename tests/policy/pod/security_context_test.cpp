#include "policy/pod/security_context.hpp"

#include <gtest/gtest.h>

#include "tests/policy/parsed.hpp"

namespace winadmit {
namespace {

SecurityContext read(const test::ParsedJson& json) {
  FieldPath path;
  FieldErrors errors;
  return read_security_context(json.object(), path, errors);
}

TEST(SecurityContext, ReadsTheWindowsOptions) {
  const test::ParsedJson json(
      R"({"runAsNonRoot":false,"windowsOptions":{"runAsUserName":"u","hostProcess":true}})");
  const SecurityContext context = read(json);
  EXPECT_EQ(context.run_as_non_root, false);
  EXPECT_EQ(context.run_as_user_name, "u");
  EXPECT_EQ(context.host_process, true);
  EXPECT_TRUE(context.has_windows_options);
}

TEST(SecurityContext, HasNoWindowsOptionsIfTheyAreEmpty) {
  for (const char* const text : {"{}", R"({"windowsOptions":null})", R"({"windowsOptions":{}})",
                                 R"({"windowsOptions":{"gmsaCredentialSpec":null}})"}) {
    EXPECT_FALSE(read(test::ParsedJson(text)).has_windows_options) << text;
  }
  EXPECT_TRUE(read(test::ParsedJson(R"({"windowsOptions":{"gmsaCredentialSpec":"x"}})"))
                  .has_windows_options);
}

TEST(SecurityContext, MergesEachFieldWithTheContainerFirst) {
  const SecurityContext pod = {.run_as_non_root = true,
                               .run_as_user_name = "pod",
                               .host_process = true,
                               .has_windows_options = true};
  const SecurityContext unset = merge({}, pod);
  EXPECT_EQ(unset.run_as_non_root, true);
  EXPECT_EQ(unset.run_as_user_name, "pod");
  EXPECT_EQ(unset.host_process, true);
  EXPECT_TRUE(unset.has_windows_options);

  const SecurityContext container = {
      .run_as_non_root = false, .run_as_user_name = "own", .host_process = false};
  const SecurityContext merged = merge(container, pod);
  EXPECT_EQ(merged.run_as_non_root, false);
  EXPECT_EQ(merged.run_as_user_name, "own");
  EXPECT_EQ(merged.host_process, false);
}

}  // namespace
}  // namespace winadmit
