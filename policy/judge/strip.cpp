#include "policy/judge/strip.hpp"

#include <string_view>

namespace winadmit {

void StripPatch::add(const FindingView& finding) {
  if (finding.action != (fields_ == Fields::denied ? Action::deny : Action::strip)) return;
  if (fields_ == Fields::denied && !is_removable(finding.id)) {
    leaves_denials_ = true;
    return;
  }
  // The API server refuses even empty capabilities, so they are removed as a whole.
  static constexpr std::string_view kWhole = "/capabilities";
  std::string path = finding.path.json_pointer();
  if (const std::size_t whole = path.find(std::string(kWhole) + '/'); whole != std::string::npos) {
    path.resize(whole + kWhole.size());
  }
  // Findings of one field, or of members below it, are consecutive.
  if (patch_.empty() || patch_.back().path != path) {
    patch_.push_back({"remove", std::move(path), {}});
  }
}

}  // namespace winadmit
