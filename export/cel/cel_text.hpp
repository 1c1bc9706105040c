// Texts in CEL, the Common Expression Language of the API server.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace winadmit {

/// A variable of an admission policy: other expressions read it as `variables.NAME`.
struct CelVariable {
  std::string name;
  std::string expression;
};

/// A string literal.
std::string cel_string(std::string_view text);

/// A list of string literals.
template <class Range>
std::string cel_list(const Range& texts) {
  std::string list = "[";
  for (const auto& text : texts) {
    if (list.size() > 1) list += ", ";
    list += cel_string(text);
  }
  return list + ']';
}

/// A regular expression that matches this text alone.
std::string pattern_of_text(std::string_view text);

/// The text with each placeholder, such as "$pod", replaced; "$pods" is another one. A placeholder
/// without a value stays, for a later call.
std::string fill(std::string_view text,
                 const std::vector<std::pair<std::string_view, std::string>>& values);

/// The expression in parentheses, unless it has no operator outside of parentheses. An expression
/// has spaces around its operators.
std::string grouped(std::string expression);

/// The expressions with an operator such as " || " between them; in parentheses if there are
/// several.
std::string joined_by(std::string_view op, const std::vector<std::string>& expressions);

}  // namespace winadmit
