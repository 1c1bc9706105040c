// The pod fields that no rule forbids, each with the reason why it is allowed. Together with the
// rule table they cover every field of the Pod API; a test checks that no field is forgotten.
#pragma once

#include <span>
#include <string_view>

#include "policy/rules/rule.hpp"

namespace winadmit {

enum class Covers {
  itself,            // only the field: its members have entries or rules of their own
  itself_and_below,  // the field and all its members
};

struct AllowedField {
  Scope scope = Scope::pod;
  std::string_view field;  // as in Rule
  Covers covers = Covers::itself;
  VersionRange versions = {};  // to which `because` applies; in others, a rule may forbid it
  std::string_view because;    // completes "allowed for a windows pod, because"; no full stop
  std::string_view source;     // the public document or upstream source file that states it
};

std::span<const AllowedField> allowed_fields();

/// The entry that covers a path such as `spec.containers[*].image`; null if none does.
const AllowedField* find_allowed_field(std::string_view path);

}  // namespace winadmit
