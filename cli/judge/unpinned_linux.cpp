#include "cli/judge/unpinned_linux.hpp"

#include <string>
#include <string_view>

#include "cli/judge/check_advice.hpp"
#include "policy/judge/advice.hpp"
#include "policy/pod/image.hpp"
#include "policy/pod/target.hpp"

namespace winadmit::cli {
namespace {

/// Takes the field of the first finding that no Windows pod has.
class FirstLinuxField final : public FindingSink {
 public:
  void add(const FindingView& finding) override {
    const bool is_for_linux = finding.action == Action::deny || finding.id == "linux-command";
    if (is_for_linux && field_.empty()) field_ = finding.path.to_string();
  }
  const std::string& field() const { return field_; }

 private:
  std::string field_;
};

bool is_for_linux(const Image& image) { return is_linux_only(image) || has_linux_tag(image); }

/// The field that says that the pod is for Linux, or "".
std::string find_linux_sign(const Pod& pod, const Target& target, const Policy& policy) {
  if (target.linux_signals.has(Signal::spec_os)) return pod.spec_path().to_string() + ".os.name";
  FirstLinuxField sink;
  FieldErrors errors;
  policy.validator().validate(pod, sink, errors);
  if (!sink.field().empty()) return sink.field();
  const auto image = find_image(pod, is_for_linux);
  return image ? image->to_string() : "";
}

}  // namespace

bool may_be_without_taints(const Settings& settings) {
  return settings.tolerations_are_alternatives ||
         (settings.tolerations.empty() && settings.tolerations_by_build.empty());
}

void advise_on_unpinned_linux(const Pod& pod, const Policy& policy, FindingSink& findings) {
  const Target target = find_target(pod, policy.settings().target);
  if (!pod.spec || !target.windows_signals.empty() || target.selects_linux()) return;
  if (may_be_sent_to_windows(pod) || pod.is_owned_by_daemon_set) return;
  if (pod.kind->is_daemon_set() && pod.tolerations.tolerates_every_taint()) {
    return add_warning(kAdviceLinuxUnpinned, pod.spec_path(),
                       "tolerates every taint and selects no OS", findings);
  }
  const std::string sign = find_linux_sign(pod, target, policy);
  if (sign.empty()) return;
  add_warning(kAdviceLinuxUnpinned, pod.spec_path(),
              "is for Linux by " + sign + ", but does not select Linux nodes", findings);
}

}  // namespace winadmit::cli
