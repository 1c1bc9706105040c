// What placement adds to a pod, as text.
#pragma once

#include <string>

#include "policy/judge/placement.hpp"
#include "tests/policy/judge/patch_text.hpp"
#include "tests/policy/parsed.hpp"

namespace winadmit::test {

inline const std::string kSelector = R"("nodeSelector":{"kubernetes.io/os":"windows"})";
inline const std::string kKep =
    R"({"key":"os","operator":"Equal","value":"Win1809","effect":"NoSchedule"})";
inline const std::string kWin2022 =
    R"({"key":"os","operator":"Equal","value":"Win2022","effect":"NoSchedule"})";

/// The line of an operation that adds a value.
inline std::string add(const std::string& path, const std::string& value) {
  return "add " + path + ' ' + value + '\n';
}

inline const std::string kAddSelector =
    add("/spec/nodeSelector", R"({"kubernetes.io/os":"windows"})");
inline const std::string kAddKep = add("/spec/tolerations", '[' + kKep + ']');

/// The operations for a new pod with the spec, each on a line.
inline std::string placed(const std::string& spec, const Settings& settings = {},
                          Os default_os = Os::none) {
  const ParsedPod parsed('{' + spec + '}', settings.target.windows_labels);
  const Target target = find_target(parsed.pod(), settings.target, default_os);
  return patch_text(make_placement_patch(parsed.pod(), target, settings));
}

}  // namespace winadmit::test
