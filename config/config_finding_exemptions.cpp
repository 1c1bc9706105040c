#include "config/config_finding_exemptions.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <string_view>

#include "config/config_names.hpp"
#include "text/text.hpp"

namespace winadmit::server {
namespace {

/// YYYY-MM-DD, a day of the calendar.
std::optional<std::chrono::sys_days> parse_date(std::string_view text) {
  constexpr std::string_view kForm = "0000-00-00";
  const auto fits = [](char c, char form) { return form == '0' ? is_digit(c) : c == form; };
  if (!std::ranges::equal(text, kForm, fits)) return std::nullopt;
  const auto number = [&](std::size_t begin, std::size_t size) {
    int value = 0;
    std::from_chars(text.data() + begin, text.data() + begin + size, value);
    return value;
  };
  const std::chrono::year_month_day date{std::chrono::year(number(0, 4)),
                                         std::chrono::month(static_cast<unsigned>(number(5, 2))),
                                         std::chrono::day(static_cast<unsigned>(number(8, 2)))};
  return date.ok() ? std::optional(std::chrono::sys_days(date)) : std::nullopt;
}

/// Reads a string of which `check` returns what is wrong, or "".
template <std::string FindingExemption::* kMember>
void read_checked(ConfigReader& reader, FindingExemption& to, const ConfigNode& value,
                  const std::string& key, const auto& check) {
  const std::optional<std::string> text = reader.string(value, key);
  if (!text) return;
  if (const std::string error = check(*text); !error.empty()) reader.fail(value, error);
  to.*kMember = *text;
}

constexpr auto kFindingExemptionKeys = std::to_array<Key<FindingExemption>>({
    {{"exempt.findings[].namespace", "name of a namespace", "",
      "The namespace of the objects. Default: every namespace."},
     [](ConfigReader& reader, FindingExemption& to, const ConfigNode& value,
        const std::string& key) {
       read_checked<&FindingExemption::name_space>(reader, to, value, key, namespace_error);
     }},
    {{"exempt.findings[].rule", "id of a rule or of advice", "",
      "The rule. Default: every rule and all advice."},
     [](ConfigReader& reader, FindingExemption& to, const ConfigNode& value,
        const std::string& key) {
       read_checked<&FindingExemption::rule>(reader, to, value, key, rule_id_error);
     }},
    {{"exempt.findings[].reason", "string", "", "Why, for those who read the file. Required."},
     [](ConfigReader& reader, FindingExemption& to, const ConfigNode& value,
        const std::string& key) {
       read_checked<&FindingExemption::reason>(reader, to, value, key, [](const std::string& text) {
         return std::ranges::any_of(text, is_control) ? "reason must not contain control characters"
                                                      : "";
       });
     }},
    {{"exempt.findings[].until", "date", "",
      "The last day of the exemption, in UTC, for example 2027-01-31. Default: it does not end."},
     [](ConfigReader& reader, FindingExemption& to, const ConfigNode& value,
        const std::string& key) {
       const std::optional<std::string> text = reader.string(value, key);
       if (!text) return;
       to.until = parse_date(*text);
       if (!to.until) {
         reader.fail(value, key + " must be a date such as 2027-01-31, not '" + *text + "'");
       }
     }},
});

FindingExemption read_finding_exemption(ConfigReader& reader, const ConfigNode& node,
                                        const std::string& what) {
  const std::string entry = "an entry of " + what;
  FindingExemption exemption;
  read_mapping<FindingExemption>(reader, exemption, node, entry, kFindingExemptionKeys);
  if (!node.is_mapping() && !node.is_null()) return exemption;
  // A value of another type is an error of its own.
  const auto lacks = [&](std::string_view key, const std::string& value) {
    const std::optional<ConfigNode> found = node.member(key);
    return value.empty() && (!found || found->is_text());
  };
  if (lacks("namespace", exemption.name_space) && lacks("rule", exemption.rule)) {
    reader.fail(node, entry + " needs a namespace, a rule or both");
  }
  if (lacks("reason", exemption.reason)) reader.fail(node, entry + " needs a reason");
  return exemption;
}

}  // namespace

std::span<const Key<FindingExemption>> finding_exemption_keys() { return kFindingExemptionKeys; }

std::vector<FindingExemption> read_finding_exemptions(ConfigReader& reader, const ConfigNode& node,
                                                      const std::string& what) {
  std::vector<FindingExemption> exemptions;
  reader.list(node, what, [&](const ConfigNode& entry) {
    exemptions.push_back(read_finding_exemption(reader, entry, what));
  });
  return exemptions;
}

}  // namespace winadmit::server
