#include "cli/fields/unknown_fields.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "cli/fields/near_field.hpp"
#include "cli/fields/placement_fields.hpp"
#include "cli/fields/pod_api.hpp"
#include "text/json_pointer.hpp"
#include "text/printable.hpp"
#include "text/text.hpp"

namespace winadmit::cli {
namespace {

/// Deeper than any field of the API.
constexpr std::size_t kMaxSteps = 20;

/// Of an object that the API does not have: these have keys of any form, such as labels.
constexpr auto kMaps = std::to_array<std::string_view>(
    {"metadata", "labels", "annotations", "selector", "matchLabels", "data", "env"});

/// Visits the value if it is an object, or the entries of a list that are.
template <class Visit>
void for_each_object_in(JsonValue value, std::vector<ApiStep>& steps, Visit visit) {
  if (value.is_object()) return visit(value.get_object().value_unsafe());
  if (!value.is_array()) return;
  int index = 0;
  const JsonArray entries = value.get_array().value_unsafe();
  for (const JsonValue entry : entries) {
    steps.back().entry = index++;
    if (entry.is_object()) visit(entry.get_object().value_unsafe());
  }
  steps.back().entry = ApiStep::kNoEntry;
}

class FieldWalk {
 public:
  FieldWalk(const ApiType& root, Version kubernetes) : root_(root), kubernetes_(kubernetes) {}

  /// `in_placement`: the object is below a placement field.
  void visit(JsonObject object, const ApiType& type, bool in_placement) {
    for (auto each = object.begin(), end = object.end(); each != end; ++each) {
      const std::string_view key = each.key();
      const ApiField* const field = type.find(key);
      if (field == nullptr) {
        visit_unknown(key, each.value(), &type, in_placement);
      } else if (!field->versions.contains(kubernetes_)) {
        visit_of_other_release(*field, each.value());
      } else if (field->type != nullptr) {
        visit_known(*field, each.value(), in_placement);
      }
    }
  }

  UnknownFields extract() { return std::move(found_); }

 private:
  void visit_known(const ApiField& field, JsonValue value, bool in_placement) {
    if (field.is_list != value.is_array()) return;  // a wrong type
    steps_.push_back({field.name});
    const bool is_placement = in_placement || is_placement_field(field.name);
    for_each_object_in(value, steps_,
                       [&](JsonObject object) { visit(object, *field.type, is_placement); });
    steps_.pop_back();
  }

  /// Whether the value is absent, or one more than may be kept.
  bool is_left_out(JsonValue value) {
    if (value.is_null()) return true;
    if (found_.kept.size() < UnknownFields::kMaxKept) return false;
    ++found_.left_out;
    return true;
  }

  /// `type`: of the object that has the key; null if the API does not have that either.
  void visit_unknown(std::string_view key, JsonValue value, const ApiType* type,
                     bool in_placement) {
    // A directive of a strategic merge patch is none.
    if (key.starts_with('$') || is_left_out(value)) return;
    const bool is_placement = in_placement || !near_placement_field(key).empty();
    if (is_placement || (!has_placement(key, value) && type != nullptr))
      add({.is_placement = is_placement, .reason = kNone, .instead = near(key, type)}, key);
  }

  /// Adds the placement fields below a field that the API does not have. False if there are none.
  bool has_placement(std::string_view key, JsonValue value) {
    if (std::ranges::find(kMaps, key) != kMaps.end() || steps_.size() >= kMaxSteps) return false;
    const std::size_t before = found_.kept.size();
    steps_.push_back({key});
    for_each_object_in(value, steps_, [&](JsonObject object) {
      for (const auto [inner, member] : object) visit_unknown(inner, member, nullptr, false);
    });
    steps_.pop_back();
    return found_.kept.size() > before;
  }

  void visit_of_other_release(const ApiField& field, JsonValue value) {
    if (is_left_out(value)) return;
    const bool is_newer = kubernetes_ < field.versions.first;
    const Version other = is_newer ? field.versions.first : field.versions.last;
    add({.is_of_other_release = true,
         .reason = "Kubernetes " + to_string(kubernetes_) + " has no such field: it is " +
                   (is_newer ? "new in " : "gone after ") + to_string(other)},
        field.name);
  }

  void add(UnknownField made, std::string_view key) {
    made.field = to_string(steps_);
    const bool is_name =
        std::ranges::all_of(key, [](char c) { return is_alphanumeric(c) || c == '_' || c == '-'; });
    if (is_name && !made.field.empty()) made.field += '.';
    made.field += is_name ? echo(key) : '[' + echo(key) + ']';
    for (const ApiStep& each : steps_) {
      made.pointer += '/' + escape_pointer_token(each.member);
      if (each.entry != ApiStep::kNoEntry) made.pointer += '/' + std::to_string(each.entry);
    }
    made.pointer += '/' + escape_pointer_token(key);
    found_.kept.push_back(std::move(made));
  }

  std::string near(std::string_view key, const ApiType* type) const {
    return find_near_field({.root = root_, .parents = steps_, .parent = type}, key, kubernetes_);
  }

  static constexpr const char* kNone = "Kubernetes has no such field here";

  const ApiType& root_;
  Version kubernetes_;
  std::vector<ApiStep> steps_;
  UnknownFields found_;
};

}  // namespace

UnknownFields find_unknown_fields(JsonObject object, const PodKind& kind, Version kubernetes) {
  const ApiType& root = api_type(kind.kind);
  FieldWalk walk(root, kubernetes);
  walk.visit(object, root, false);
  return walk.extract();
}

}  // namespace winadmit::cli
