// The advice about a pod, as tests compare it.
#pragma once

#include <string>
#include <vector>

#include "policy/judge/advice.hpp"
#include "tests/policy/parsed.hpp"

namespace winadmit::test {

using Names = std::vector<std::string>;

inline std::vector<Finding> findings_on(const ParsedPod& parsed, const Settings& settings = {},
                                        bool placed_by_us = true, Os default_os = Os::none) {
  const Target target = find_target(parsed.pod(), settings.target, default_os);
  FindingCollector findings;
  Advisor(settings).advise(parsed.pod(), target, placed_by_us, findings);
  return findings.extract().kept;
}

inline Names advice_on(const ParsedPod& parsed, const Settings& settings, bool placed_by_us = true,
                       Os default_os = Os::none) {
  Names found;
  for (const Finding& each : findings_on(parsed, settings, placed_by_us, default_os)) {
    found.push_back(std::string(each.field) + ' ' + std::string(each.id));
  }
  return found;
}

inline Names advice(const std::string& spec, const Settings& settings = {},
                    bool placed_by_us = true, Os default_os = Os::none) {
  return advice_on(ParsedPod('{' + spec + '}'), settings, placed_by_us, default_os);
}

inline const std::string kTolerationOfKep =
    R"({"key":"os","value":"Win1809","effect":"NoSchedule"})";
inline const std::string kPlaced =
    R"("nodeSelector":{"kubernetes.io/os":"windows"},"tolerations":[)" + kTolerationOfKep + "]";

inline std::string with_image(const std::string& image, const std::string& more = "") {
  return R"("containers":[{"name":"c","image":")" + image + '"' + more + "}]";
}

}  // namespace winadmit::test
