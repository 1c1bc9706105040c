// What an admission policy says of one rule or one of kind_findings().
#pragma once

#include <string>
#include <string_view>

#include "policy/rules/action.hpp"

namespace winadmit {

/// Which findings an expression has. "Before" is in the old object of an UPDATE.
enum class Judged {
  all,
  added,     // what was not there before
  existing,  // what was there before
};

struct CelFinding {
  std::string_view id;
  Action action = Action::deny;  // deny or warn
  /// A list of the places in the pod that are forbidden, as texts; on pod_variables().
  std::string places;
  /// The message without the places: ": REASON; INSTEAD (ID)".
  std::string text;
  /// As `text`, for a pod whose spec.os.name is windows; empty if it is the same.
  std::string text_with_spec_os;
  /// As `text`, for an ephemeral container of a pod whose spec.os.name is not windows; empty if it
  /// is the same.
  std::string text_in_ephemeral;
  /// The place as a pattern, for a message without an expression.
  std::string pattern;
  /// There is only one place, which is the pattern.
  bool has_one_place = false;
};

}  // namespace winadmit
