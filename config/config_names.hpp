// What is wrong with a name in the configuration file.
#pragma once

#include <string>

namespace winadmit::server {

/// Of a rule or of advice. Empty if it can be configured.
std::string rule_id_error(const std::string& id);

/// Of a namespace. Empty if the API server accepts it.
std::string namespace_error(const std::string& name);

}  // namespace winadmit::server
