// What of a manifest is judged: the object itself, the object in an AdmissionReview, or a pod
// template somewhere in an object of another project.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/judge/object_name.hpp"
#include "cli/judge/template_path.hpp"
#include "manifests/manifest.hpp"
#include "policy/pod/pod_kind.hpp"

namespace winadmit::cli {

class Subject {
 public:
  /// The object, or an AdmissionReview. `manifest` must outlive the subject.
  explicit Subject(const manifests::Manifest& manifest);

  /// A pod template in an object of the kind `name`. It is judged as a PodTemplate.
  Subject(const manifests::Manifest& manifest, const ObjectName& name, const FoundTemplate& found);

  bool is_review() const { return is_review_; }

  /// What the policy reads, an object or an AdmissionReview with one, unless it was changed.
  JsonValue original() const { return manifest_->object; }
  bool is_changed() const { return changed_.has_value(); }

  /// The object in original() that is or holds a pod as Kubernetes has it; nothing for another.
  std::optional<JsonObject> given_object() const;

  /// The same as JSON, with the changes.
  std::string text() const { return changed_ ? changed_->dump() : json_text(*manifest_); }

  /// The object in text(): a JSON Pointer.
  std::string_view pointer() const { return is_review_ ? kObjectInReview : ""; }

  /// The object, to be changed. Null if an AdmissionReview has none.
  nlohmann::json& change_object();

  /// For messages: of the object that is judged, or of the one that holds the template.
  const ObjectName& name() const { return name_; }

  /// Of the object that the policy judges.
  const std::string& kind() const { return kind_; }
  const std::string& group() const { return group_; }

  /// Null if it neither is nor holds a pod.
  const PodKind* pod_kind() const { return find_pod_kind(kind_, group_); }

  /// From what the policy says of the object to the manifest: a JSON Pointer, and a field.
  std::string pointer_in_manifest(const std::string& pointer) const;
  std::string field_in_manifest(const std::string& field) const;

 private:
  static constexpr std::string_view kObjectInReview = "/request/object";

  const manifests::Manifest* manifest_;
  std::optional<nlohmann::json> changed_;
  bool is_review_ = false;
  ObjectName name_;
  std::string kind_;
  std::string group_;
  std::optional<FoundTemplate> template_;
};

}  // namespace winadmit::cli
