// Where advice goes.
#pragma once

#include <optional>
#include <string_view>

#include "policy/judge/finding.hpp"
#include "policy/judge/settings.hpp"

namespace winadmit {

/// Gives advice its action, and leaves out what the settings allow.
class AdviceSink {
 public:
  /// The arguments must outlive this.
  AdviceSink(const Settings& settings, FindingSink& findings)
      : settings_(settings), findings_(findings) {}

  /// In an UPDATE, advice is old if the old pod has it at the path, with the same `value`.
  /// `instead`: default that of the kind.
  void add(std::string_view id, const FieldPath& path, std::string_view reason,
           std::optional<JsonValue> value = std::nullopt, std::string_view instead = {});

  /// Whether advice of this kind is left out.
  bool is_off(std::string_view id) const;

 private:
  const Settings& settings_;
  FindingSink& findings_;
};

}  // namespace winadmit
