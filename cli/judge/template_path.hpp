// Where objects of other projects hold pod templates: Rollouts of Argo, Services of Knative, Fleets
// of Agones and others. .winadmit.yaml has a list of these.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/judge/object_name.hpp"

namespace winadmit::cli {

struct TemplatePath {
  std::string group;
  std::string kind;
  std::string path;  // "spec.template"; [*] is each entry of a list: "spec.tasks[*].template"
};

/// A pod template in an object, or another value in its place.
struct FoundTemplate {
  std::string field;     // spec.tasks[0].template
  std::string pointer;   // /spec/tasks/0/template
  JsonValue value = {};  // not null
};

/// Whether the path has the form described above.
bool is_template_path(std::string_view path);

/// The templates that the object has at the paths for its kind. A path that the object does not
/// have adds none.
std::vector<FoundTemplate> find_templates(JsonValue object, const ObjectName& name,
                                          const std::vector<TemplatePath>& paths);

}  // namespace winadmit::cli
