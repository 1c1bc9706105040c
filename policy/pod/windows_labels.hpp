// Node labels that mean Windows, in addition to those that every kubelet sets.
#pragma once

#include <functional>
#include <map>
#include <string>

namespace winadmit {

/// The values of one label that only Windows nodes have, each with the Windows build that it names,
/// or "" if it names none.
using WindowsLabelValues = std::map<std::string, std::string, std::less<>>;

/// By the key of the label.
using WindowsLabels = std::map<std::string, WindowsLabelValues, std::less<>>;

}  // namespace winadmit
