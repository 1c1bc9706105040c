// Which requests and objects are admitted without a check, and which findings do not count.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace winadmit::server {

/// Findings that are accepted in a namespace, of a rule, or of a rule in a namespace.
struct FindingExemption {
  std::string name_space;  // empty: every namespace
  std::string rule;        // the id of a rule or of advice; empty: each
  std::string reason;
  std::optional<std::chrono::sys_days> until;  // the last day, in UTC

  bool has_ended(std::chrono::sys_days today) const { return until && *until < today; }
};

struct Exemptions {
  std::vector<std::string> namespaces;
  std::vector<std::string> users;
  std::vector<std::string> groups;
  std::vector<std::string> runtime_classes;
  bool by_annotation = false;  // ignore the findings that winadmit.dev/ignore names
  std::vector<FindingExemption> findings;
};

}  // namespace winadmit::server
