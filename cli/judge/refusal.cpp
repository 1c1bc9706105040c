#include "cli/judge/refusal.hpp"

#include <fmt/format.h>

#include <string>

#include "cli/judge/check_advice.hpp"
#include "text/printable.hpp"

namespace winadmit::cli {
namespace {

void add(const FieldPath& path, const std::string& reason, FindingSink& findings) {
  findings.add({.id = kMalformedField, .action = Action::deny, .path = path, .reason = reason});
}

}  // namespace

void refuse_value(const FieldPath& path, std::string_view value, std::string_view why,
                  FindingSink& findings) {
  add(path, fmt::format("Invalid value: {}: {}", in_quotes(value), why), findings);
}

void refuse_unsupported(const FieldPath& path, std::string_view value,
                        std::initializer_list<std::string_view> supported, FindingSink& findings) {
  std::string text = "Unsupported value: " + in_quotes(value) + ": supported values:";
  for (const std::string_view each : supported) {
    if (text.back() == '"') text += ',';
    text += ' ' + in_quotes(each);
  }
  add(path, text, findings);
}

void refuse_field(const FieldPath& path, std::string_view why, FindingSink& findings) {
  add(path, fmt::format("Forbidden: {}", why), findings);
}

}  // namespace winadmit::cli
