// The values of YAML scalars.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace winadmit::manifests {

/// The value of a scalar whose text decides on its type, as go-yaml v2 resolves it: YAML 1.1, so
/// `on` is true and 010 is eight. `tag` is in full, or empty. Throws std::runtime_error for a text
/// that is not of its tag, and for numbers that are not finite.
nlohmann::json resolve_scalar(std::string_view tag, std::string_view text);

/// The same as the key of an object: 8080 is "8080". Throws for null, too.
std::string resolve_key(std::string_view tag, std::string_view text);

/// Whether YAML reads the plain text as null.
bool is_null(std::string_view text);

/// The boolean as which YAML reads the plain text, if it is one.
std::optional<bool> to_boolean(std::string_view text);

/// Whether YAML reads the plain text as a string.
bool is_string_without_quotes(std::string_view text);

/// Whether the text begins like "2001-12-14", which readers of YAML 1.1 take for a date.
bool begins_like_timestamp(std::string_view text);

}  // namespace winadmit::manifests
