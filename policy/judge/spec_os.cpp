#include "policy/judge/spec_os.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "policy/judge/manual_fix.hpp"
#include "policy/judge/placement.hpp"
#include "policy/judge/strip.hpp"

namespace winadmit {
namespace {

class FirstObstacle final : public FindingSink {
 public:
  FirstObstacle(const Pod& pod, const Settings& settings)
      : settings_(settings),
        where_{.pod = pod,
               .container = *pod.spec,
               .spec_os = true,
               .kubernetes = settings.kubernetes} {}

  void add(const FindingView& finding) override {
    if (field_.empty() && finding.value &&
        needs_manual_fix(finding.id, *finding.value, where_, settings_))
      field_ = finding.path.to_string();
  }

  /// Moves the path out.
  std::string extract() { return std::move(field_); }

 private:
  const Settings& settings_;
  Context where_;
  std::string field_;
};

}  // namespace

bool may_set_spec_os(const Pod& pod, const Target& target, const Settings& settings) {
  return settings.set_os && !pod.os_name && may_get_selector(pod, target);
}

std::string first_field_refused_with_spec_os(const Pod& pod, const Validator& validator,
                                             const Settings& settings) {
  if (!pod.spec) return {};
  FirstObstacle obstacle(pod, settings);
  FieldErrors errors;
  validator.validate(pod, obstacle, errors, ValidateAs::api_server_with_spec_os);
  return obstacle.extract();
}

SpecOsPatch make_spec_os_patch(const Pod& pod, const Validator& validator) {
  StripPatch strip(StripPatch::Fields::configured_and_denied);
  FieldErrors errors;
  validator.validate(pod, strip, errors, ValidateAs::api_server_with_spec_os);
  SpecOsPatch made{
      .patch = {{"add", pod.spec_path().json_pointer() + "/os", R"({"name":"windows"})"}},
      .leaves_denials = strip.leaves_denials()};
  std::ranges::move(strip.extract(), std::back_inserter(made.patch));
  return made;
}

}  // namespace winadmit
