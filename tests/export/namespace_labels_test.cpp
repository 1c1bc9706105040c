#include "export/namespace_labels.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>

#include "export/webhook_configurations.hpp"
#include "tests/test_data.hpp"

namespace winadmit::server {
namespace {

TEST(NamespaceLabels, HaveNoFaultWithAKnownValueOrAsLabelsOfOthers) {
  for (const NamespaceLabel& label : kNamespaceLabels) {
    for (const std::string_view value : label.values) {
      EXPECT_EQ(find_label_fault(label.key, value).reason, "") << label.key << '=' << value;
    }
  }
  EXPECT_EQ(find_label_fault("example.com/mode", "enforced").reason, "");
  EXPECT_EQ(find_label_fault("mode", "enforced").reason, "");
}

TEST(NamespaceLabels, NameADefaultOsOrLeaveItToTheInstallation) {
  EXPECT_EQ(find_default_os("windows"), Os::windows);
  EXPECT_EQ(find_default_os("linux"), Os::linux);
  EXPECT_EQ(find_default_os("none"), Os::none);
  for (const auto& value : {std::optional<std::string_view>(), {""}, {"Windows"}})
    EXPECT_EQ(find_default_os(value), std::nullopt);
}

TEST(NamespaceLabels, AreThoseThatTheWebhookConfigurationsSelect) {
  std::map<std::string, std::set<std::string>> selected;
  const auto collect = [&](const Config& config) {
    for (const auto& configuration : webhook_configurations(config, {})) {
      for (const auto& webhook : configuration["webhooks"]) {
        for (const auto& each : webhook["namespaceSelector"]["matchExpressions"]) {
          const auto key = each["key"].get<std::string>();
          if (!key.starts_with(kLabelPrefix)) continue;
          for (const auto& value : each["values"]) selected[key].insert(value.get<std::string>());
        }
      }
    }
  };
  Config config;
  collect(config);
  config.default_os = Os::linux;  // no selector names "none" without a default OS
  collect(config);
  std::map<std::string, std::set<std::string>> known;
  for (const NamespaceLabel& label : kNamespaceLabels) {
    known[std::string(label.key)] = {label.values.begin(), label.values.end()};
  }
  selected[std::string(kModeLabel)].insert("enforce");  // the default: no selector names it
  EXPECT_EQ(selected, known);
}

TEST(NamespaceLabels, AreThoseThatTheValidatingAdmissionPolicyKnows) {
  const std::string policy =
      test::read(test::source("deploy/kustomize/base/namespace-labels.yaml"));
  const auto quoted = [](const auto& words, auto text_of) {
    std::string list;
    for (const auto& each : words) {
      list += (list.empty() ? "'" : ", '") + std::string(text_of(each)) + '\'';
    }
    return '[' + list + ']';
  };
  EXPECT_NE(policy.find("key in " +
                        quoted(kNamespaceLabels, [](const auto& label) { return label.key; })),
            std::string::npos);
  for (const NamespaceLabel& label : kNamespaceLabels) {
    const std::string values = quoted(label.values, [](std::string_view value) { return value; });
    EXPECT_NE(policy.find("variables.labels['" + std::string(label.key) + "'] in " + values),
              std::string::npos)
        << values;
  }
}

TEST(NamespaceLabels, SuggestTheValueThatWasMeant) {
  const struct {
    std::string_view key, value, meant;
  } cases[] = {{kModeLabel, "enforced", "enforce"},
               {kModeLabel, "Enforce", "enforce"},
               {kModeLabel, "enfroce", "enforce"},
               {kModeLabel, "warning", "warn"},
               {kModeLabel, "Audit", "audit"},
               {kModeLabel, "OFF", "off"},
               {kModeLabel, "of", "off"},
               {kDefaultOsLabel, "Windows", "windows"},
               {kDefaultOsLabel, "window", "windows"},
               {kDefaultOsLabel, "win", "windows"},
               {kDefaultOsLabel, "linux2", "linux"},
               {kModeLabel, "disabled", ""},
               {kModeLabel, "true", ""},
               {kModeLabel, "", ""},
               {kDefaultOsLabel, "darwin", ""}};
  for (const auto& [key, value, meant] : cases) {
    SCOPED_TRACE(value);
    const LabelFault fault = find_label_fault(key, value);
    EXPECT_EQ(fault.reason, '"' + std::string(value) + "\" has no meaning, so the default applies");
    const std::string question = "; did you mean " + std::string(meant) + '?';
    EXPECT_EQ(fault.instead.find("; did you mean") != std::string::npos, !meant.empty())
        << fault.instead;
    if (meant.empty()) continue;
    EXPECT_TRUE(fault.instead.ends_with(question)) << fault.instead;
  }
}

TEST(NamespaceLabels, SuggestTheLabelThatWasMeant) {
  EXPECT_EQ(find_label_fault("winadmit.dev/modes", "warn").instead,
            "did you mean winadmit.dev/mode?");
  EXPECT_EQ(find_label_fault("winadmit.dev/defaultOS", "linux").instead,
            "did you mean winadmit.dev/default-os?");
  EXPECT_EQ(find_label_fault("winadmit.dev/team", "a").instead,
            "use one of winadmit.dev/mode, winadmit.dev/default-os");
}

}  // namespace
}  // namespace winadmit::server
