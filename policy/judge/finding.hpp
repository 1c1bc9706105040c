// What the policy reports about one field of one pod.
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

/// A finding as the walk over a pod reports it. Borrowed: valid only during the call.
struct FindingView {
  std::string_view id;  // of the rule or the advice; lives as long as the policy
  Action action;
  const FieldPath& path;
  std::string_view lead = {};           // of a rule: "cannot be set for a windows pod"
  std::string_view reason = {};         // what is wrong
  std::string_view instead = {};        // what to do; lives as long as the policy, as does `lead`
  std::string_view source = {};         // of a rule: that of the row; lives as long as the policy
  std::optional<JsonValue> value = {};  // the value found; a changed value is another finding
};

/// Receives findings one by one: first those of rules, in the spec and then in the annotations, in
/// the order of the document, then advice. Findings of one field are consecutive. Their number has
/// no bound.
class FindingSink {
 public:
  virtual ~FindingSink() = default;
  virtual void add(const FindingView& finding) = 0;
};

/// A finding that outlives the walk.
struct Finding {
  std::string_view id;  // of the rule or the advice
  Action action = Action::deny;
  std::string field;  // spec.containers[0].securityContext.privileged
  FieldPath path;     // the same field; valid as long as the document
  std::string_view lead;
  std::string reason;
  std::string_view instead;
  std::string_view source;  // of a rule: that of the row

  /// "cannot be set for a windows pod: ...; use ..."
  void append_text(std::string& to) const;
  std::size_t text_size() const {
    return (lead.empty() ? 0 : lead.size() + 2) + reason.size() + 2 + instead.size();
  }

  /// "spec.hostPID: cannot be set for a windows pod: ...; use ... (host-pid)"
  std::string message() const;
  void append_message(std::string& to) const;
  std::size_t message_size() const { return field.size() + text_size() + id.size() + 5; }
};

/// The findings of one pod.
struct Findings {
  std::vector<Finding> kept;  // as many as the collector may keep; denials first
  std::size_t denials = 0;    // including those that were not kept
  std::size_t total = 0;      // including those that were not kept
};

/// Keeps the first findings and counts the rest.
class FindingCollector final : public FindingSink {
 public:
  static constexpr std::size_t kMaxKept = 100;

  explicit FindingCollector(std::size_t max_kept = kMaxKept) : max_kept_(max_kept) {}

  void add(const FindingView& finding) override;

  std::size_t total() const { return denials_ + others_; }

  /// Moves the findings out: denials first, otherwise in the order in which they were added.
  Findings extract();

 private:
  std::size_t max_kept_;
  std::vector<Finding> kept_denials_;
  std::vector<Finding> kept_others_;
  std::size_t denials_ = 0;
  std::size_t others_ = 0;
};

/// A set of findings, compared by rule, action, field and value. Entries of lists are compared by
/// name, and values without regard to the order of lists.
class FindingSet final : public FindingSink {
 public:
  explicit FindingSet(std::size_t expected_size) { hashes_.reserve(expected_size); }

  void add(const FindingView& finding) override;
  bool contains(const FindingView& finding) const;

 private:
  HashSet hashes_;
};

}  // namespace winadmit
