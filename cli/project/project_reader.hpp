// Reads .winadmit.yaml.
#pragma once

#include <string>

#include "cli/project/project.hpp"
#include "config/config.hpp"

namespace winadmit::cli {

/// Throws server::ConfigError with a line for everything that is wrong. `name` stands for the file.
Project parse_project(const std::string& yaml, const std::string& name);

}  // namespace winadmit::cli
