// The policy on manifests, as the webhooks have it on objects that are created.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "manifests/manifest.hpp"
#include "policy/policy.hpp"
#include "server/config/config.hpp"
#include "server/review/admit.hpp"

namespace winadmit::cli {

/// What is said of one field of one object.
struct Said {
  manifests::Place place;
  std::string object;  // "Deployment default/web"
  bool refuses = false;
  std::string field, text, rule;  // field and rule: "" where the object cannot be read as its kind

  /// "FILE:3:5: error: Pod web: spec.hostPID: cannot be set ... (host-pid)"
  std::string line() const;
  nlohmann::json as_json() const;
};

class Judge {
 public:
  /// Templates of workloads are judged as their pods: what is refused in the end is those.
  Judge(const server::Config& config, Os default_os);

  /// What both webhooks say of an object, the mutating one first, by the places in its file.
  std::vector<Said> judge(const manifests::Manifest& manifest);

  /// The object with what places its pods, and without fields that have no meaning on Windows; the
  /// same object if there is nothing to do.
  nlohmann::json fix(const nlohmann::json& object);

 private:
  /// The findings are good until the next call of anything here.
  server::Admission admit(const nlohmann::json& object, const server::Route& route);

  server::Config config_;
  Os default_os_;
  Policy policy_;
  Policy stripping_;  // that, but with every field removed that may be
  simdjson::dom::parser parser_;
  std::string text_;  // that the parser reads
};

}  // namespace winadmit::cli
