#include "manifests/manifest.hpp"

#include <gtest/gtest.h>

#include <string>

#include "manifests/location.hpp"
#include "manifests/read_manifests.hpp"
#include "tests/manifests/manifest_fixture.hpp"

namespace winadmit::manifests {
namespace {

using test::Manifests;
using test::manifests_of;
using test::ManifestTest;

TEST_F(ManifestTest, ReadsJsonValuesOneBehindTheOther) {
  const Manifests objects = read(
      "{\"apiVersion\":\"v1\",\"kind\":\"A\"}{\"apiVersion\":\"v1\",\n"
      "\"kind\":\"}\\\"\"}\n {\"apiVersion\":\"v1\",\"kind\":\"C\"}\n");
  std::string kinds;
  for (const Manifest& each : objects.manifests)
    kinds += std::string(string_member(each.object, "kind")) + ' ';
  EXPECT_EQ(kinds, "A }\" C ");
  EXPECT_TRUE(objects.errors.empty());
  EXPECT_EQ(position(objects.manifests[2], "/kind"), "3:21");
}

TEST_F(ManifestTest, ReadsJsonValuesBehindEmptyLines) {
  const std::string value = R"({"apiVersion":"v1","kind":"A"})";
  const Manifests objects = read("\r\n\n \t" + value + value);
  EXPECT_EQ(objects.manifests.size(), 2U);
  EXPECT_TRUE(objects.errors.empty());
}

TEST_F(ManifestTest, GoesOverToYamlBehindOneJsonValueAtMost) {
  const std::string value = "{\"apiVersion\": \"v1\", \"kind\": \"A\"}\n";
  const std::string yaml = "---\napiVersion: v1\nkind: D\n";
  const Manifests one = read(value + yaml);
  EXPECT_EQ(one.manifests.size(), 2U);
  EXPECT_TRUE(one.errors.empty());
  const Manifests two = read(value + value + yaml);
  EXPECT_EQ(two.manifests.size(), 2U);
  EXPECT_EQ(two.errors, std::vector<std::string>{(folder_ / "file.yaml").string() +
                                                 ":3:1: expected a JSON value"});
}

TEST_F(ManifestTest, CountsKeysAndValues) {
  const auto error_of = [&](const std::string& text, std::size_t document_size) {
    std::string error;
    read_manifests(folder_.write("file", text),
                   {.object = [](const Manifest&) {},
                    .error = [&](const FileError& failure) { error = failure.what; }},
                   {.document_size = document_size});
    return error;
  };
  // An object with a list, and its key.
  for (const char* text : {"{\"a\": []}", "a: []\n"}) {
    EXPECT_EQ(error_of(text, 48), "not a Kubernetes object: apiVersion and kind are missing");
    EXPECT_TRUE(error_of(text, 47).starts_with("has more than 2 keys and values, ")) << text;
  }
}

TEST_F(ManifestTest, RefusesDuplicateKeysInJson) {
  const Manifests objects =
      read("{\"apiVersion\": \"v1\", \"kind\": \"Pod\",\n \"kind\": \"Pod\"}");
  EXPECT_TRUE(objects.manifests.empty());
  EXPECT_EQ(objects.errors, std::vector<std::string>{(folder_ / "file.yaml").string() +
                                                     ":2:2: duplicate key 'kind'"});
}

TEST_F(ManifestTest, TakesAnUnreadableDocumentForAnObjectByTheKeysOfItsOutermostMapping) {
  const auto is_error = [&](const std::string& text) {
    const std::string file = folder_.write("file.yaml", text);
    bool has_error = false;
    bool has_other = false;
    read_manifests(file, {.object = [](const Manifest&) {},
                          .error = [&](const manifests::FileError&) { has_error = true; },
                          .other = [&](const Location&) { has_other = true; }});
    EXPECT_NE(has_error, has_other) << text;
    return has_error;
  };
  const std::string unreadable = "c: 1\nc: 2\n";
  for (const std::string object :
       {"kind: Pod\napiVersion: v1\n", "\"kind\": Pod\n'apiVersion': v1\n",
        "---\n# a comment\nkind: Pod\napiVersion: v1\n", "\xEF\xBB\xBFkind: Pod\napiVersion: v1\n"})
    EXPECT_TRUE(is_error(object + unreadable)) << object;
  EXPECT_TRUE(is_error("  kind: Pod\n  apiVersion: v1\n  c: 1\n  c: 2\n"));
  for (const std::string mistaken :
       {"  kind: Pod\napiVersion: v1\n", "kind: Pod\n  apiVersion: v1\n",
        "kind: Pod\n\tapiVersion: v1\n", "? kind\n: Pod\napiVersion: v1\n",
        "kind: Pod\rapiVersion: v1\r", "# comment\n{\"kind\": 1, \"apiVersion\": ]\n",
        "[{\"kind\": 1, \"apiVersion\": ]\n", "\xEF\xBB\xBF{\"kind\": 1, \"apiVersion\": ]\n"})
    EXPECT_TRUE(is_error(mistaken + unreadable)) << mistaken;
  EXPECT_TRUE(is_error(R"({"kind": "Pod", "apiVersion": "v1", "c": 1, "c": 2})"));
  for (const std::string before : {"\n", "\r\n", " \t\n", "# a comment\n", "---\n"})
    EXPECT_TRUE(is_error(before + "  kind: Pod\n  apiVersion: v1\n  c: 1\n  c: 2\n")) << before;
  EXPECT_TRUE(is_error("a: apiVersion, kind\nkind: Pod\napiVersion: v1\n" + unreadable));
  for (const std::string before : {"\n", "---\n", "# a comment\n", "\xEF\xBB\xBF"})
    EXPECT_TRUE(is_error(before + R"({"kind": "Pod", "apiVersion": "v1", "c": 1, "c": 2})"))
        << before;
  EXPECT_FALSE(is_error("apiVersion: v1\n" + unreadable));
  for (const std::string other :
       {"# apiVersion: v1\n# kind: Pod\n", "a:\n  apiVersion: v1\n  kind: Pod\n",
        "a: |\n  apiVersion: v1\n  kind: Pod\n", "the kind and apiVersion: v1\n", "kind: Pod\n"})
    EXPECT_FALSE(is_error(other + unreadable)) << other;
}

TEST_F(ManifestTest, TakesADocumentThatIsTooLargeForAnObject) {
  const std::string file = folder_.write("file.yaml", "a: " + std::string(300'000, 'x') + '\n');
  bool has_error = false;
  read_manifests(file,
                 {.object = [](const Manifest&) {},
                  .error = [&](const manifests::FileError&) { has_error = true; },
                  .other = [](const Location&) {}},
                 {.document_size = 200'000});
  EXPECT_TRUE(has_error);
}

TEST_F(ManifestTest, ReadsOnBehindADocumentThatIsTooLarge) {
  const std::string file =
      folder_.write("file.yaml", "apiVersion: v1\nkind: A\n---\na: " + std::string(300'000, 'x') +
                                     "\nb: c\n---\napiVersion: v1\nkind: C\n");
  Manifests read;
  read_manifests(
      file,
      {.object = [&](const Manifest& each) { read.manifests.push_back(each); },
       .error =
           [&](const manifests::FileError& error) { read.errors.push_back(to_string(error)); }},
      {.document_size = 100'000});
  ASSERT_EQ(read.manifests.size(), 2U);
  EXPECT_EQ(position(read.manifests.back(), "/kind"), "8:1");
  EXPECT_EQ(read.errors, std::vector<std::string>{file + ":3:1: the document is larger than 100000 "
                                                         "bytes"});
}

TEST_F(ManifestTest, SplitsAsKubectlDoes) {
  const Manifests objects = read(
      "apiVersion: v1\nkind: A\n--- # comment\napiVersion: v1\nkind: B\n"
      "---  \n--- {a: b}\n---\napiVersion: v1\nkind: C\n...\n");
  ASSERT_EQ(objects.manifests.size(), 3U);
  EXPECT_EQ(objects.errors, std::vector<std::string>{(folder_ / "file.yaml").string() +
                                                     ":7:5: only a comment may follow ---"});
}

TEST_F(ManifestTest, ReadsASeparatorWhereKubectlDoes) {
  const std::string object = "apiVersion: v1\nkind: A\n";
  for (const std::string before :
       {"---\n", "--- # comment\n", "---\n---# comment\n", "# comment\n---# comment\n"})
    EXPECT_EQ(read(before + object).manifests.size(), 1U) << before;
  for (const std::string before : {"---# comment\n", "---\n---\n---# comment\n"})
    EXPECT_EQ(read(before + object).errors.size(), 1U) << before;
}

TEST_F(ManifestTest, IgnoresSpaceBehindJson) {
  const Manifests objects = read("{\"apiVersion\": \"v1\", \"kind\": \"A\"}\n\t\t\n");
  EXPECT_EQ(objects.manifests.size(), 1U);
  EXPECT_TRUE(objects.errors.empty());
}

TEST_F(ManifestTest, SaysThatATemplateMustBeRendered) {
  const std::string hint =
      "; a template must be rendered first, that of a Helm chart by helm template";
  for (const char* text : {"metadata:\n  name: {{ .Release.Name }}\n", "name: {{ .Name }}-x\n",
                           "{{- if .Values.a }}\nkind: Pod\n{{- end }}\n"}) {
    const auto errors = read(text).errors;
    ASSERT_EQ(errors.size(), 1U) << text;
    EXPECT_TRUE(errors.front().ends_with(hint)) << errors.front();
  }
  const auto errors = read("a: 'a {{ template }} in a value'\nb: {? {c: 1} : d}\n").errors;
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_TRUE(errors.front().ends_with("a key must be a scalar")) << errors.front();
}

TEST_F(ManifestTest, RefusesUtf16) {
  for (const std::string& text : {std::string("\xFF\xFE"
                                              "a\0",
                                              4),
                                  std::string("\xFE\xFF"
                                              "\0a",
                                              4)}) {
    EXPECT_EQ(read(text).errors,
              std::vector<std::string>{(folder_ / "file.yaml").string() +
                                       ":1:1: is UTF-16; save the file as UTF-8"});
  }
  EXPECT_TRUE(read("\xEF\xBB\xBF"
                   "apiVersion: v1\nkind: A\n")
                  .errors.empty());
}

TEST_F(ManifestTest, SaysHowToQuoteAWindowsPath) {
  EXPECT_EQ(read("a: \"C:\\inetpub\"\n").errors,
            std::vector<std::string>{
                (folder_ / "file.yaml").string() +
                ":1:7: found unknown escape character while parsing a quoted scalar; put a Windows "
                "path in single quotes"});
}

TEST_F(ManifestTest, SaysHowToQuoteAHomeFolderOfWindows) {
  const auto errors = read("a: \"C:\\Users\"\n").errors;
  ASSERT_EQ(errors.size(), 1U);
  EXPECT_TRUE(errors[0].ends_with("; put a Windows path in single quotes")) << errors[0];
}

TEST_F(ManifestTest, StopsAtANulAndAtAnEndlessDevice) {
  const Manifests objects = read(std::string("apiVersion: v1\nkind: A\n---\na: \0b\n---\n", 36));
  EXPECT_EQ(objects.manifests.size(), 1U);
  EXPECT_EQ(objects.errors, std::vector<std::string>{(folder_ / "file.yaml").string() +
                                                     ":4:4: control characters are not allowed"});
  EXPECT_EQ(read(std::string("apiVersion: v1\nkind: A\n--- #\0\na: b\n---\n", 36)).errors,
            std::vector<std::string>{(folder_ / "file.yaml").string() +
                                     ":3:6: control characters are not allowed"});
  EXPECT_EQ(manifests_of("/dev/zero").errors,
            std::vector<std::string>{"/dev/zero:1:1: control characters are not allowed"});
  EXPECT_EQ(manifests_of(folder_.path().string()).errors,
            std::vector<std::string>{folder_.path().string() + " is a directory, not a file"});
}

TEST_F(ManifestTest, SplitsDocumentsAndLists) {
  const Manifests objects = read(
      "apiVersion: v1\nkind: Namespace\n---\n# only a comment\n---\n"
      "apiVersion: v1\nkind: List\nitems:\n- {apiVersion: v1, kind: Pod}\n"
      "- {apiVersion: v1, kind: PodList, items: [{apiVersion: v1, kind: Secret}]}\n");
  std::vector<std::string> kinds;
  for (const Manifest& each : objects.manifests)
    kinds.emplace_back(string_member(each.object, "kind"));
  EXPECT_EQ(kinds, (std::vector<std::string>{"Namespace", "Pod", "Secret"}));
  EXPECT_TRUE(objects.errors.empty());
  EXPECT_EQ(position(objects.manifests[1], "/kind"), "9:20");
}

TEST_F(ManifestTest, ReportsADocumentThatIsWrongAndReadsTheOthers) {
  const Manifests objects =
      read("kind: Pod\n---\napiVersion: v1\nkind: Pod\n---\na: 1\na: 2\n---\n[1]\n");
  EXPECT_EQ(objects.manifests.size(), 1U);
  const std::string file = (folder_ / "file.yaml").string();
  EXPECT_EQ(objects.errors,
            (std::vector<std::string>{
                file + ":1:1: not a Kubernetes object: apiVersion is missing",
                file + ":7:1: duplicate key 'a'",
                file + ":9:1: not a Kubernetes object: apiVersion and kind are missing"}));
}

TEST_F(ManifestTest, ReportsAFileThatCannotBeRead) {
  const Manifests objects = manifests_of("/nowhere.yaml");
  EXPECT_TRUE(objects.manifests.empty());
  EXPECT_EQ(objects.errors,
            std::vector<std::string>{"cannot read /nowhere.yaml: No such file or directory"});
}

}  // namespace
}  // namespace winadmit::manifests
