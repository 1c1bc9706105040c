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
  std::string field;  // spec.containers[0].securityContext.privileged
  FieldPath path;     // the same in other forms, for those who ask while the document is there
  std::string text;   // what is wrong and what to do, without field and id
  std::optional<Json> value;

  /// "spec.hostPID: cannot be set for a windows pod: ...; use ... (host-pid)"
  std::string message() const {
    std::string message;
    message.reserve(field.size() + text.size() + id.size() + 5);
    say([&](std::string_view piece) { message += piece; });
    return message;
  }

  /// message(), piece by piece: to where it is to be, with no string made on the way.
  template <class Put>
  void say(Put put) const {
    put(field);
    put(": ");
    put(text);
    put(" (");
    put(id);
    put(")");
  }
};

/// Denials first; within an action the order in which they were found.
void most_important_first(std::vector<Finding>& findings);

/// What an older object was admitted with.
class OldFindings {
 public:
  explicit OldFindings(const std::vector<Finding>& findings);

  /// The same finding with the same value.
  bool had(const Finding& finding) const;

 private:
  struct Old {
    std::string_view id;
    std::string identity;  // the path, entries of lists by name
    std::optional<Json> value;
  };
  std::vector<Old> findings_;  // by id and identity
};

}  // namespace winadmit
