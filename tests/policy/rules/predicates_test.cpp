#include "policy/rules/predicates.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "policy/rules/predicates_paths.hpp"
#include "policy/rules/predicates_users.hpp"
#include "tests/policy/parsed.hpp"
#include "tests/policy/rules/matches.hpp"

namespace winadmit {
namespace {

using test::matches;

constexpr std::string_view kOneOfEachType[] = {
    "null",  "true",   "false", "0",      "-1", "1.5",           "18446744073709551615",
    R"("")", R"("x")", "[]",    "[null]", "{}", R"({"type": 1})"};

bool holds(const Condition& condition, std::string_view spec) {
  const test::ParsedPod parsed(spec);
  return condition.holds({parsed.pod(), *parsed.pod().spec});
}

TEST(Predicates, MatchTheirValuesOnly) {
  const test::ValueCase cases[] = {
      {"true is true", is_true, "true", true},
      {"false is not true", is_true, "false", false},
      {"the string true is not true", is_true, R"("true")", false},
      {"false is false", is_false, "false", true},
      {"true is not false", is_false, "true", false},
      {"zero is present", present_integer, "0", true},
      {"false is present", present_boolean, "false", true},
      {"an empty object is present", present_object, "{}", true},
      {"null is absent", present_object, "null", false},
      {"a list with an entry", nonempty_list, "[{}]", true},
      {"a list without an entry", nonempty_list, "[]", false},
      {"a member of SELinux options", has_selinux_options, R"({"level": "", "user": "a"})", true},
      {"no SELinux options", has_selinux_options, "{}", false},
      {"SELinux options that are null or empty", has_selinux_options,
       R"({"level": "", "user": null})", false},
      {"unknown SELinux options", has_selinux_options, R"({"Level": "s0"})", false},
      {"a string with a character", nonempty_string, R"("a")", true},
      {"an empty string", nonempty_string, R"("")", false},
      {"two entries", more_than_one, "[1, 2]", true},
      {"one entry", more_than_one, "[1]", false},
      {"0644 is the default mode", not_mode_0644, "420", false},
      {"0400", not_mode_0644, "256", true},
      {"a mode too large for int64", not_mode_0644, "18446744073709551615", true},
      {"30 seconds is the default", not_30_seconds, "30", false},
      {"zero seconds", not_30_seconds, "0", true},
      {"a huge page", has_hugepages, R"({"cpu": "1", "hugepages-2Mi": "4Mi"})", true},
      {"no huge page", has_hugepages, R"({"cpu": "1", "memory": "1Gi"})", false},
      {"no huge page by an amount of zero", has_hugepages,
       R"({"hugepages-1Gi": 0, "hugepages-2Mi": "0", "hugepages-64Ki": "0Mi"})", false},
      {"no huge page by an amount of null", has_hugepages, R"({"hugepages-2Mi": null})", false},
      {"a huge page beside an amount of zero", has_hugepages,
       R"({"hugepages-1Gi": "0", "hugepages-2Mi": "2Mi"})", true},
      {"a huge page without an amount", has_hugepages, R"({"hugepages-2Mi": "x"})", true},
      {"a profile of the node", localhost_profile, R"("localhost/a")", true},
      {"a profile of the runtime", localhost_profile, R"("runtime/default")", false},
      {"another profile than of the node", profile_other_than_localhost, R"("docker/default")",
       true},
      {"no other profile", profile_other_than_localhost, R"("localhost/a")", false},
      {"unconfined", profile_other_than_localhost, R"("unconfined")", false},
      {"requests", has_requests_or_limits, R"({"requests": {"cpu": "1"}})", true},
      {"limits", has_requests_or_limits, R"({"limits": {"cpu": "1"}})", true},
      {"empty requests", has_requests_or_limits, R"({"requests": {}, "limits": null})", false},
      {"no capabilities", neither_adds_nor_drops, "{}", true},
      {"empty lists of capabilities", neither_adds_nor_drops, R"({"add": [], "drop": null})", true},
      {"a capability added", neither_adds_nor_drops, R"({"add": ["X"]})", false},
      {"a capability dropped", neither_adds_nor_drops, R"({"drop": ["ALL"]})", false},
      {"the first string", one_of<"A", "B">, R"("A")", true},
      {"the second string", one_of<"A", "B">, R"("B")", true},
      {"a string is compared as a whole", one_of<"A", "B">, R"("AB")", false},
      {"the letter case matters", one_of<"A", "B">, R"("a")", false},
      {"a string that is not listed", none_of<"A", "B">, R"("C")", true},
      {"a string that is listed", none_of<"A", "B">, R"("B")", false},
      {"a type", typed<"Localhost">, R"({"type": "Localhost"})", true},
      {"another type", typed<"Localhost">, R"({"type": "Unconfined"})", false},
      {"no type", typed<"Localhost">, "{}", false},
      {"a different type", typed_other_than<"Localhost">, R"({"type": "Unconfined"})", true},
      {"no type is another type", typed_other_than<"Localhost">, "{}", true},
      {"the same type", typed_other_than<"Localhost">, R"({"type": "Localhost"})", false},
  };
  test::expect_matches(cases);
}

TEST(Predicates, DoNotMatchOtherTypes) {
  const struct {
    std::string_view name;
    Predicate predicate;
    std::string_view values_of_its_type;
  } cases[] = {
      {"is_true", is_true, "true false"},
      {"is_false", is_false, "true false"},
      {"more_than_one", more_than_one, "[] [null]"},
      {"not_mode_0644", not_mode_0644, "0 -1 18446744073709551615"},
      {"not_30_seconds", not_30_seconds, "0 -1 18446744073709551615"},
      {"has_hugepages", has_hugepages, R"({} {"type": 1})"},
      {"localhost_profile", localhost_profile, R"("" "localhost/x")"},
      {"profile_other_than_localhost", profile_other_than_localhost, R"("" "x")"},
      {"has_requests_or_limits", has_requests_or_limits, R"({} {"type": 1})"},
      {"neither_adds_nor_drops", neither_adds_nor_drops, R"({} {"type": 1})"},
      {"one_of", one_of<"x">, R"("" "x")"},
      {"none_of", none_of<"y">, R"("" "x")"},
      {"typed", typed<"x">, R"({} {"type": 1})"},
      {"typed_other_than", typed_other_than<"x">, R"({} {"type": 1})"},
      {"is_hyperv_with_several_containers", is_hyperv_with_several_containers, R"("" "x")"},
      {"is_isolation_that_may_start", is_isolation_that_may_start, R"("" "x")"},
      {"linux_path", linux_path, R"("" "x")"},
      {"leaves_volume", leaves_volume, R"("" "x")"},
      {"starts_linux_program", starts_linux_program, "[] [null]"},
      {"nonroot_without_user", nonroot_without_user, "true false"},
      {"nonroot_without_user_in_a_container", nonroot_without_user_in_a_container, "true false"},
      {"host_process_without_user", host_process_without_user, "true false"},
      {"host_process_without_user_in_a_container", host_process_without_user_in_a_container,
       "true false"},
      {"names_a_pipe_of_host_process", names_a_pipe_of_host_process, R"("" "x")"},
      {"never", never, ""},
  };
  for (const auto& one : cases) {
    for (const std::string_view value : kOneOfEachType) {
      if (one.values_of_its_type.find(value) != std::string_view::npos) continue;
      EXPECT_FALSE(matches(one.predicate, value)) << one.name << " of " << value;
    }
  }
}

TEST(Predicates, DescribeTheStringsThatTheyCompare) {
  EXPECT_EQ(one_of<"Strict">.description, R"(is "Strict")");
  EXPECT_EQ((one_of<"HostToContainer", "Bidirectional">.description),
            R"(is "HostToContainer" or "Bidirectional")");
  EXPECT_EQ((one_of<"CharDevice", "BlockDevice", "Socket">.description),
            R"(is "CharDevice", "BlockDevice" or "Socket")");
  EXPECT_EQ((none_of<"Default", "">.description), R"(is other than "Default" or "")");
  EXPECT_EQ(typed<"Localhost">.description, R"(has the type "Localhost")");
  EXPECT_EQ(typed_other_than<"Localhost">.description, R"(has a type other than "Localhost")");
}

TEST(Predicates, DistinguishIsolationByTheNumberOfContainers) {
  constexpr std::string_view kOne = R"({"containers": [{}]})";
  constexpr std::string_view kTwo = R"({"containers": [{}], "initContainers": [{}]})";
  constexpr std::string_view kDebugged = R"({"containers": [{}], "ephemeralContainers": [{}]})";
  const struct {
    std::string_view value;
    std::string_view spec;
    bool cannot_start;
    bool may_start;
  } cases[] = {
      {R"("hyperv")", kOne, false, true},      {R"("hyperv")", kTwo, true, false},
      {R"("hyperv")", kDebugged, false, true}, {R"("process")", kOne, false, false},
      {R"("process")", kTwo, false, false},    {R"("other")", kTwo, false, true},
      {R"("")", kTwo, false, false},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(std::string(one.value) + " " + std::string(one.spec));
    EXPECT_EQ(matches(is_hyperv_with_several_containers, one.value, one.spec), one.cannot_start);
    EXPECT_EQ(matches(is_isolation_that_may_start, one.value, one.spec), one.may_start);
  }
}

TEST(Conditions, HoldForHostProcessPods) {
  const struct {
    std::string_view name;
    std::string_view spec;
    bool all;
  } cases[] = {
      {"set on the pod",
       R"({"securityContext": {"windowsOptions": {"hostProcess": true}}, "containers": [{}]})",
       true},
      {"set on each container",
       R"({"containers": [{"securityContext": {"windowsOptions": {"hostProcess": true}}}],
          "initContainers": [{"securityContext": {"windowsOptions": {"hostProcess": true}}}]})",
       true},
      {"overridden by a container",
       R"({"securityContext": {"windowsOptions": {"hostProcess": true}}, "containers": [{},
          {"securityContext": {"windowsOptions": {"hostProcess": false}}}]})",
       false},
      {"not set on the init container",
       R"({"containers": [{"securityContext": {"windowsOptions": {"hostProcess": true}}}],
          "initContainers": [{}]})",
       false},
      {"not set on the ephemeral container",
       R"({"containers": [{"securityContext": {"windowsOptions": {"hostProcess": true}}}],
          "ephemeralContainers": [{}]})",
       false},
      {"a pod without containers",
       R"({"securityContext": {"windowsOptions": {"hostProcess": true}}})", false},
      {"a container that is not an object",
       R"({"securityContext": {"windowsOptions": {"hostProcess": true}}, "containers": [1]})",
       false},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.name);
    EXPECT_EQ(holds(all_host_process, one.spec), one.all);
    EXPECT_FALSE(holds(host_process_on_host_network, one.spec)) << "without hostNetwork";
    const std::string on_host_network =
        R"({"hostNetwork": true, )" + std::string(one.spec.substr(1));
    EXPECT_EQ(holds(host_process_on_host_network, on_host_network), one.all);
  }
}

}  // namespace
}  // namespace winadmit
