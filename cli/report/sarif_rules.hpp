// The rules as SARIF describes them.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>

#include "policy/rules/version.hpp"

namespace winadmit::cli {

/// The rules and the advice of one Kubernetes release.
class SarifRules {
 public:
  explicit SarifRules(Version version);

  /// A reportingDescriptor for each, by id.
  nlohmann::ordered_json descriptors() const;

  /// The place of a rule in that list, or -1.
  int index_of(const std::string& rule) const;

 private:
  struct Description {
    std::string_view text;            // why, or when
    std::string_view source;          // of the first row
    std::set<std::string_view> help;  // what to do, of every row
    bool is_denial = false;
  };

  std::map<std::string_view, Description> all_;  // by id: rows with the same id make one rule
};

}  // namespace winadmit::cli
