// What of a manifest is judged: the object itself, the object in an AdmissionReview, or a pod
// template somewhere in an object of another project.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "cli/judge/object_name.hpp"
#include "cli/judge/template_path.hpp"

namespace winadmit::cli {

class Subject {
 public:
  /// The object, or an AdmissionReview. `manifest` must outlive the subject.
  explicit Subject(const nlohmann::json& manifest);

  /// A pod template in an object of the kind `name`. It is judged as a PodTemplate.
  Subject(const nlohmann::json& manifest, const ObjectName& name, const FoundTemplate& found);

  /// What the policy reads: an object, or an AdmissionReview with one.
  const nlohmann::json& document() const { return changed_ ? *changed_ : *given_; }
  bool is_review() const { return is_review_; }

  /// Null if an AdmissionReview has none.
  const nlohmann::json& object() const;

  /// From document() to object(): a JSON Pointer.
  std::string_view pointer() const { return is_review_ ? kObjectInReview : ""; }

  /// A copy that may be changed is made by the first call.
  nlohmann::json& change_object();

  /// For messages: of the object that is judged, or of the one that holds the template.
  const ObjectName& name() const { return name_; }

  /// Of the object that the policy judges.
  const std::string& kind() const { return kind_; }
  const std::string& group() const { return group_; }

  /// From what the policy says of object() to the manifest: a JSON Pointer, and a field.
  std::string pointer_in_manifest(const std::string& pointer) const;
  std::string field_in_manifest(const std::string& field) const;

 private:
  static constexpr std::string_view kObjectInReview = "/request/object";

  const nlohmann::json* given_;
  std::optional<nlohmann::json> changed_;
  bool is_review_ = false;
  ObjectName name_;
  std::string kind_;
  std::string group_;
  std::optional<FoundTemplate> template_;
};

/// Whether an object is an AdmissionReview with a request.
bool is_review(const nlohmann::json& object);

}  // namespace winadmit::cli
