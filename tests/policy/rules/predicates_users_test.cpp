#include "policy/rules/predicates_users.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "tests/policy/parsed.hpp"
#include "tests/policy/rules/matches.hpp"

namespace winadmit {
namespace {

using test::matches;

/// The security contexts that the predicates match, of the pod and of the first container.
std::string administrators(std::string_view spec, const Predicate& of_pod,
                           const Predicate& of_container) {
  const test::ParsedPod parsed(spec);
  Context where{parsed.pod(), *parsed.pod().spec};
  std::string found;
  JsonValue context;
  if ((*parsed.pod().spec)["securityContext"].get(context) == simdjson::SUCCESS &&
      of_pod.matches(context, where)) {
    found += "pod ";
  }
  where.container = (*parsed.pod().spec)["containers"].at(0).get_object();
  if (where.container["securityContext"].get(context) == simdjson::SUCCESS &&
      of_container.matches(context, where)) {
    found += "container ";
  }
  return found;
}

TEST(PredicatesUsers, MatchAnAdministratorWithRunAsNonRoot) {
  const struct {
    std::string_view name;
    std::string_view spec;
    std::string_view found;
    std::string_view found_by_exact_name;
  } cases[] = {
      {"both on the container",
       R"({"containers": [{"securityContext": {"runAsNonRoot": true,
          "windowsOptions": {"runAsUserName": "ContainerAdministrator"}}}]})",
       "container ", "container "},
      {"in any letter case",
       R"({"containers": [{"securityContext": {"runAsNonRoot": true,
          "windowsOptions": {"runAsUserName": "containerADMINISTRATOR"}}}]})",
       "container ", ""},
      {"both on the pod",
       R"({"securityContext": {"runAsNonRoot": true,
          "windowsOptions": {"runAsUserName": "ContainerAdministrator"}}, "containers": [{}]})",
       "pod ", "pod "},
      {"both on the pod, in any letter case",
       R"({"securityContext": {"runAsNonRoot": true,
          "windowsOptions": {"runAsUserName": "containeradministrator"}}, "containers": [{}]})",
       "pod ", ""},
      {"one on each",
       R"({"securityContext": {"runAsNonRoot": true}, "containers": [{"securityContext":
          {"windowsOptions": {"runAsUserName": "ContainerAdministrator"}}}]})",
       "container ", "container "},
      {"null on the container does not override the pod",
       R"({"securityContext": {"runAsNonRoot": true,
          "windowsOptions": {"runAsUserName": "ContainerAdministrator"}},
          "containers": [{"securityContext": {"runAsNonRoot": null, "windowsOptions": null}}]})",
       "pod ", "pod "},
      {"one container overrides runAsNonRoot, another does not",
       R"({"securityContext": {"runAsNonRoot": true,
          "windowsOptions": {"runAsUserName": "ContainerAdministrator"}},
          "containers": [{"securityContext": {"runAsNonRoot": false}}, {}]})",
       "pod ", "pod "},
      {"the container repeats the pod",
       R"({"securityContext": {"runAsNonRoot": true,
          "windowsOptions": {"runAsUserName": "ContainerAdministrator"}},
          "containers": [{"securityContext": {"runAsNonRoot": true}}]})",
       "container ", "container "},
      {"the container overrides runAsNonRoot",
       R"({"securityContext": {"runAsNonRoot": true,
          "windowsOptions": {"runAsUserName": "ContainerAdministrator"}},
          "containers": [{"securityContext": {"runAsNonRoot": false}}]})",
       "", ""},
      {"the container overrides runAsUserName",
       R"({"securityContext": {"runAsNonRoot": true,
          "windowsOptions": {"runAsUserName": "ContainerAdministrator"}},
          "containers": [{"securityContext":
          {"windowsOptions": {"runAsUserName": "ContainerUser"}}}]})",
       "", ""},
      {"runAsNonRoot is not set",
       R"({"containers": [{"securityContext":
          {"windowsOptions": {"runAsUserName": "ContainerAdministrator"}}}]})",
       "", ""},
      {"runAsUserName is not set",
       R"({"securityContext": {"runAsNonRoot": true}, "containers": [{}]})", "", ""},
      {"wrong types",
       R"({"securityContext": {"runAsNonRoot": "yes", "windowsOptions": []},
          "containers": [{"securityContext": 1}]})",
       "", ""},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.name);
    EXPECT_EQ(administrators(one.spec, pod_runs_admin_as_nonroot_in_any_case,
                             runs_admin_as_nonroot_in_any_case),
              one.found);
    EXPECT_EQ(administrators(one.spec, pod_runs_admin_as_nonroot_by_exact_name,
                             runs_admin_as_nonroot_by_exact_name),
              one.found_by_exact_name);
  }
}

TEST(PredicatesUsers, MatchAUserThatNobodyNames) {
  const auto pod = [](const std::string& of_pod, const std::string& of_container) {
    return R"({"securityContext": {)" + of_pod + R"(}, "containers": [{"securityContext": {)" +
           of_container + "}}]}";
  };
  const std::string user = R"("windowsOptions": {"runAsUserName": "ContainerUser"})";
  const std::string admin = R"("windowsOptions": {"runAsUserName": "a\\ContainerAdministrator"})";
  const std::string system = R"("windowsOptions": {"runAsUserName": "NT AUTHORITY\\SYSTEM"})";
  const std::string nonroot = R"("runAsNonRoot": true)";
  const std::string host = R"("windowsOptions": {"hostProcess": false})";
  const struct {
    std::string_view name;
    Predicate predicate;
    std::string spec;
    bool match;
  } cases[] = {
      {"nobody names it", nonroot_without_user, pod("", nonroot), true},
      {"the pod names it", nonroot_without_user, pod(user, nonroot), false},
      {"nobody, pod", nonroot_without_user_in_a_container, pod(nonroot, ""), true},
      {"the container, pod", nonroot_without_user_in_a_container, pod(nonroot, user), false},
      {"the container overrides it", nonroot_without_user_in_a_container,
       pod(nonroot, R"("runAsNonRoot": false)"), false},
      {"no containers", nonroot_without_user_in_a_container, R"({"initContainers": []})", false},
      {"unset", host_process_without_user, pod("", ""), true},
      {"an account of the image", host_process_without_user, pod("", user), true},
      {"with a domain", host_process_without_user, pod("", admin), true},
      {"an account of the node", host_process_without_user, pod("", system), false},
      {"from the pod", host_process_without_user, pod(system, ""), false},
      {"unset, pod", host_process_without_user_in_a_container, pod("", ""), true},
      {"the container's account", host_process_without_user_in_a_container, pod("", system), false},
      {"hostProcess of the container", host_process_without_user_in_a_container, pod("", host),
       false},
  };
  for (const auto& one : cases) {
    SCOPED_TRACE(one.name);
    EXPECT_EQ(matches(one.predicate, "true", one.spec), one.match);
    EXPECT_FALSE(matches(one.predicate, "false", one.spec));
  }
}

}  // namespace
}  // namespace winadmit
