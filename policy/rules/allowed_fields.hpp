// The other half of the policy: the pod fields that no rule forbids (any more), each with the
// reason why it may pass. With the rule table it covers every field of the Pod API, so that "nobody
// thought of it" cannot hide among "it is fine".
#pragma once

#include <span>
#include <string_view>

#include "policy/rules/rule.hpp"

namespace winadmit {

enum class Covers {
  itself,            // the field alone: its members are listed, or have rules, one by one
  itself_and_below,  // the field with every member of it
};

struct AllowedField {
  Scope scope = Scope::pod;
  std::string_view field;  // as in Rule
  Covers covers = Covers::itself;
  std::string_view because;  // completes "allowed for a windows pod, because"; no full stop
  std::string_view source;   // public document or upstream source file that says so
};

std::span<const AllowedField> allowed_fields();

/// The entry that speaks of a path such as `spec.containers[*].image`; null if none does.
const AllowedField* find_allowed_field(std::string_view path);

}  // namespace winadmit
