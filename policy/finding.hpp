// What the policy has to say of one field of one pod.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "policy/append.hpp"
#include "policy/json.hpp"
#include "policy/json_text.hpp"
#include "policy/rule.hpp"

namespace winadmit {

/// What a finding says: a text that the policy holds for as long as it lives, or one made for one
/// pod. Most are of the first kind, for a rule says the same of every pod; of these it is known
/// whether JSON wants an escape, so that an answer need not look at every letter again.
class Text {
 public:
  Text() = default;
  Text(std::string made) : made_(std::move(made)), plain_(is_plain(made_)) {}  // NOLINT: is a text
  Text(std::string made, bool plain) : made_(std::move(made)), plain_(plain) {}

  /// The same, held by this, which must outlive it.
  Text borrowed() const {
    Text text;
    text.held_ = *this;
    text.plain_ = plain_;
    return text;
  }

  operator std::string_view() const { return made_.empty() ? held_ : made_; }  // NOLINT: is a text
  friend bool is_plain(const Text& text) { return text.plain_; }

 private:
  std::string_view held_;
  std::string made_;
  bool plain_ = true;
};

struct Finding {
  std::string_view id;  // of the rule or the advice
  Action action = Action::deny;
  Text field;      // spec.containers[0].securityContext.privileged
  FieldPath path;  // the same in other forms, for those who ask while the document is there
  Text text;       // what is wrong and what to do, without field and id
  std::optional<Json> value;

  /// "spec.hostPID: cannot be set for a windows pod: ...; use ... (host-pid)"
  std::string message() const {
    std::string message;
    say([&](const auto&... pieces) { append(message, pieces...); });
    return message;
  }

  /// message(), as pieces after others: to where it is to be, with no string made on the way.
  template <class Put>
  void say(Put put, const auto&... before) const {
    put(before..., field, Plain{": "}, text, Plain{" ("}, Plain{id}, Plain{")"});
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
