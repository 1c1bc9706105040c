// What the policy has to say of one field of one pod.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "policy/json.hpp"
#include "policy/rule.hpp"

namespace winadmit {

struct Finding {
  std::string_view id;  // of the rule or the advice
  Action action = Action::deny;
  std::string field;     // spec.containers[0].securityContext.privileged
  std::string pointer;   // the same as a JSON Pointer
  std::string identity;  // the same, entries of lists by name: to find it in an older object
  std::string text;      // what is wrong and what to do, without field and id
  std::optional<Json> value;

  /// "spec.hostPID: cannot be set for a windows pod: ...; use ... (host-pid)"
  std::string message() const {
    std::string message;
    message.reserve(field.size() + text.size() + id.size() + 5);
    message.append(field).append(": ").append(text).append(" (").append(id).append(")");
    return message;
  }
};

/// Denials first; within an action the order in which they were found.
void most_important_first(std::vector<Finding>& findings);

/// What an older object was admitted with.
class OldFindings {
 public:
  explicit OldFindings(std::vector<Finding> findings);

  /// The same finding with the same value.
  bool had(const Finding& finding) const;

 private:
  std::vector<Finding> findings_;  // by id and identity
};

}  // namespace winadmit
