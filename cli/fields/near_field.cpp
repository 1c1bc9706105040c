#include "cli/fields/near_field.hpp"

#include <algorithm>
#include <limits>
#include <vector>

#include "cli/fields/placement_fields.hpp"
#include "text/similar.hpp"
#include "text/text.hpp"

namespace winadmit::cli {
namespace {

std::size_t shared_steps(std::span<const ApiStep> left, std::span<const ApiStep> right) {
  const auto ends = std::ranges::mismatch(left, right, {}, &ApiStep::member, &ApiStep::member);
  return static_cast<std::size_t>(ends.in1 - left.begin());
}

/// The names that the type has in the release.
std::vector<std::string_view> names_in(const ApiType& type, Version kubernetes) {
  std::vector<std::string_view> names;
  for (const ApiField& each : type.fields) {
    if (each.versions.contains(kubernetes)) names.push_back(each.name);
  }
  return names;
}

/// The path of a field with this name that is the fewest steps away. A name of many places, such as
/// `name`, counts only above and below.
const ApiPath* find_nearest(const FieldPlace& place, std::string_view name, Version kubernetes) {
  constexpr std::size_t kManyPlaces = 6;
  const ApiPath* nearest = nullptr;
  std::size_t best = std::numeric_limits<std::size_t>::max();
  std::size_t count = 0;
  for (const ApiPath* const each : api_paths_named(place.root, name)) {
    if (!each->versions.contains(kubernetes)) continue;
    ++count;
    const std::size_t shared = shared_steps(place.parents, each->parent());
    const std::size_t distance = place.parents.size() + each->parent().size() - 2 * shared;
    if (distance >= best) continue;
    nearest = each;
    best = distance;
  }
  if (nearest == nullptr || count <= kManyPlaces) return nearest;
  const std::size_t shared = shared_steps(place.parents, nearest->parent());
  const bool is_in_line = shared == place.parents.size() || shared == nearest->parent().size();
  return is_in_line ? nearest : nullptr;
}

/// "nodeSelector belongs to spec.template.spec", with the indices that both places share.
std::string belongs_to(const FieldPlace& place, const ApiPath& path) {
  std::vector<ApiStep> to(path.parent().begin(), path.parent().end());
  const std::size_t shared = shared_steps(place.parents, to);
  std::copy_n(place.parents.begin(), shared, to.begin());
  return std::string(path.field->name) + " belongs to " +
         (to.empty() ? "the object itself" : to_string(to));
}

}  // namespace

std::string find_other_place(const FieldPlace& place, std::string_view name, Version kubernetes) {
  const ApiPath* path = find_nearest(place, name, kubernetes);
  return path == nullptr ? std::string() : belongs_to(place, *path);
}

std::string find_near_field(const FieldPlace& place, std::string_view name, Version kubernetes) {
  const auto write = [](std::string_view known) { return "write " + std::string(known); };
  std::vector<std::string_view> beside;
  if (place.parent != nullptr) beside = names_in(*place.parent, kubernetes);
  const auto same = std::ranges::find_if(
      beside, [&](std::string_view each) { return equals_ignoring_case(each, name); });
  if (same != beside.end()) return write(*same);
  std::string other = find_other_place(place, name, kubernetes);
  if (!other.empty()) return other;
  const std::string_view placement = near_placement_field(name);
  if (std::ranges::find(beside, placement) != beside.end()) return write(placement);
  other = find_other_place(place, placement, kubernetes);
  if (!other.empty()) return other;
  const std::string_view similar = find_similar(name, beside);
  return similar.empty() ? std::string() : write(similar);
}

}  // namespace winadmit::cli
