// Whose requests and which objects are admitted without a look at them.
#pragma once

#include <string>
#include <vector>

namespace winadmit::server {

struct Exemptions {
  std::vector<std::string> namespaces;
  std::vector<std::string> users;
  std::vector<std::string> groups;
  std::vector<std::string> runtime_classes;
};

}  // namespace winadmit::server
