// The labels of Windows nodes in the configuration file.
#pragma once

#include <string>

#include "config/config_reader.hpp"
#include "policy/pod/windows_labels.hpp"

namespace winadmit::server {

/// Reads {key: [value, {value: build}]}. Labels that are always signals are refused.
WindowsLabels read_windows_labels(ConfigReader& reader, const ConfigNode& node,
                                  const std::string& what);

}  // namespace winadmit::server
