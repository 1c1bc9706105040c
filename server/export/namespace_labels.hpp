// The labels by which a namespace chooses what winadmit does in it: those that the webhook
// configurations select by, and their values.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "server/review/route.hpp"

namespace winadmit::server {

inline constexpr std::string_view kLabelPrefix = "winadmit.dev/";

inline constexpr std::string_view kModeLabel = "winadmit.dev/mode";
inline constexpr std::string_view kDefaultOsLabel = "winadmit.dev/default-os";

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

inline constexpr std::array<std::string_view, 2> kDefaultOsValues = {"windows", "linux"};

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
