// What the installed webhooks do in the namespaces of the objects that are checked.
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>

#include "cli/judge/verdict.hpp"
#include "export/namespace_labels.hpp"
#include "manifests/input.hpp"
#include "manifests/manifest.hpp"
#include "policy/pod/os.hpp"

namespace winadmit::cli {

/// What they do in one namespace. By default, what they do in one without labels.
struct NamespaceSettings {
  std::optional<server::Mode> mode = server::Mode::enforce;  // nothing: they do not select it
  std::optional<Os> default_os = {};  // nothing: that of the installation applies

  friend bool operator==(const NamespaceSettings&, const NamespaceSettings&) = default;
};

/// Changes a verdict about an object in such a namespace to what the API server would answer.
void apply(const NamespaceSettings& settings, Verdict& verdict);

class Namespaces {
 public:
  explicit Namespaces(const server::NamespaceModes& modes) : modes_(modes) {}

  /// Adds the Namespaces of a file, for all objects. Throws Error if there is none, or if
  /// something cannot be read.
  void load(const std::string& file, const manifests::Limits& limits);

  /// Adds a Namespace that kubectl listed, for listed objects alone. False if objects in it were
  /// judged without its labels, which say something else.
  bool add_listed(const manifests::Manifest& manifest);

  NamespaceSettings of_listed_object(const std::string& name_space);
  NamespaceSettings of_object(const std::string& name_space) const;

 private:
  using ByName = std::map<std::string, NamespaceSettings>;

  /// Does nothing for an object of another kind.
  void add(const manifests::Manifest& manifest, ByName& to) const;

  server::NamespaceModes modes_;
  ByName given_;
  ByName listed_;
  std::set<std::string> judged_without_;
};

}  // namespace winadmit::cli
