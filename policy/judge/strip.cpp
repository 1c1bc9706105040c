#include "policy/judge/strip.hpp"

#include <string_view>

namespace winadmit {

void StripPatch::add(const FindingView& finding) {
  const bool removes = finding.action == Action::strip ||
                       (fields_ == Fields::configured_and_denied &&
                        finding.action == Action::deny && is_removable(finding.id));
  if (!removes) {
    leaves_denials_ |= finding.action == Action::deny;
    return;
  }
  // With spec.os the API server refuses even empty capabilities, so they are removed as a whole.
  // Without it Pod Security restricted asks for those that are dropped.
  static constexpr std::string_view kWhole = "/capabilities";
  std::string path = finding.path.json_pointer();
  if (const std::size_t whole = path.find(std::string(kWhole) + '/');
      has_spec_os_ && whole != std::string::npos) {
    path.resize(whole + kWhole.size());
  }
  // Findings of one field, or of members below it, are consecutive.
  if (patch_.empty() || patch_.back().path != path) {
    patch_.push_back({"remove", std::move(path), {}, finding.id});
  }
}

}  // namespace winadmit
