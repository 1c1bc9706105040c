#include "manifests/scalar.hpp"

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <optional>
#include <stdexcept>

#include "bytes/base64.hpp"
#include "text/text.hpp"

namespace winadmit::manifests {
namespace {

using nlohmann::json;

constexpr std::array<std::string_view, 5> kNulls = {"", "~", "null", "Null", "NULL"};
constexpr std::array<std::string_view, 11> kTrues = {"y",    "Y",    "yes", "Yes", "YES", "true",
                                                     "True", "TRUE", "on",  "On",  "ON"};
constexpr std::array<std::string_view, 11> kFalses = {"n",     "N",     "no",  "No",  "NO", "false",
                                                      "False", "FALSE", "off", "Off", "OFF"};
constexpr std::array<std::string_view, 12> kNotFinite = {".inf",  ".Inf",  ".INF",  "+.inf",
                                                         "+.Inf", "+.INF", "-.inf", "-.Inf",
                                                         "-.INF", ".nan",  ".NaN",  ".NAN"};
constexpr std::size_t kMaxWordLength = 5;

constexpr std::string_view kYaml = "tag:yaml.org,2002:";

bool is_one_of(const auto& words, std::string_view text) {
  return std::ranges::find(words, text) != words.end();
}

/// Parses the whole text.
template <class Integer>
std::optional<Integer> parse(std::string_view text, int base) {
  Integer value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<json> with_sign(bool is_negative, std::string_view digits, int base) {
  const auto value = parse<std::uint64_t>(digits, base);
  if (!value) return std::nullopt;
  if (!is_negative) return *value;
  constexpr auto kSmallest = std::uint64_t{1} << 63U;
  if (*value > kSmallest) return std::nullopt;
  return static_cast<std::int64_t>(~*value + 1);
}

/// As Go's strconv.ParseInt with base 0: 0x, 0o, 0b, or 0 for octal.
std::optional<json> integer(std::string_view text) {
  const bool is_negative = text.starts_with('-');
  std::string_view digits = text;
  if (is_negative || text.starts_with('+')) digits.remove_prefix(1);
  int base = 10;
  if (digits.size() > 1 && digits[0] == '0') {
    const char kind = digits[1];
    base = kind == 'x' || kind == 'X' ? 16 : kind == 'b' || kind == 'B' ? 2 : 8;
    digits.remove_prefix(base != 8 || kind == 'o' || kind == 'O' ? 2 : 1);
  }
  return with_sign(is_negative, digits, base);
}

/// [-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?
bool has_form_of_float(std::string_view text) {
  std::size_t i = 0;
  const auto digits = [&] {
    const std::size_t first = i;
    while (i < text.size() && is_digit(text[i])) ++i;
    return i - first;
  };
  const auto take = [&](std::string_view any) {
    const bool is_there = i < text.size() && any.find(text[i]) != std::string_view::npos;
    if (is_there) ++i;
    return is_there;
  };
  take("+-");
  const bool has_whole = digits() > 0;
  const bool has_point = take(".");
  if (has_point && digits() == 0 && !has_whole) return false;
  if (!has_point && !has_whole) return false;
  if (take("eE")) {
    take("+-");
    if (digits() == 0) return false;
  }
  return i == text.size();
}

std::optional<double> floating(const std::string& text) {
  if (!has_form_of_float(text)) return std::nullopt;
  const double value = std::strtod(text.c_str(), nullptr);
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

/// The tag that go-yaml derives from the text, and the value. A float stays a double here.
struct Resolved {
  std::string_view type;  // "str", "int", ...
  json value;
};

/// Go's strconv.ParseFloat takes them only there.
bool has_underscores_only_between_digits(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool is_between =
        i > 0 && is_digit(text[i - 1]) && i + 1 < text.size() && is_digit(text[i + 1]);
    if (text[i] == '_' && !is_between) return false;
  }
  return true;
}

Resolved resolve_number(std::string_view text) {
  std::string digits(text);
  std::erase(digits, '_');
  if (text.front() == '.') {
    const auto value =
        has_underscores_only_between_digits(text) ? floating(digits) : std::optional<double>();
    if (value) return {"float", *value};
    return {"str", text};
  }
  if (auto value = integer(digits)) return {"int", *std::move(value)};
  if (const auto value = floating(digits)) return {"float", *value};
  // go-yaml knows 0b itself, and takes a sign after it. It reads no unsigned number there.
  if (digits.starts_with("0b-") || digits.starts_with("0b+")) {
    const bool is_negative = digits[2] == '-';
    const auto value = with_sign(is_negative, std::string_view(digits).substr(3), 2);
    if (value && (is_negative || value->get<std::uint64_t>() <= INT64_MAX)) return {"int", *value};
  }
  return {"str", text};
}

bool may_be_number(std::string_view text) {
  if (text.empty()) return false;
  const char first = text.front();
  return is_digit(first) || first == '+' || first == '-' || first == '.';
}

/// By its length and its first character.
bool may_be_word(std::string_view text) {
  if (text.empty()) return true;
  if (text.size() > kMaxWordLength) return false;
  switch (to_ascii_lower(text.front())) {
    case '~':
    case 'n':
    case 'y':
    case 't':
    case 'f':
    case 'o':
    case '.':
    case '+':
    case '-':
      return true;
    default:
      return false;
  }
}

/// null, a boolean, or a number that is not finite.
std::optional<Resolved> resolve_word(std::string_view text) {
  if (!may_be_word(text)) return std::nullopt;
  if (is_null(text)) return Resolved{"null", nullptr};
  if (const auto value = to_boolean(text)) return Resolved{"bool", *value};
  if (is_one_of(kNotFinite, text)) return Resolved{"float", text};
  return std::nullopt;
}

Resolved resolve_text(std::string_view text) {
  if (auto word = resolve_word(text)) return *std::move(word);
  if (may_be_number(text)) return resolve_number(text);
  return {"str", text};
}

bool is_number_in(std::string_view text, std::size_t begin, std::size_t least, std::size_t most) {
  return text.size() >= begin && text.size() - begin >= least && text.size() - begin <= most &&
         std::ranges::all_of(text.substr(begin), is_digit);
}

Resolved resolve(std::string_view tag, std::string_view text) {
  if (!tag.empty() && !tag.starts_with(kYaml)) return {"str", text};
  const std::string_view type = tag.empty() ? tag : tag.substr(kYaml.size());
  if (type == "str") return {"str", text};
  if (type == "binary") {
    std::string base64(text);
    std::erase_if(base64, [](char c) { return c == '\r' || c == '\n'; });  // of a block scalar
    std::optional<std::string> bytes = from_base64(base64);
    if (!bytes) throw std::runtime_error("is not base64");
    if (!simdjson::validate_utf8(*bytes)) throw std::runtime_error("is not UTF-8");
    return {"str", *std::move(bytes)};
  }
  if (type == "timestamp") {
    if (!begins_like_timestamp(text)) throw std::runtime_error("is not a timestamp");
    return {"str", text};
  }
  if (!tag.empty() && type != "null" && type != "bool" && type != "int" && type != "float")
    return {"str", text};
  Resolved resolved = resolve_text(text);
  const bool is_of_type =
      type.empty() || resolved.type == type || (type == "float" && resolved.type == "int");
  if (!is_of_type) {
    throw std::runtime_error("cannot be read as !!" + std::string(type) + ", because it is a !!" +
                             std::string(resolved.type));
  }
  return resolved;
}

bool is_not_finite(const Resolved& resolved) {
  return resolved.type == "float" && resolved.value.is_string();
}

/// As Go's strconv.FormatFloat(value, 'g', -1, 32), by which sigs.k8s.io/yaml writes keys.
std::string go_float_key(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), static_cast<float>(value),
                                 std::chars_format::scientific);
  const std::string scientific(text.data(), end.ptr);
  const std::size_t e = scientific.find('e');
  if (e == std::string::npos) return scientific.starts_with('-') ? "-.inf" : ".inf";
  const int exponent = std::atoi(scientific.c_str() + e + 1);
  constexpr int kSmallestFixed = -4, kBelowFixed = 6;
  if (exponent < kSmallestFixed || exponent >= kBelowFixed) return scientific;
  const auto fixed = std::to_chars(text.data(), text.data() + text.size(),
                                   static_cast<float>(value), std::chars_format::fixed);
  return {text.data(), fixed.ptr};
}

}  // namespace

bool begins_like_timestamp(std::string_view text) {
  return text.size() >= 8 && is_number_in(text.substr(0, 4), 0, 4, 4) && text[4] == '-' &&
         is_digit(text[5]);
}

json resolve_scalar(std::string_view tag, std::string_view text) {
  Resolved resolved = resolve(tag, text);
  if (is_not_finite(resolved))
    throw std::runtime_error(std::string(text) + " is not a valid JSON number");
  if (!resolved.value.is_number_float()) return std::move(resolved.value);
  // Whole numbers become integers, as Go's encoding/json writes them.
  constexpr double kWholeBelow = 9e18;
  const auto value = resolved.value.get<double>();
  if (std::trunc(value) == value && std::abs(value) < kWholeBelow)
    return static_cast<std::int64_t>(value);
  return value;
}

std::string resolve_key(std::string_view tag, std::string_view text) {
  const Resolved resolved = resolve(tag, text);
  if (resolved.value.is_null()) throw std::runtime_error("a key must not be null");
  if (is_not_finite(resolved)) {
    if (text.find_first_of("aA") != std::string_view::npos) return ".nan";
    return text.starts_with('-') ? "-.inf" : ".inf";
  }
  if (resolved.value.is_number_float()) return go_float_key(resolved.value.get<double>());
  if (resolved.type == "int" && resolved.value.is_number_unsigned() &&
      resolved.value.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX))
    throw std::runtime_error("the key " + std::string(text) + " is too large a number");
  return resolved.value.is_string() ? resolved.value.get<std::string>() : resolved.value.dump();
}

bool is_null(std::string_view text) { return is_one_of(kNulls, text); }

std::optional<bool> to_boolean(std::string_view text) {
  if (is_one_of(kTrues, text)) return true;
  if (is_one_of(kFalses, text)) return false;
  return std::nullopt;
}

bool is_string_without_quotes(std::string_view text) {
  // Most texts are no words: they do without the result of resolve_word().
  if (may_be_word(text) && resolve_word(text)) return false;
  return !may_be_number(text) || resolve_number(text).type == "str";
}

}  // namespace winadmit::manifests
