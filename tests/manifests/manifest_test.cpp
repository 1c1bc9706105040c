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
    EXPECT_EQ(error_of(text, 47), "has more than 2 keys and values") << text;
  }
}

TEST_F(ManifestTest, ReadsOnBehindAValueThatIsNoObject) {
  const std::string a = R"({"apiVersion":"v1","kind":"A"})",
                    b = R"({"apiVersion":"v1","kind":"B"})";
  const auto read = [&](const std::string& text) {
    std::string found;
    read_manifests(
        folder_.write("file", text),
        {.object = [&](const Manifest& each) { found += string_member(each.object, "kind"); },
         .error = [&](const FileError&) { found += '!'; }});
    return found;
  };
  EXPECT_EQ(read(a + "null" + b), "AB") << "as for kubectl";
  EXPECT_EQ(read(a + " 5 " + b), "A!");
  EXPECT_EQ(read(a + " [] " + b), "A!");
  EXPECT_EQ(read(a + "---\n"), "A");
  EXPECT_EQ(read("apiVersion: v1\nkind: A\n---\n\xfe\xff\n---\n" + b), "A!B");
}

TEST_F(ManifestTest, RefusesDuplicateKeysInJson) {
  const Manifests objects =
      read("{\"apiVersion\": \"v1\", \"kind\": \"Pod\",\n \"kind\": \"Pod\"}");
  EXPECT_TRUE(objects.manifests.empty());
  EXPECT_EQ(objects.errors, std::vector<std::string>{(folder_ / "file.yaml").string() +
                                                     ":2:2: duplicate key 'kind'"});
}

/// What becomes of a document in a folder: "object", "error", "other" or "template".
class InFolder : public ManifestTest {
 protected:
  std::string fate_of(const std::string& text) const {
    std::string fate;
    const auto add = [&](const char* what) {
      fate += fate.empty() ? what : std::string(" ") + what;
    };
    read_manifests(folder_.write("file.yaml", text),
                   {.object = [&](const Manifest&) { add("object"); },
                    .error = [&](const FileError&) { add("error"); },
                    .other = [&](const Location&) { add("other"); },
                    .unrendered = [&](const Location&) { add("template"); }});
    return fate;
  }
};

TEST_F(InFolder, IsAnErrorWhatCannotBeRead) {
  const std::string levels(1'500, '[');
  for (const std::string& text : {
           std::string("\"\\x61piVersion\": v1\n\"\\x6bind\": Pod\na: 1\na: 1\n"),
           std::string("apiVersion: v1\nkind: Pod\n# \xFF\n"),
           std::string("a: 1\n...\n@\n"),
           "a: " + levels + std::string(1'500, ']') + '\n',
           std::string(R"({"\u0061piVersion": "v1", "kind": "Pod", "kind": "Pod"})"),
           std::string("\xFF\xFE\x61\0p\0i\0", 8),
           std::string("a: 1\na: 1\n"),
           std::string("{\n  // comments\n  \"version\": 1,\n}\n"),
           std::string("a: *b\n"),
           std::string("{% if a %}\nb: 1\n{% endif %}\n"),
       })
    EXPECT_EQ(fate_of(text), "error") << text.substr(0, 80);
}

TEST_F(InFolder, IsATemplateWhatCannotBeReadBecauseOfItsMarks) {
  for (const char* text : {
           "metadata:\n  name: {{ .Release.Name }}\n",
           "name: {{ .Name }}-x\n",
           "{{- if .Values.a }}\nkind: Pod\n{{- end }}\n",
           "kind: Pod\n{{- if .Values.a }}\nspec: {}\n{{- end }}\n",
           "kind: Pod\nmetadata:\n  {{- include \"a\" . | nindent 4 }}\nspec: {}\n",
           "image: \"{{ default \"a\" .Values.image }}\"\n",
           "a: {{ `b` }}\n",
           "{{/* it's \"a\" */}}\nkind: Pod\n",
           "{\"kind\": {{ .Kind }}}\n",
           "{{ .Key }}: 1\n",
           "- {{ . }}\n",
       })
    EXPECT_EQ(fate_of(text), "template") << text;
}

/// kubectl reads each of them, but for the broken ones. A mark must hide none.
TEST_F(InFolder, IsNoTemplateWhatHasAMarkSomewhere) {
  const std::string pod = "apiVersion: v1\nkind: Pod\n";
  std::string colons;
  for (int i = 0; i < 140; ++i) colons += "c" + std::to_string(i) + ": {a: D:}\n";
  for (const std::string& text : {
           pod + "...\n{{ a\n",
           pod + "...\na: {{ b }}\n",
           std::string("{apiVersion: v1, kind: Pod}\n{{ a }}\n"),
           pod + "a: 1\na: 2 # {{\n",
           pod + "a: '{{'\na: 2\n",
           pod + "# {{ \xFF\n",
           pod + "a: " + std::string(1'500, '[') + std::string(1'500, ']') + " # {{\n",
           pod + colons + "d: {a: D:, b: '{{'}\n",
           // Bytes of UTF-16.
           std::string("\xFF\xFE{{a\0", 6),
           pod + "a: '{{ b }}'\nc: d: e\n",
           pod + "# {{ b }}\nc: d: e\n",
           pod + "c: d: e # {{ b }}\n",
           pod + "c: d: e\n# {{ b }}\n",
       })
    EXPECT_EQ(fate_of(text), "error") << text.substr(0, 80);
  EXPECT_EQ(fate_of(pod + "image: '{{ a }}'\n"), "object");
  EXPECT_EQ(fate_of("a: '{{ b }}'\n"), "other");
}

TEST_F(InFolder, IsAListOfObjectsWithoutApiVersionOrKindAnError) {
  const std::string items = "items: [a, {apiVersion: v1, kind: Pod}]\n";
  EXPECT_EQ(fate_of("kind: List\n" + items), "error") << "kubectl --validate=false creates the pod";
  EXPECT_EQ(fate_of("apiVersion: v1\n" + items), "error");
  EXPECT_EQ(fate_of("kind: youtube#videoListResponse\nitems: [{kind: youtube#video}]\n"), "other");
}

TEST_F(InFolder, IsAPodWithoutApiVersionAnError) {
  for (const char* kind : {"Pod", "PodTemplate", "ReplicationController"})
    EXPECT_EQ(fate_of("kind: " + std::string(kind) + "\n"), "error")
        << "kubectl --validate=false creates it";
  EXPECT_EQ(fate_of("kind: Chart\n"), "other");
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
  const std::string file = (folder_ / "file.yaml").string();
  const std::string what =
      "is a template and no YAML: render it first, a Helm chart with helm template, or leave the "
      "file out with --exclude";
  for (const auto& [text, place] :
       {std::pair("metadata:\n  name: {{ .Release.Name }}\n", ":2:"),
        std::pair("a: 1\n{{- if .Values.a }}\nkind: Pod\n{{- end }}\n", ":2:1: "),
        std::pair("a: 1\nb: \"{{ default \"c\" .d }}\"\n", ":2:5: ")}) {
    const auto errors = read(text).errors;
    ASSERT_EQ(errors.size(), 1U) << text;
    EXPECT_TRUE(errors.front().starts_with(file + place)) << errors.front();
    EXPECT_TRUE(errors.front().ends_with(what)) << errors.front();
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
      "- {apiVersion: v1, kind: Secret}\n");
  std::vector<std::string> kinds;
  for (const Manifest& each : objects.manifests)
    kinds.emplace_back(string_member(each.object, "kind"));
  EXPECT_EQ(kinds, (std::vector<std::string>{"Namespace", "Pod", "Secret"}));
  EXPECT_TRUE(objects.errors.empty());
  EXPECT_EQ(position(objects.manifests[1], "/kind"), "9:20");
}

class Lists : public ManifestTest {
 protected:
  /// The objects as JSON, one a line.
  std::string items_of(const std::string& text) const {
    const Manifests objects = read(text);
    EXPECT_TRUE(objects.errors.empty()) << text;
    std::string lines;
    for (const Manifest& each : objects.manifests) lines += simdjson::minify(each.object) + '\n';
    return lines;
  }
};

/// As kubectl's resource builder: unstructured decode() and the flattening visitor.
TEST_F(Lists, AreObjectsWithItemsWhateverTheirKind) {
  const std::string pod = "apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n";
  EXPECT_EQ(items_of(pod + "items: [{spec: {hostPID: true}}]\n"),
            R"({"spec":{"hostPID":true},"kind":"Pod","apiVersion":"v1"})"
            "\n");
  EXPECT_EQ(items_of("apiVersion: v1\nkind: ConfigMap\nitems:\n- apiVersion: v1\n  kind: Pod\n"),
            R"({"apiVersion":"v1","kind":"Pod"})"
            "\n");
  EXPECT_EQ(items_of(R"({"apiVersion":"v1","kind":"Pod","\u0069tems":[{"kind":1}]})"),
            R"({"kind":"Pod","apiVersion":"v1"})"
            "\n")
      << "a kind that is no text counts as none";
  for (const char* none : {"items: []\n", "items:\n", "items: null\n"})
    EXPECT_EQ(items_of(pod + none), "") << none;
  for (const char* other : {"Items: [{kind: Pod}]\n", "ITEMS: []\n"})
    EXPECT_EQ(read(pod + other).manifests.size(), 1U) << other;
}

TEST_F(Lists, AreErrorsWhereKubectlRefusesThem) {
  const std::string head = "apiVersion: v1\nkind: PodList\n";
  for (const char* text :
       {"items: {a: {kind: Pod}}\n", "items: ''\n", "items: 1\n", "items: [a]\n", "items: [null]\n",
        "items: [[{kind: Pod}]]\n", "items: [{apiVersion: v1}]\n", "items: [{kind: Pod}]\n",
        "items: [{apiVersion: v1, kind: PodList, items: [{}]}]\n",
        "items: [{apiVersion: v1, kind: Pod, items: []}]\n"}) {
    const Manifests objects = read(head + text);
    EXPECT_TRUE(objects.manifests.empty()) << text;
    EXPECT_EQ(objects.errors.size(), 1U) << text;
  }
  EXPECT_EQ(read("apiVersion: v1\nkind: List\nitems: [{}]\n").errors.size(), 1U);
  EXPECT_EQ(read(head + "items: [{items: {}}]\n").manifests.size(), 1U) << "is no list for kubectl";
}

TEST_F(ManifestTest, ReportsADocumentThatIsWrongAndReadsTheOthers) {
  const Manifests objects = read(
      "kind: Pod\n---\napiVersion: v1\nkind: Pod\n---\na: 1\na: 2\n---\n[1]\n"
      "---\napiVersion: batch/v1/v1\nkind: Job\nspec: {}\n");
  EXPECT_EQ(objects.manifests.size(), 1U);
  const std::string file = (folder_ / "file.yaml").string();
  EXPECT_EQ(objects.errors,
            (std::vector<std::string>{
                file + ":1:1: not a Kubernetes object: apiVersion is missing",
                file + ":7:1: duplicate key 'a'",
                file + ":9:1: not a Kubernetes object: apiVersion and kind are missing",
                file + ":11:1: not a Kubernetes object: apiVersion is not a group and a version"}));
}

TEST_F(ManifestTest, ReportsAFileThatCannotBeRead) {
  const Manifests objects = manifests_of("/nowhere.yaml");
  EXPECT_TRUE(objects.manifests.empty());
  EXPECT_EQ(objects.errors,
            std::vector<std::string>{"cannot read /nowhere.yaml: No such file or directory"});
}

}  // namespace
}  // namespace winadmit::manifests
