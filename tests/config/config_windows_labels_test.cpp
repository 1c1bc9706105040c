#include "config/config_windows_labels.hpp"

#include <gtest/gtest.h>

namespace winadmit::server {
namespace {

std::string label_errors(const std::string& yaml) {
  ConfigReader reader("c");
  read_windows_labels(reader, reader.load(yaml).value(), "windowsLabels");
  try {
    reader.throw_errors();
  } catch (const ConfigError& error) {
    return error.what();
  }
  return "";
}

TEST(ConfigWindowsLabels, AreValuesWithAndWithoutABuild) {
  ConfigReader reader("c");
  const WindowsLabels labels = read_windows_labels(
      reader,
      reader.load("{pool: [win, {win2022: 10.0.20348, win2025: 10.0.26100}], none: []}").value(),
      "windowsLabels");
  reader.throw_errors();
  EXPECT_EQ(labels,
            (WindowsLabels{
                {"none", {}},
                {"pool", {{"win", ""}, {"win2022", "10.0.20348"}, {"win2025", "10.0.26100"}}}}));
}

TEST(ConfigWindowsLabels, ReportWhatIsWrong) {
  struct Case {
    const char *yaml, *error;
  };
  constexpr Case kCases[] = {
      {"[a]", "windowsLabels must be a mapping"},
      {"{a: b}", "a must be a list"},
      {"{a: [[b]]}", "a value of a must be a string"},
      {"{a: ['']}", "a value of a must not be empty"},
      {"{a: [{}]}", "a value of a must not be an empty mapping"},
      {"{a: [{b: ltsc2022}]}", "'ltsc2022' is not a value of the label"},
      {"{a: [{b: [c]}]}", "the build of b must be a string"},
      {"{a: [b, c, b]}", "duplicate value 'b' of a"},
      {"{a: [b, {b: 10.0.20348}]}", "duplicate value 'b' of a"},
      {"{a: [windows server]}", "'windows server' cannot be a value of the label a"},
      {"{a: [-b]}", "'-b' cannot be a value of the label a"},
      {"{a b: [c]}", "'a b' cannot be the key of a label"},
      {"{Example.com/a: [c]}", "'Example.com/a' cannot be the key of a label"},
      {"{example.com/: [c]}", "'example.com/' cannot be the key of a label"},
      {"{/a: [c]}", "'/a' cannot be the key of a label"},
      {"{example.com./a: [c]}", "cannot be the key of a label"},
      {"{example.com/a/b: [c]}", "cannot be the key of a label"},
      {"{kubernetes.io/os: [windows]}", "kubernetes.io/os need not be in windowsLabels"},
      {"{beta.kubernetes.io/os: [windows]}", "it is always read"},
      {"{node.kubernetes.io/windows-build: []}", "it is always read"},
  };
  for (const Case& each : kCases) {
    const std::string errors = label_errors(each.yaml);
    EXPECT_NE(errors.find(each.error), std::string::npos) << each.yaml << ": " << errors;
  }
}

TEST(ConfigWindowsLabels, MayHaveEveryKeyAndValueThatKubernetesAllows) {
  const std::string longest(63, 'a');
  EXPECT_EQ(label_errors("{a: [b, B_.-9], A_b: [c], x-y.example.com/" + longest + ": [" + longest +
                         ", '2022']}"),
            "");
  EXPECT_NE(label_errors("{a: [" + longest + "a]}"), "");
}

}  // namespace
}  // namespace winadmit::server
