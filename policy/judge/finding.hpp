// What the policy has to say of one field of one pod.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "policy/json/hash.hpp"
#include "policy/json/json.hpp"
#include "policy/rules/rule.hpp"

namespace winadmit {

/// What was found, as a walk comes by. Borrowed: it is good for as long as the walk stands there.
struct Hit {
  std::string_view id;  // of the rule or the advice; lives as long as the policy
  Action action;
  const FieldPath& path;
  std::string_view text;      // what is wrong and what to do, without field and id
  std::optional<Json> value;  // what makes it another finding once it changes
};

/// Who is told of findings, one by one and however many there are.
class FindingSink {
 public:
  virtual ~FindingSink() = default;
  virtual void add(const Hit& hit) = 0;
};

/// A finding that is kept.
struct Finding {
  std::string_view id;  // of the rule or the advice
  Action action = Action::deny;
  std::string field;  // spec.containers[0].securityContext.privileged
  FieldPath path;     // the same in other forms, for those who ask while the document is there
  std::string text;   // what is wrong and what to do, without field and id

  /// "spec.hostPID: cannot be set for a windows pod: ...; use ... (host-pid)"
  std::string message() const;
  void append_message(std::string& to) const;
  std::size_t message_size() const { return field.size() + text.size() + id.size() + 5; }
};

/// The findings of one pod: the first of them, denials before others, and how many there were.
struct Found {
  std::vector<Finding> kept;
  std::size_t denials = 0;  // of all
  std::size_t total = 0;
};

/// Keeps the first hundred findings and counts the rest.
class Findings final : public FindingSink {
 public:
  static constexpr std::size_t kMostKept = 100;

  void add(const Hit& hit) override;

  std::size_t denials() const { return denials_; }
  std::size_t total() const { return denials_ + others_; }

  /// Denials first; within an action the order in which they were found.
  Found take();

 private:
  std::vector<Finding> kept_denials_;
  std::vector<Finding> kept_others_;
  std::size_t denials_ = 0;
  std::size_t others_ = 0;
};

/// What an older object was admitted with: of each finding a hash of its rule, action, field and
/// value.
class OldFindings final : public FindingSink {
 public:
  /// Makes room for about that many.
  explicit OldFindings(std::size_t expected) { hashes_.reserve(expected); }

  void add(const Hit& hit) override;

  /// The same finding with the same action and value.
  bool had(const Hit& hit) const;

 private:
  HashSet hashes_;
};

}  // namespace winadmit
