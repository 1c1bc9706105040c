#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "cli/judge/refusal.hpp"
#include "cli/judge/refused_fields.hpp"
#include "config/label_syntax.hpp"
#include "text/text.hpp"

namespace winadmit::cli {
namespace {

// Before these, the feature gates are off by default, and the API server drops the fields.
constexpr Version kGmsaVersion{1, 16};
constexpr Version kRunAsUserNameVersion{1, 17};
/// The field of this release has a feature gate, too: ContainerStopSignals.
constexpr Version kStopSignalVersion{1, 33};

bool has_any_of(std::string_view text, std::string_view characters) {
  return text.find_first_of(characters) != std::string_view::npos;
}

/// A NetBIOS name of at most 15 characters.
bool is_netbios_name(std::string_view domain) {
  constexpr std::ptrdiff_t kMaxCharacters = 15;
  const auto starts_character = [](char c) { return !continues_code_point(c); };
  return !domain.empty() && !domain.starts_with('.') && !has_any_of(domain, R"(\/:*?"<>|)") &&
         std::ranges::count_if(domain, starts_character) <= kMaxCharacters;
}

/// Labels of at most 63 letters, digits and inner dashes.
bool is_dns_domain(std::string_view domain) {
  for (;;) {
    const std::size_t dot = domain.find('.');
    std::string label(domain.substr(0, dot));
    std::ranges::transform(label, label.begin(), to_ascii_lower);
    if (!server::is_dns_label(label)) return false;
    if (dot == std::string_view::npos) return true;
    domain.remove_prefix(dot + 1);
  }
}

/// Reports what is wrong with the members of windowsOptions at `path`.
class OptionsRefuser {
 public:
  OptionsRefuser(FieldPath& path, FindingSink& findings) : path_(path), findings_(findings) {}

  void refuse_spec_name(std::string_view name) {
    if (server::is_dns_subdomain(name)) return;
    refuse("gmsaCredentialSpecName", name,
           "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' "
           "or '.', must start and end with an alphanumeric character, and must be no more than "
           "253 characters");
  }

  void refuse_spec(std::string_view spec) {
    constexpr std::size_t kMaxSize = 64 * std::size_t{1024};
    if (spec.empty())
      refuse("gmsaCredentialSpec", spec, "gmsaCredentialSpec cannot be an empty string");
    if (spec.size() > kMaxSize)
      refuse("gmsaCredentialSpec", spec, "gmsaCredentialSpec size must be under 64 KiB");
  }

  void refuse_account(std::string_view account) {
    const std::size_t backslash = account.find('\\');
    if (account.empty()) return refuse_account(account, "runAsUserName cannot be an empty string");
    if (std::ranges::any_of(account, is_control))
      return refuse_account(account, "runAsUserName cannot contain control characters");
    if (backslash == std::string_view::npos) return refuse_user(account, account);
    const std::string_view user = account.substr(backslash + 1);
    if (user.find('\\') != std::string_view::npos)
      return refuse_account(account, "runAsUserName cannot contain more than one backslash");
    refuse_domain(account, account.substr(0, backslash));
    refuse_user(account, user);
  }

 private:
  void refuse_domain(std::string_view account, std::string_view domain) {
    constexpr std::size_t kLimit = 256;
    if (domain.size() >= kLimit)
      refuse_account(account, "runAsUserName's Domain length must be under 256 characters");
    if (!is_netbios_name(domain) && !is_dns_domain(domain))
      refuse_account(account,
                     "runAsUserName's Domain doesn't match the NetBios nor the DNS format");
  }

  void refuse_user(std::string_view account, std::string_view user) {
    constexpr std::size_t kMaxSize = 104;
    if (user.empty()) return refuse_account(account, "runAsUserName's User cannot be empty");
    if (user.size() > kMaxSize)
      refuse_account(account, "runAsUserName's User length must not be longer than 104 characters");
    if (user.find_first_not_of(". ") == std::string_view::npos)
      refuse_account(account, "runAsUserName's User cannot contain only periods or spaces");
    if (has_any_of(user, R"("/\:;|=,+*?<>@[])"))
      refuse_account(account,
                     "runAsUserName's User cannot contain the following characters: "
                     R"("/\:;|=,+*?<>@[])");
  }

  void refuse_account(std::string_view account, std::string_view why) {
    refuse("runAsUserName", account, why);
  }

  void refuse(std::string_view field, std::string_view value, std::string_view why) {
    const ScopedStep step(path_, field);
    refuse_value(path_, value, why, findings_);
  }

  FieldPath& path_;
  FindingSink& findings_;
};

/// `path`: of the pod spec or the container.
void refuse_windows_options(JsonObject object, FieldPath path, Version kubernetes,
                            FindingSink& findings) {
  const auto context = member<JsonObject>(object, "securityContext");
  const auto options =
      context ? member<JsonObject>(*context, "windowsOptions") : std::optional<JsonObject>();
  if (!options) return;
  path.enter("securityContext");
  path.enter("windowsOptions");
  OptionsRefuser refuser(path, findings);
  const auto text = [&](std::string_view name) { return member<std::string_view>(*options, name); };
  if (kubernetes >= kGmsaVersion) {
    if (const auto name = text("gmsaCredentialSpecName")) refuser.refuse_spec_name(*name);
    if (const auto spec = text("gmsaCredentialSpec")) refuser.refuse_spec(*spec);
  }
  if (kubernetes < kRunAsUserNameVersion) return;
  if (const auto account = text("runAsUserName")) refuser.refuse_account(*account);
}

/// Of a container of a Windows pod.
void refuse_stop_signal(JsonObject container, FieldPath path, bool has_os, FindingSink& findings) {
  const auto lifecycle = member<JsonObject>(container, "lifecycle");
  const auto signal = lifecycle ? member<std::string_view>(*lifecycle, "stopSignal") : std::nullopt;
  if (!signal) return;
  path.enter("lifecycle");
  path.enter("stopSignal");
  if (!has_os)
    return refuse_field(path, "may not be set for containers with empty `spec.os.name`", findings);
  if (*signal != "SIGKILL" && *signal != "SIGTERM")
    refuse_unsupported(path, *signal, {"SIGKILL", "SIGTERM"}, findings);
}

}  // namespace

void refuse_windows_fields(const Pod& pod, const Target& target, Version kubernetes,
                           FindingSink& findings) {
  if (!pod.spec) return;
  refuse_windows_options(*pod.spec, pod.spec_path(), kubernetes, findings);
  const bool may_have_signals = target.os == Os::windows && kubernetes >= kStopSignalVersion;
  for_each_container(pod, [&](const Container& each) {
    refuse_windows_options(each.object, each.path(pod), kubernetes, findings);
    if (may_have_signals)
      refuse_stop_signal(each.object, each.path(pod), pod.os_name.has_value(), findings);
  });
}

}  // namespace winadmit::cli
