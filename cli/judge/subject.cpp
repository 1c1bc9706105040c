#include "cli/judge/subject.hpp"

#include <utility>

#include "manifests/manifest.hpp"

namespace winadmit::cli {
namespace {

using manifests::string_member;
using nlohmann::json;

const json& member(const json& object, const char* key) {
  static const json kNull;
  const auto found = object.is_object() ? object.find(key) : object.end();
  return found == object.end() ? kNull : *found;
}

/// Of what an AdmissionReview asks about. On CREATE, the name may be in the request alone.
ObjectName name_in(const json& request) {
  const json& object = member(request, "object");
  ObjectName name = name_of(object.is_null() ? member(request, "oldObject") : object);
  if (const json& kind = member(request, "kind"); kind.is_object()) {
    name.kind = string_member(kind, "kind");
    name.group = string_member(kind, "group");
  }
  if (name.name_space.empty()) name.name_space = string_member(request, "namespace");
  if (name.name.empty()) name.name = string_member(request, "name");
  return name;
}

}  // namespace

bool is_review(const json& object) {
  return string_member(object, "kind") == "AdmissionReview" &&
         string_member(object, "apiVersion").starts_with("admission.k8s.io/") &&
         member(object, "request").is_object();
}

Subject::Subject(const json& manifest)
    : given_(&manifest),
      is_review_(cli::is_review(manifest)),
      name_(is_review_ ? name_in(manifest["request"]) : name_of(manifest)),
      kind_(name_.kind),
      group_(name_.group) {}

Subject::Subject(const json& manifest, const ObjectName& name, const FoundTemplate& found)
    : given_(&manifest), name_(name), kind_("PodTemplate"), template_(found) {
  json& made = changed_.emplace(json::object());
  made["apiVersion"] = "v1";
  made["kind"] = kind_;
  made["metadata"] = {{"name", name.name}, {"namespace", name.name_space}};
  made["template"] = manifest.at(json::json_pointer(found.pointer));
}

const json& Subject::object() const {
  return is_review_ ? member(document()["request"], "object") : document();
}

json& Subject::change_object() {
  if (!changed_) changed_ = *given_;
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
