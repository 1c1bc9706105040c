// The CEL twin of a predicate or a condition: the text by which the API server evaluates it in an
// exported admission policy.
#pragma once

#include <string_view>

namespace winadmit {

/// A text with these placeholders; export/cel replaces them:
///   $value      the value as an optional: `c.?securityContext.?privileged`
///   $key        a key of the value, for a predicate with forbids_key
///   $pod        the pod: a map with the members of export/cel/pod_view.hpp
///   $container  the container of the value
/// It has no default, so that no predicate can be written without one.
class Cel {
 public:
  constexpr explicit Cel(std::string_view text) : text_(text) {}

  /// For a text that differs from the C++ function: `difference` says where, as a clause.
  constexpr Cel(std::string_view text, std::string_view difference)
      : text_(text), difference_(difference) {}

  /// For what CEL cannot say; `why` is a clause.
  static constexpr Cel none(std::string_view why) { return {"", why}; }

  constexpr bool is_expressible() const { return !text_.empty(); }
  constexpr std::string_view text() const { return text_; }
  /// Where the text differs, or why there is none; empty if it says the same as the function.
  constexpr std::string_view difference() const { return difference_; }

 private:
  std::string_view text_;
  std::string_view difference_;
};

}  // namespace winadmit
