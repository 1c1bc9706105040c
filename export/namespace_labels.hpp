// The labels by which a namespace chooses what winadmit does in it: those that the webhook
// configurations select by, and their values.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "admission/route.hpp"

namespace winadmit::server {

inline constexpr std::string_view kLabelPrefix = "winadmit.dev/";

inline constexpr std::string_view kModeLabel = "winadmit.dev/mode";
inline constexpr std::string_view kDefaultOsLabel = "winadmit.dev/default-os";

/// The namespace that is never sent, whatever its labels.
inline constexpr std::string_view kSystemNamespace = "kube-system";

/// In the order of Mode; "off" is none.
inline constexpr std::array<std::string_view, 4> kModeValues = {kModeNames[0], kModeNames[1],
                                                                kModeNames[2], "off"};

/// The value of kModeLabel for a mode.
std::string_view to_string(Mode mode);

/// Which mode namespaces have.
struct NamespaceModes {
  Mode default_mode = Mode::enforce;  // of namespaces without the label, or with another value
  bool opt_in = false;                // only namespaces with the label have a mode
};

/// Selects namespaces by kModeLabel.
struct ModeRequirement {
  bool is_in;  // the values are those of the label; else the label has none of them
  std::vector<std::string_view> values;
};

/// The namespaces in one of these modes. The default mode is that of every value that is not the
/// name of another.
ModeRequirement require_modes(const std::vector<Mode>& modes, Mode default_mode);

/// "none": the namespace has no default OS, whatever that of the installation is.
inline constexpr std::array<std::string_view, 3> kDefaultOsValues = {"windows", "linux", "none"};

/// The mode of a namespace that has kModeLabel with this value, or has no such label. Nothing if
/// the webhooks do not select the namespace.
std::optional<Mode> find_mode(std::optional<std::string_view> label, const NamespaceModes& modes);

/// The same by kDefaultOsLabel. Nothing if the default of the installation applies.
std::optional<Os> find_default_os(std::optional<std::string_view> label);

struct NamespaceLabel {
  std::string_view key;
  std::span<const std::string_view> values;  // with any other, the default applies
};

inline constexpr std::array<NamespaceLabel, 2> kNamespaceLabels = {{
    {kModeLabel, kModeValues},
    {kDefaultOsLabel, kDefaultOsValues},
}};

struct LabelFault {
  std::string reason;   // what is wrong, and what follows from it
  std::string instead;  // what to do, in the imperative
};

/// What is wrong with a label of a namespace. Both texts are empty if nothing is, or if the label
/// is not one of winadmit's.
LabelFault find_label_fault(std::string_view key, std::string_view value);

}  // namespace winadmit::server
