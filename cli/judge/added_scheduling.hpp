// What the API server adds to pods before it calls the webhooks, by the RuntimeClasses and
// Namespaces of the input.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "cli/judge/subject.hpp"
#include "manifests/manifest.hpp"

namespace winadmit::cli {

class AddedScheduling {
 public:
  /// Takes a RuntimeClass or a Namespace. Of several of a name, the last one counts that may send
  /// pods to Windows. Returns why pods cannot be judged by it, such as that they were judged
  /// before;
  /// "" otherwise. Of a Namespace counts what sends pods to Windows alone: its mode is for
  /// --namespaces.
  std::string add(const manifests::Manifest& manifest);

  /// Adds to the pod or template what the plugins PodNodeSelector and RuntimeClass add. False if
  /// that is nothing.
  bool add_to(Subject& subject);

  /// Whether the label of the namespace for a default OS is windows.
  bool defaults_to_windows(const std::string& name_space);

 private:
  struct OfNamespace {
    nlohmann::json node_selector = nlohmann::json::object();
    bool has_default_windows = false;

    bool may_send_to_windows() const;
  };

  std::string add_class(const std::string& name, JsonValue object);
  std::string add_namespace(const std::string& name, JsonValue object);

  std::map<std::string, nlohmann::json> classes_;  // RuntimeClass.scheduling
  std::map<std::string, OfNamespace> namespaces_;
  std::set<std::string> missed_classes_;
  std::set<std::string> missed_namespaces_;
};

}  // namespace winadmit::cli
