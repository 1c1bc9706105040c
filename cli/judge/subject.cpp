#include "cli/judge/subject.hpp"

#include <utility>

namespace winadmit::cli {
namespace {

using nlohmann::json;

/// Of what an AdmissionReview asks about. On CREATE, the name may be in the request alone.
ObjectName name_in(JsonObject request) {
  auto object = member<JsonObject>(request, "object");
  if (!object) object = member<JsonObject>(request, "oldObject");
  ObjectName name = object ? name_of(*object) : ObjectName();
  if (const auto kind = member<JsonObject>(request, "kind")) {
    name.kind = string_member(*kind, "kind");
    name.group = string_member(*kind, "group");
  }
  if (name.name_space.empty()) name.name_space = string_member(request, "namespace");
  if (name.name.empty()) name.name = string_member(request, "name");
  return name;
}

/// The request of an AdmissionReview.
std::optional<JsonObject> request_in(JsonObject object) {
  const bool is_review = string_member(object, "kind") == "AdmissionReview" &&
                         string_member(object, "apiVersion").starts_with("admission.k8s.io/");
  return is_review ? member<JsonObject>(object, "request") : std::nullopt;
}

}  // namespace

Subject::Subject(const manifests::Manifest& manifest) : manifest_(&manifest) {
  const auto request = request_in(manifest.object);
  is_review_ = request.has_value();
  name_ = request ? name_in(*request) : name_of(manifest.object);
  kind_ = name_.kind;
  group_ = name_.group;
}

Subject::Subject(const manifests::Manifest& manifest, const ObjectName& name,
                 const FoundTemplate& found)
    : manifest_(&manifest), name_(name), kind_("PodTemplate"), template_(found) {
  json& made = changed_.emplace(json::object());
  made["apiVersion"] = "v1";
  made["kind"] = kind_;
  made["metadata"] = {{"name", name.name}, {"namespace", name.name_space}};
  made["template"] = json::parse(simdjson::minify(found.value));
}

std::optional<JsonObject> Subject::given_object() const {
  if (template_ || pod_kind() == nullptr) return std::nullopt;
  JsonObject object;
  if (original().at_pointer(pointer()).get(object) != simdjson::SUCCESS) return std::nullopt;
  return object;
}

json& Subject::change_object() {
  if (!changed_) changed_ = json::parse(text());
  return is_review_ ? (*changed_)["request"]["object"] : *changed_;
}

std::string Subject::pointer_in_manifest(const std::string& pointer) const {
  constexpr std::string_view kInside = "/template";
  if (is_review_) return std::string(kObjectInReview) + pointer;
  if (!template_) return pointer;
  return pointer.starts_with(kInside) ? template_->pointer + pointer.substr(kInside.size())
                                      : template_->pointer;
}

std::string Subject::field_in_manifest(const std::string& field) const {
  constexpr std::string_view kInside = "template";
  if (!template_ || !field.starts_with(kInside)) return field;
  return template_->field + field.substr(kInside.size());
}

}  // namespace winadmit::cli
