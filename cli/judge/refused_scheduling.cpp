#include <charconv>
#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <system_error>

#include "cli/judge/refusal.hpp"
#include "cli/judge/refused_fields.hpp"
#include "config/label_syntax.hpp"
#include "policy/pod/toleration.hpp"

namespace winadmit::cli {
namespace {

/// The first release with the operators Lt and Gt (KEP-5471), of which the feature gate
/// TaintTolerationComparisonOperators is off by default.
constexpr Version kComparisons{1, 35};

constexpr std::string_view kKeySyntax =
    "must be a name of at most 63 alphanumeric characters, '-', '_' or '.', which starts and ends "
    "with an alphanumeric character, with an optional DNS subdomain prefix and '/' (e.g. "
    "'example.com/MyName')";
constexpr std::string_view kValueSyntax =
    "a valid label must be an empty string or consist of at most 63 alphanumeric characters, '-', "
    "'_' or '.', and must start and end with an alphanumeric character";

bool is_comparison(const PodToleration& toleration) {
  return toleration.op == "Lt" || toleration.op == "Gt";
}

/// An integer as people write it: without a plus sign and leading zeros.
bool is_decimal_integer(std::string_view text) {
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view digits = text.starts_with('-') ? text.substr(1) : text;
  return error == std::errc{} && end == text.data() + text.size() &&
         (!digits.starts_with('0') || text == "0");
}

/// Enters the fields of one toleration.
class Refuser {
 public:
  Refuser(const PodToleration& toleration, FieldPath& path, FindingSink& findings)
      : toleration_(toleration), path_(path), findings_(findings) {}

  void refuse(TolerationFault fault) {
    switch (fault) {
      case TolerationFault::equal_without_key:
        return value("operator", toleration_.op,
                     "operator must be Exists when `key` is empty, which means \"match all values "
                     "and all keys\"");
      case TolerationFault::seconds_without_no_execute:
        return value("effect", toleration_.effect,
                     "effect must be 'NoExecute' when `tolerationSeconds` is set");
      case TolerationFault::exists_with_value:
        return value("operator", toleration_.value,
                     "value must be empty when `operator` is 'Exists'");
      case TolerationFault::unknown_operator:
        return unsupported("operator", toleration_.op, {"Equal", "Exists"});
      case TolerationFault::unknown_effect:
        return unsupported("effect", toleration_.effect,
                           {"NoSchedule", "PreferNoSchedule", "NoExecute"});
    }
  }

  void refuse_syntax() {
    if (!toleration_.key.empty() && !server::is_label_key(toleration_.key))
      value("key", toleration_.key, kKeySyntax);
    const bool is_equal = toleration_.op.empty() || toleration_.op == "Equal";
    if (is_equal && !toleration_.value.empty() && !server::is_label_value(toleration_.value))
      value("operator", toleration_.value, kValueSyntax);
  }

  void refuse_comparison(Version kubernetes) {
    if (kubernetes < kComparisons) {
      refuse(TolerationFault::unknown_operator);
    } else if (!is_decimal_integer(toleration_.value)) {
      value("value", toleration_.value, "must be a valid decimal integer in canonical form");
    }
  }

 private:
  void value(std::string_view field, std::string_view found, std::string_view why) {
    const ScopedStep step(path_, field);
    refuse_value(path_, found, why, findings_);
  }

  void unsupported(std::string_view field, std::string_view found,
                   std::initializer_list<std::string_view> supported) {
    const ScopedStep step(path_, field);
    refuse_unsupported(path_, found, supported, findings_);
  }

  const PodToleration& toleration_;
  FieldPath& path_;
  FindingSink& findings_;
};

}  // namespace

void refuse_node_selector(const Pod& pod, FindingSink& findings) {
  const auto selector = pod.spec ? member<JsonObject>(*pod.spec, "nodeSelector") : std::nullopt;
  if (!selector) return;
  FieldPath path = pod.spec_path();
  path.enter("nodeSelector");
  for (const auto [key, value] : *selector) {
    if (!server::is_label_key(key)) refuse_value(path, key, kKeySyntax, findings);
    std::string_view text;
    const ScopedStep step(path, MapKey{key});
    if (value.get(text) != simdjson::SUCCESS) {
      if (!value.is_null())
        refuse_value(path, simdjson::minify(value), "must be a string", findings);
    } else if (!text.empty() && !server::is_label_value(text)) {
      refuse_value(path, text, kValueSyntax, findings);
    }
  }
}

void refuse_tolerations(const Pod& pod, Version kubernetes, FindingSink& findings) {
  if (!pod.spec) return;
  FieldPath path = pod.spec_path();
  path.enter("tolerations");
  FieldErrors reported_before;
  for_each_object(
      member<JsonArray>(*pod.spec, "tolerations"), path, reported_before, [&](JsonObject each) {
        const PodToleration toleration = read_toleration(each, path, reported_before);
        Refuser refuser(toleration, path, findings);
        for_each_fault(toleration, [&](TolerationFault fault) { refuser.refuse(fault); });
        refuser.refuse_syntax();
        if (is_comparison(toleration)) refuser.refuse_comparison(kubernetes);
      });
}

}  // namespace winadmit::cli
