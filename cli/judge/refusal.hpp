// A denial in the words of the API server.
#pragma once

#include <initializer_list>
#include <string_view>

#include "policy/judge/finding.hpp"

namespace winadmit::cli {

/// `Invalid value: "a\b\c": runAsUserName cannot contain more than one backslash`
void refuse_value(const FieldPath& path, std::string_view value, std::string_view why,
                  FindingSink& findings);

/// `Unsupported value: "equal": supported values: "Equal", "Exists"`
void refuse_unsupported(const FieldPath& path, std::string_view value,
                        std::initializer_list<std::string_view> supported, FindingSink& findings);

/// `Forbidden: may not be set ...`
void refuse_field(const FieldPath& path, std::string_view why, FindingSink& findings);

}  // namespace winadmit::cli
