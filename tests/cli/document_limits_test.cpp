// The limits of `winadmit check` and `winadmit fix` on the documents of a file, as flags.
#include <gtest/gtest.h>

#include <string>

#include "tests/cli/binary.hpp"

namespace winadmit {
namespace {

class DocumentLimits : public test::Binary {};

TEST_F(DocumentLimits, NamesTheFlagForDocumentsWithManyValues) {
  std::string list = "[0";
  for (int i = 0; i < 100; ++i) list += ",0";
  for (const char* name : {"many.yaml", "many.json"}) {
    const auto result = run("check --max-document-size 1KiB " + write(name, list + "]\n"));
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_NE(result.err.find("has more than 64 keys and values, one for each 16 bytes of "
                              "--max-document-size\n"),
              std::string::npos)
        << result.err;
  }
}

TEST_F(DocumentLimits, NamesTheFlagsForAliasesAndLevels) {
  const std::string aliases = write("aliases.yaml", "a: &a [b, c]\nd: [*a, *a]\n");
  EXPECT_NE(run("check --max-alias-size 64 " + aliases)
                .err.find("has aliases for more than 4 keys and values, one for each 16 bytes of "
                          "--max-alias-size\n"),
            std::string::npos);
  const std::string bytes = write("bytes.yaml", "a: &a " + std::string(100, 'x') + "\nb: *a\n");
  EXPECT_NE(run("check --max-alias-size 64 " + bytes)
                .err.find("has aliases for more than 64 bytes (--max-alias-size)\n"),
            std::string::npos);
  for (const char* name : {"levels.yaml", "levels.json"}) {
    const std::string file = write(name, "{\"a\": {\"b\": [1]}}\n");
    EXPECT_NE(
        run("check --max-depth 2 " + file)
            .err.find(":1:13: error: has more than 2 levels of mappings and lists (--max-depth)\n"),
        std::string::npos);
    EXPECT_EQ(run("check --max-depth 3 " + file).err.find("--max-depth"), std::string::npos);
  }
}

TEST_F(DocumentLimits, JudgesTheJsonAfterOneWithTooManyLevels) {
  const std::string file = write(
      "stream.json",
      R"({"a":[[[[[[[1]]]]]]]} {"apiVersion": "v1", "kind": "Pod", "metadata": {"name": "a"},)"
      R"( "spec": {"nodeSelector": {"kubernetes.io/os": "windows"}, "hostPID": true,)"
      R"( "containers": [{"name": "a", "image": "a"}]}})");
  const auto result = run("check --max-depth 7 " + file);
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(result.err.find(":1:12: error: has more than 7 levels"), std::string::npos)
      << result.err;
  EXPECT_NE(result.out.find("(host-pid)"), std::string::npos) << result.out;
}

TEST_F(DocumentLimits, JudgesAndFixesAsManyLevelsAsTheFlagPermits) {
  std::string levels = "1";
  for (int i = 0; i < 998; ++i) levels = '[' + levels + ']';
  const std::string file =
      write("deep.yaml",
            "apiVersion: v1\nkind: Pod\nspec:\n"
            "  nodeSelector: {kubernetes.io/os: windows}\n  containers: [{name: a, image: a}]\n"
            "metadata:\n  name: a\n  x: " +
                levels + '\n');
  EXPECT_EQ(run("check " + file).exit_code, 2);
  const auto checked = run("check --max-depth 1000 --fail-on warn " + file);
  EXPECT_EQ(checked.exit_code, 0) << checked.out << checked.err;
  const auto fixed = run("fix --max-depth 1000 " + file);
  EXPECT_EQ(fixed.exit_code, 0) << fixed.err;
  EXPECT_NE(fixed.out.find("tolerations:"), std::string::npos);
  EXPECT_NE(run("check --max-depth 1001 " + file).err.find("--max-depth"), std::string::npos)
      << "simdjson reads 1,024 levels";
}

}  // namespace
}  // namespace winadmit
