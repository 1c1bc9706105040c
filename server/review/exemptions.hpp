// Which requests and objects are admitted without a check.
#pragma once

#include <string>
#include <vector>

namespace winadmit::server {

struct Exemptions {
  std::vector<std::string> namespaces;
  std::vector<std::string> users;
  std::vector<std::string> groups;
  std::vector<std::string> runtime_classes;
  bool by_annotation = false;  // ignore the findings that winadmit.dev/ignore names
};

}  // namespace winadmit::server
