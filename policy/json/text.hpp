// Text in messages for people: truncated input and readable counts.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace winadmit {

/// Bytes of client input that a message repeats: the longest name in Kubernetes
/// (k8s.io/apimachinery pkg/util/validation, DNS1123SubdomainMaxLength).
inline constexpr std::size_t kEchoLimit = 253;

/// Stands for what is left out.
inline constexpr std::string_view kEllipsis = "...";

/// At most the first `size` bytes of a UTF-8 text, without a partial character at the end.
std::string_view truncate_utf8(std::string_view text, std::size_t size = kEchoLimit);

/// A UTF-8 text of at most `size` bytes: if it is longer, without its middle but with kEllipsis
/// there. `size` must have room for it.
std::string truncate_middle_utf8(std::string_view text, std::size_t size);

/// 599900 as "599,900".
std::string format_count(std::size_t number);

}  // namespace winadmit
