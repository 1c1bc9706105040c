// A list that is larger than a document may be is read item by item, with the same result.
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "tests/cli/binary.hpp"

namespace winadmit {
namespace {

constexpr int kItems = 40;
constexpr const char* kItemLimit = " --max-document-size 2KiB ";

std::string repeated(const std::function<std::string(int)>& item,
                     const std::string& separator = "") {
  std::string text;
  for (int i = 0; i < kItems; ++i) text += (i == 0 ? "" : separator) + item(i);
  return text;
}

std::string json_pod(int i) {
  return R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"p)" + std::to_string(i) +
         R"("},"spec":{"nodeSelector":{"kubernetes.io/os":"windows"},"hostPID":true,)"
         R"("containers":[{"name":"\u00e9]}","image":"a\"\\"}]}})";
}

std::string pretty_json_pod(int i) {
  return "        {\n            \"apiVersion\": \"v1\",\n            \"kind\": \"Pod\",\n"
         "            \"metadata\": {\n                \"name\": \"p" +
         std::to_string(i) +
         "\"\n            },\n            \"spec\": {\n                \"hostPID\": true,\n"
         "                \"nodeSelector\": {\n"
         "                    \"kubernetes.io/os\": \"windows\"\n                },\n"
         "                \"containers\": [\n                    {\n"
         "                        \"name\": \"c\"\n                    }\n"
         "                ]\n            }\n        }";
}

std::string yaml_pod(int i, const std::string& indent, const std::string& head) {
  const std::string n = std::to_string(i);
  return indent + "- " + head + "metadata:\n" + indent + "    name: p" + n + "\n" + indent +
         "  spec:\n" + indent + "    hostPID: true  # why\n" + indent + "    nodeSelector:\n" +
         indent + "      kubernetes.io/os: windows\n" + indent + "    containers:\n" + indent +
         "    - name: c\n" + indent + "      args:\n" + indent + "      - |\n" + indent +
         "        - text\n" + indent + "        # text\n\n";
}

std::string full_yaml_pod(int i) { return yaml_pod(i, "", "apiVersion: v1\n  kind: Pod\n  "); }

struct List {
  std::string name;
  std::string text;
};

std::vector<List> lists() {
  const std::string json_begin = R"({"apiVersion": "v1", "items": [)";
  const std::string json_end = R"(], "kind": "List", "metadata": {"resourceVersion": ""}})";
  const std::string yaml_begin = "apiVersion: v1\nitems:\n";
  const std::string yaml_end = "kind: List\nmetadata:\n  resourceVersion: \"\"\n";
  return {
      {"pretty.json", "{\n    \"apiVersion\": \"v1\",\n    \"items\": [\n" +
                          repeated(pretty_json_pod, ",\n") +
                          "\n    ],\n    \"kind\": \"List\",\n    \"metadata\": {\n        "
                          "\"resourceVersion\": \"\"\n    }\n}\n"},
      {"one-line.json", json_begin + repeated(json_pod, ",") + json_end + "\n"},
      {"one-item-in-each-line.json",
       json_begin + "\n" + repeated(json_pod, ",\n") + "\n" + json_end + "\n"},
      {"no-line-end.json", json_begin + repeated(json_pod, " , ") + json_end},
      {"two.json", json_begin + "\n" + repeated(json_pod, ",\n") + "\n" + json_end + "\n" +
                       json_begin + "\n" + repeated(json_pod, ",\n") + "\n" + json_end +
                       json_pod(99) + "\n"},
      {"unclosed.json", json_begin + repeated(json_pod, ",") + "]"},
      {"continued.json", json_begin + "\n" + repeated(json_pod, ",\n") +
                             "\n], \"kind\": \"List\",\n\"metadata\": {\"continue\": \"a\"}}\n"},
      {"no-kind.json", json_begin + "\n" + repeated(json_pod, ",\n") + "\n]}\n"},
      {"pods.json",
       R"({"kind":"PodList","apiVersion":"v1","metadata":{},"items":[)" + std::string("\n") +
           repeated([](int) { return R"({"spec":{"os":{"name":"windows"},"hostPID":true}})"; },
                    ",\n") +
           "\n]}\n"},
      {"list.yaml", yaml_begin + repeated(full_yaml_pod) + yaml_end},
      {"indented.yaml", "# Source: chart/templates/a.yaml\n" + yaml_begin + repeated([](int i) {
                          return yaml_pod(i, "  ", "apiVersion: v1\n    kind: Pod\n    ");
                        }) + yaml_end},
      {"pods.yaml", "---\napiVersion: v1\nkind: PodList\nmetadata: {}\nitems:  # all\n" +
                        repeated([](int i) { return yaml_pod(i, "", ""); })},
      {"comments.yaml",
       yaml_begin + repeated([](int i) {
         return "# winadmit: ignore advice-unplaced\n\n" +
                yaml_pod(i, "",
                         "apiVersion: v1\n  kind: Pod\n  # winadmit: ignore host-pid: known\n  ");
       }) + "# end\n" +
           yaml_end + "---\napiVersion: v1\nkind: ConfigMap\n"},
      {"several.yaml", yaml_begin + repeated(full_yaml_pod) + yaml_end + "---\n" + yaml_begin +
                           repeated(full_yaml_pod) + yaml_end + "...\n"},
      {"returns.yaml", "apiVersion: v1\r\nitems:\r\n" + repeated([](int) {
                         return "- apiVersion: v1\r\n  kind: Pod\r\n  spec:\r\n    os: {name: "
                                "windows}\r\n    hostPID: true\r\n";
                       }) + "kind: List\r\n"},
  };
}

class LargeList : public test::Binary {};

TEST_F(LargeList, HasTheSameFindingsAndEditsAsOneThatIsADocument) {
  for (const List& each : lists()) {
    const std::string file = write(each.name, each.text);
    for (const char* command : {"check", "check -o json", "check -o sarif", "check -o gitlab",
                                "check --color always", "fix", "fix --diff"}) {
      SCOPED_TRACE(each.name + ": " + command);
      const auto whole = run(command + (" " + file));
      const auto items = run(command + (kItemLimit + file));
      EXPECT_EQ(items.exit_code, whole.exit_code);
      if (whole.exit_code == 2) {
        EXPECT_NE(items.err, "");
        continue;
      }
      EXPECT_EQ(items.out, whole.out);
      EXPECT_EQ(items.err, whole.err);
    }
  }
}

TEST_F(LargeList, HasTheFindingsOfEachItem) {
  for (const List& each : lists()) {
    const auto result = run("check -o json" + (kItemLimit + write(each.name, each.text)));
    EXPECT_NE(result.out.find("\"rule\""), std::string::npos) << each.name << result.err;
  }
}

TEST_F(LargeList, IsAnErrorWhereItsPartsAreNoList) {
  const std::string begin = R"({"apiVersion":"v1","kind":"List","items":[)";
  const std::string pods = repeated(json_pod, ",\n");
  const std::string yaml = "apiVersion: v1\nkind: List\nitems:\n" + repeated(full_yaml_pod);
  const List wrong[] = {
      {"comma.json", begin + pods + ",]}"},
      {"comma-behind.json", begin + pods + "],}"},
      {"no-comma.json", begin + pods + json_pod(1) + "]}"},
      {"colon.json", begin + pods + ",{\"a\" 1}]}"},
      {"brace.json", begin + pods + "}}"},
      {"twice.json", begin + pods + "],\"kind\":\"List\"}"},
      {"items-twice.json", begin + pods + "],\"items\":[]}"},
      {"large-item.json", begin + pods + ",{\"a\":\"" + std::string(10'000, 'a') + "\"}]}"},
      {"alias.yaml", yaml + "- &a {apiVersion: v1, kind: Pod}\n- *a\n"},
      {"quote.yaml", yaml + "- 'a\n- b\n"},
      {"column.yaml", "apiVersion: v1\nkind: List\nitems:\n" +
                          repeated([](int i) { return yaml_pod(i, "  ", ""); }) + " kind: List\n"},
      {"sequence.yaml", yaml + "- a\n---\n- b\n"},
      {"twice.yaml", yaml + "kind: List\n"},
      // YAML ends lines with these, too, and an item may hide behind one.
      {"return.yaml", yaml + "- {kind: a}\r- {kind: b}\n"},
      {"next-line.yaml", yaml + "- {kind: a}\u0085- {kind: b}\n"},
      {"line-separator.yaml", yaml + "- {kind: a}\u2028- {kind: b}\n"},
      {"document.yaml", yaml + "- {kind: a}\r---\r{kind: b}\n"},
  };
  for (const List& each : wrong) {
    const auto result = run("check" + (kItemLimit + write(each.name, each.text)));
    EXPECT_EQ(result.exit_code, 2) << each.name << result.err;
  }
}

TEST_F(LargeList, HidesNoItemBehindAnotherEndOfALine) {
  const std::string pod =
      "{apiVersion: v1, kind: Pod, metadata: {name: a}, spec: {os: {name: windows}, hostPID: "
      "true}}";
  const std::string map = "{apiVersion: v1, kind: ConfigMap, metadata: {name: a}}";
  for (const char* end : {"\r", "\u0085", "\u2028", "\u2029"}) {
    const std::string file =
        write("a.yaml", "apiVersion: v1\nkind: List\nitems:\n" +
                            repeated([&](int) { return "- " + map + end + "- " + pod + "\n"; }));
    EXPECT_NE(run("check --max-document-size 64KiB " + file).exit_code, 0) << end;
    EXPECT_EQ(run("check" + (kItemLimit + file)).exit_code, 2) << end;
  }
}

TEST_F(LargeList, SharesAnAliasAmongItemsIfItIsWithinTheLimit) {
  const std::string file =
      write("alias.yaml", "apiVersion: v1\nkind: List\nitems:\n" + repeated(full_yaml_pod) +
                              "- &a {apiVersion: v1, kind: Pod}\n- *a\n");
  EXPECT_EQ(run("check " + file).exit_code, 1);
  EXPECT_EQ(run("check --max-document-size 32KiB " + file).exit_code, 1);
  const auto result = run("check" + (kItemLimit + file));
  EXPECT_NE(result.err.find("unknown anchor 'a'; each item of a large list is read for itself"),
            std::string::npos)
      << result.err;
}

TEST_F(LargeList, HasItsKindBeforeItemsThatLackIt) {
  const auto result = run(
      "check" + (kItemLimit + write("pods.yaml", "apiVersion: v1\nitems:\n" + repeated([](int i) {
                                                   return yaml_pod(i, "", "");
                                                 }) + "kind: PodList\n")));
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_NE(
      result.err.find(
          ":3:3: error: not a Kubernetes object: apiVersion and kind are missing; those of a large "
          "list must be before its items (--max-document-size)\n"),
      std::string::npos)
      << result.err;
}

}  // namespace
}  // namespace winadmit
