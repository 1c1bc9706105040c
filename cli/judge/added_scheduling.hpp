// What the API server adds to pods before it calls the webhooks, by the RuntimeClasses and
// Namespaces of the input.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "cli/judge/subject.hpp"
#include "manifests/location.hpp"
#include "manifests/manifest.hpp"

namespace winadmit::cli {

class AddedScheduling {
 public:
  /// Takes a RuntimeClass or a Namespace; the last of a name counts, as for kubectl apply. False if
  /// it may send pods to Windows that were judged without it. Of a Namespace counts what sends pods
  /// to Windows alone: its mode is for --namespaces.
  bool add(const manifests::Manifest& manifest);

  /// Adds to the pod or template what the plugins PodNodeSelector and RuntimeClass add. False if
  /// that is nothing.
  bool add_to(Subject& subject);

  /// Whether the label of the namespace for a default OS is windows.
  bool defaults_to_windows(const std::string& name_space);

 private:
  struct OfNamespace {
    nlohmann::json node_selector = nlohmann::json::object();
    bool has_default_windows = false;
  };

  bool add_class(const std::string& name, JsonValue object);
  bool add_namespace(const std::string& name, JsonValue object);

  std::map<std::string, nlohmann::json> classes_;  // RuntimeClass.scheduling
  std::map<std::string, OfNamespace> namespaces_;
  std::set<std::string> missed_classes_;
  std::set<std::string> missed_namespaces_;
};

/// Where AddedScheduling::add() is false.
manifests::FileError late_scheduling_error(const manifests::Manifest& manifest);

}  // namespace winadmit::cli
