#include "policy/pod/affinity.hpp"

#include <gtest/gtest.h>

#include <string>

#include "tests/policy/parsed.hpp"

namespace winadmit {
namespace {

/// One requirement.
std::string on(const std::string& key, const std::string& op, const std::string& values = "") {
  std::string text = R"({"key":")" + key + R"(","operator":")" + op + '"';
  if (!values.empty()) text += R"(,"values":)" + values;
  return text + '}';
}
std::string os(const std::string& op, const std::string& values = "") {
  return on("kubernetes.io/os", op, values);
}
std::string build(const std::string& op, const std::string& values = "") {
  return on("node.kubernetes.io/windows-build", op, values);
}
std::string term(const std::string& requirements) {
  return R"({"matchExpressions":[)" + requirements + "]}";
}
std::string required(const std::string& terms) {
  return R"({"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)"
         R"({"nodeSelectorTerms":[)" +
         terms + "]}}}";
}

NodeAffinity read(const test::ParsedJson& affinity,
                  const WindowsLabels& labels = test::no_labels()) {
  FieldPath path;
  FieldErrors errors;
  return read_node_affinity(affinity.object(), labels, path, errors);
}

const std::string kWindows = os("In", R"(["windows"])");
const std::string kLinux = os("In", R"(["linux"])");
const std::string kOther = on("disk", "In", R"(["ssd"])");

TEST(Affinity, RequiresAnOsIfEveryTermThatCanMatchDoes) {
  struct Case {
    std::string name;
    std::string terms;
    Os os;
  };
  const Case kCases[] = {
      {"In [windows]", term(kWindows), Os::windows},
      {"In [linux]", term(kLinux), Os::linux},
      {"In [linux, windows]", term(os("In", R"(["linux","windows"])")), Os::none},
      {"In [windows, plan9]", term(os("In", R"(["windows","plan9"])")), Os::windows},
      {"NotIn [linux]", term(os("NotIn", R"(["linux"])")), Os::windows},
      {"NotIn [windows]", term(os("NotIn", R"(["windows"])")), Os::linux},
      {"NotIn both", term(os("NotIn", R"(["linux","windows"])")), Os::none},
      {"NotIn another", term(os("NotIn", R"(["plan9"])")), Os::none},
      {"In another", term(os("In", R"(["plan9"])")), Os::none},
      {"Exists", term(os("Exists")), Os::none},
      {"DoesNotExist", term(os("DoesNotExist")), Os::none},
      {"Gt", term(os("Gt", R"(["1"])")), Os::none},
      {"Lt", term(os("Lt", R"(["1"])")), Os::none},
      {"beta key", term(on("beta.kubernetes.io/os", "In", R"(["windows"])")), Os::windows},
      {"another key", term(kOther), Os::none},
      {"values in another case", term(os("In", R"(["Windows"])")), Os::none},

      {"ANDed with another key", term(kOther + ',' + kWindows), Os::windows},
      {"In both, ANDed with NotIn",
       term(os("In", R"(["linux","windows"])") + ',' + os("NotIn", R"(["linux"])")), Os::windows},
      {"a term that contradicts itself", term(kWindows + ',' + kLinux), Os::none},

      {"all terms the same", term(kWindows) + ',' + term(kWindows + ',' + kOther), Os::windows},
      {"mixed terms", term(kWindows) + ',' + term(kLinux), Os::none},
      {"a term without the OS", term(kWindows) + ',' + term(kOther), Os::none},
      {"a term that can never match", term(kLinux) + ',' + term(kWindows + ',' + kLinux),
       Os::linux},
      {"DoesNotExist beside windows", term(os("DoesNotExist")) + ',' + term(kWindows), Os::windows},
      {"Gt beside linux", term(os("Gt", R"(["1"])")) + ',' + term(kLinux), Os::linux},
      {"an empty term matches nothing", "{}," + term(kWindows), Os::windows},
      {"a term with empty lists", R"({"matchExpressions":[],"matchFields":[]},)" + term(kWindows),
       Os::windows},
      {"a term of fields alone",
       R"({"matchFields":[{"key":"metadata.name","operator":"In","values":["n"]}]},)" +
           term(kWindows),
       Os::none},
      {"fields and expressions",
       R"({"matchFields":[{"key":"metadata.name","operator":"In","values":["n"]}],)"
       R"("matchExpressions":[)" +
           kWindows + "]}",
       Os::windows},
      {"no term", "", Os::none},
      {"only an empty term", "{}", Os::none},

      {"build In", term(build("In", R"(["10.0.17763"])")), Os::windows},
      {"build Exists", term(build("Exists")), Os::windows},
      {"build NotIn", term(build("NotIn", R"(["10.0.17763"])")), Os::none},
      {"build DoesNotExist", term(build("DoesNotExist")), Os::none},
      {"build Gt", term(build("Gt", R"(["10"])")), Os::none},
      {"build Lt beside linux", term(build("Lt", R"(["10"])")) + ',' + term(kLinux), Os::linux},
      {"build In, on linux", term(build("In", R"(["10.0.17763"])") + ',' + kLinux), Os::none},

      {"Exists and DoesNotExist beside windows",
       term(kWindows) + ',' + term(on("x", "Exists") + ',' + on("x", "DoesNotExist")), Os::windows},
      {"In and NotIn of the same value",
       term(kWindows) + ',' + term(on("x", "In", R"(["a"])") + ',' + on("x", "NotIn", R"(["a"])")),
       Os::windows},
      {"In of other values",
       term(kWindows) + ',' + term(on("x", "In", R"(["a"])") + ',' + on("x", "In", R"(["b"])")),
       Os::windows},
      {"In and DoesNotExist",
       term(kWindows) + ',' + term(on("x", "In", R"(["a"])") + ',' + on("x", "DoesNotExist")),
       Os::windows},
      {"Gt and Lt with nothing between",
       term(kWindows) + ',' + term(on("x", "Gt", R"(["4"])") + ',' + on("x", "Lt", R"(["5"])")),
       Os::windows},
      {"Gt and Lt with something between",
       term(kWindows) + ',' + term(on("x", "Gt", R"(["4"])") + ',' + on("x", "Lt", R"(["6"])")),
       Os::none},
      {"In of what Gt excludes",
       term(kWindows) + ',' +
           term(on("x", "In", R"(["4","no number"])") + ',' + on("x", "Gt", R"(["4"])")),
       Os::windows},
      {"In of what Gt admits",
       term(kWindows) + ',' + term(on("x", "In", R"(["4","5"])") + ',' + on("x", "Gt", R"(["4"])")),
       Os::none},
      {"Gt of the largest number",
       term(kWindows) + ',' + term(on("x", "Gt", R"(["9223372036854775807"])")), Os::windows},
      {"Gt and DoesNotExist",
       term(kWindows) + ',' + term(on("x", "Gt", R"(["4"])") + ',' + on("x", "DoesNotExist")),
       Os::windows},
      {"NotIn and DoesNotExist agree",
       term(kWindows) + ',' + term(on("x", "NotIn", R"(["a"])") + ',' + on("x", "DoesNotExist")),
       Os::none},
      {"In of some values of both",
       term(kWindows) + ',' +
           term(on("x", "In", R"(["a","b"])") + ',' + on("x", "In", R"(["b","c"])") + ',' +
                on("x", "NotIn", R"(["a"])")),
       Os::none},
      {"contradictions of different keys are none",
       term(kWindows) + ',' + term(on("x", "Exists") + ',' + on("y", "DoesNotExist")), Os::none},
      {"fields that contradict each other",
       R"({"matchFields":[{"key":"metadata.name","operator":"In","values":["m"]},)"
       R"({"key":"metadata.name","operator":"In","values":["n"]}]},)" +
           term(kWindows),
       Os::windows},
      {"a field and a label with the same name",
       R"({"matchFields":[{"key":"x","operator":"In","values":["m"]}],"matchExpressions":[)" +
           on("x", "DoesNotExist") + "]}," + term(kWindows),
       Os::none},

      {"a requirement of a wrong type", R"({"matchExpressions":["a",)" + kWindows + "]}",
       Os::windows},
      {"values of wrong types", term(os("In", R"([1,null,"windows"])")), Os::windows},
  };
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.name);
    const test::ParsedJson affinity(required(each.terms));
    EXPECT_EQ(read(affinity).os, each.os);
  }
}

TEST(Affinity, IgnoresPreferredTerms) {
  const test::ParsedJson affinity(
      R"({"nodeAffinity":{"preferredDuringSchedulingIgnoredDuringExecution":[{"weight":1,)"
      R"("preference":)" +
      term(kWindows) + "}]}}");
  EXPECT_EQ(read(affinity).os, Os::none);
}

TEST(Affinity, IgnoresWrongTypes) {
  for (const char* text :
       {"{}", R"({"nodeAffinity":null})", R"({"nodeAffinity":[]})",
        R"({"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":1}})",
        R"({"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)"
        R"({"nodeSelectorTerms":{}}}})",
        R"({"nodeAffinity":{"requiredDuringSchedulingIgnoredDuringExecution":)"
        R"({"nodeSelectorTerms":[null,1,[]]}}})"}) {
    SCOPED_TRACE(text);
    EXPECT_EQ(read(test::ParsedJson(text)).os, Os::none);
  }
}

TEST(Affinity, ExcludesAmd64IfEveryTermThatAWindowsNodeCanMatchDoes) {
  const std::string arm = on("kubernetes.io/arch", "In", R"(["arm64"])");
  const struct {
    std::string terms;
    bool excludes;
  } cases[] = {
      {term(arm), true},
      {term(on("beta.kubernetes.io/arch", "In", R"(["arm","arm64"])")), true},
      {term(on("kubernetes.io/arch", "In", R"(["amd64","arm64"])")), false},
      {term(on("kubernetes.io/arch", "NotIn", R"(["amd64"])")), true},
      {term(on("kubernetes.io/arch", "NotIn", R"(["arm64"])")), false},
      {term(on("kubernetes.io/arch", "Exists")), false},
      {term(on("kubernetes.io/arch", "DoesNotExist")), true},
      {term(on("beta.kubernetes.io/arch", "DoesNotExist")), false},
      {term(arm) + ',' + term(kWindows), false},
      {term(arm) + ',' + term(kWindows + ',' + arm), true},
      {term(arm) + ',' + term(kLinux), true},
      {term(kLinux + ',' + arm) + ',' + term(kWindows), false},
      {term(kLinux + ',' + arm), false},
      {term(arm) + ",{}", true},
      {term(kWindows), false},
      {"", false},
      {"{}", false},
  };
  for (const auto& each : cases) {
    const test::ParsedJson affinity(required(each.terms));
    EXPECT_EQ(read(affinity).excludes_amd64, each.excludes) << each.terms;
  }
}

TEST(Affinity, NamesBuildsOnlyIfEveryTermThatAWindowsNodeCanMatchDoes) {
  using Builds = std::vector<std::string_view>;
  const std::string old_build = build("In", R"(["10.0.17763"])");
  const std::string new_build = build("In", R"(["10.0.20348","10.0.26100"])");
  {
    const test::ParsedJson affinity(required(term(old_build) + ',' + term(new_build)));
    EXPECT_EQ(read(affinity).builds, (Builds{"10.0.17763", "10.0.20348", "10.0.26100"}));
  }
  {
    const test::ParsedJson affinity(required(term(kLinux) + ',' + term(old_build)));
    EXPECT_EQ(read(affinity).builds, Builds{"10.0.17763"});
  }
  {
    const test::ParsedJson affinity(
        required(term(old_build) + ',' + term(on("kubernetes.io/arch", "Exists"))));
    EXPECT_EQ(read(affinity).builds, Builds{}) << "a term for both";
  }
  {
    const test::ParsedJson affinity(required(term(old_build) + ',' + term(kWindows)));
    EXPECT_EQ(read(affinity).builds, Builds{});
  }
  {
    const test::ParsedJson affinity(required(term(build("Exists"))));
    EXPECT_EQ(read(affinity).builds, Builds{});
  }
}

TEST(Affinity, ReadsTheLabelsOfWindowsNodes) {
  using Builds = std::vector<std::string_view>;
  const WindowsLabels labels = {
      {"sku", {{"w19", "10.0.17763"}, {"w22", "10.0.20348"}, {"annual", ""}}}};
  const auto sku = [](const std::string& op, const std::string& values = "") {
    return on("sku", op, values);
  };
  struct Case {
    std::string terms;
    Os os;
    Builds builds;
  };
  const Case kCases[] = {
      {term(sku("In", R"(["w22"])")), Os::windows, {"10.0.20348"}},
      {term(sku("In", R"(["w19","w22"])")), Os::windows, {"10.0.17763", "10.0.20348"}},
      {term(sku("In", R"(["w22","annual"])")), Os::windows, {}},
      {term(sku("In", R"(["w22","ubuntu"])")), Os::none, {}},
      {term(sku("In", R"(["w22","ubuntu"])") + ',' + sku("NotIn", R"(["ubuntu"])")),
       Os::windows,
       {"10.0.20348"}},
      {term(sku("In", "[]")), Os::none, {}},
      {term(sku("Exists")), Os::none, {}},
      {term(sku("NotIn", R"(["ubuntu"])")), Os::none, {}},
      {term(sku("DoesNotExist")), Os::none, {}},
      {term(sku("In", R"(["w22"])")) + ',' + term(kOther), Os::none, {}},
      {term(sku("In", R"(["w22"])") + ',' + kLinux) + ',' + term(kLinux), Os::linux, {}},
      {term(sku("In", R"(["w22"])") + ',' + build("In", R"(["10.0.26100"])")),
       Os::windows,
       {"10.0.26100"}},
  };
  for (const Case& each : kCases) {
    SCOPED_TRACE(each.terms);
    const test::ParsedJson affinity(required(each.terms));
    const NodeAffinity found = read(affinity, labels);
    EXPECT_EQ(found.os, each.os);
    EXPECT_EQ(found.builds, each.builds);
    EXPECT_TRUE(read(affinity).os != Os::windows || each.terms.find("build") != std::string::npos);
  }
}

TEST(Affinity, TakesTheBuildsOfTheFirstLabelByItsKey) {
  // By eight pairs, because a hash with a random key once decided.
  for (const std::string& pair :
       {std::string("a,b"), std::string("c,d"), std::string("e,f"), std::string("g,h"),
        std::string("i,j"), std::string("k,l"), std::string("m,n"), std::string("o,p")}) {
    const std::string first(1, pair[0]), second(1, pair[2]);
    const WindowsLabels labels = {{first, {{"w", "10.0.17763"}}}, {second, {{"w", "10.0.20348"}}}};
    for (const std::string& requirements :
         {on(first, "In", R"(["w"])") + ',' + on(second, "In", R"(["w"])"),
          on(second, "In", R"(["w"])") + ',' + on(first, "In", R"(["w"])")}) {
      const test::ParsedJson affinity(required(term(requirements)));
      EXPECT_EQ(read(affinity, labels).builds, std::vector<std::string_view>{"10.0.17763"});
    }
  }
}

}  // namespace
}  // namespace winadmit
