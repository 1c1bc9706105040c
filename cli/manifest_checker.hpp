// The policy applied to manifests, as the webhooks apply it to objects that are created.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "manifests/manifest.hpp"
#include "policy/policy.hpp"
#include "server/config/config.hpp"
#include "server/review/admit.hpp"

namespace winadmit::cli {

/// A finding about one field of one object.
struct ManifestFinding {
  manifests::Location location;
  std::string object;      // "Deployment default/web"
  bool is_denial = false;  // or a warning
  std::string field;       // field and rule are empty if the object cannot be read as its kind
  std::string message;
  std::string rule;
};

/// "FILE:3:5: error: Pod web: spec.hostPID: cannot be set ... (host-pid)"
std::string to_string(const ManifestFinding& finding);

nlohmann::json to_json(const ManifestFinding& finding);

class ManifestChecker {
 public:
  /// Workload templates are checked like pods, because the pods made from them are refused.
  ManifestChecker(const server::Config& config, Os default_os);

  /// What /mutate and then /validate report about an object, ordered by location. Of a Namespace,
  /// what is wrong with the labels that are for winadmit.
  std::vector<ManifestFinding> check(const manifests::Manifest& manifest);

  /// The object with placement added and removable fields removed. Unchanged if there is nothing to
  /// do.
  nlohmann::json fix(const nlohmann::json& object);

 private:
  /// Valid until the next call.
  JsonObject parse(const nlohmann::json& object);

  /// `parsed`: of the same object. The findings are valid as long as it is.
  server::Admission admit(const nlohmann::json& object, JsonObject parsed, server::Hook hook) const;

  /// The labels of a Namespace.
  std::vector<ManifestFinding> check_namespace(const manifests::Manifest& manifest) const;

  server::Config config_;
  Os default_os_;
  Policy policy_;
  Policy fixing_policy_;  // also removes every removable field
  simdjson::dom::parser parser_;
  std::string text_;  // read by parser_
};

}  // namespace winadmit::cli
