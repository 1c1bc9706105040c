// What a rule can say of a value. Plain functions with a name, so that the table stays constexpr and
// reads as a sentence. A condition that no name here covers gets its own function in predicates.cpp.
#pragma once

#include <simdjson.h>

#include <algorithm>
#include <cstddef>
#include <string_view>

namespace winadmit {

using Json = simdjson::dom::element;

/// Where a value was found, for the few conditions that relate it to its surroundings.
struct Context {
  simdjson::dom::object spec;       // the pod spec
  simdjson::dom::object container;  // the container that is being walked; the spec outside of one
};

/// The JSON type that the Kubernetes API gives a field. A value of another type is malformed input,
/// not a match.
enum class Shape { any, boolean, integer, string, list, object };

struct Predicate {
  bool (*matches)(Json value, const Context& where) = nullptr;
  std::string_view says;  // completes "forbidden when it ...", for the documentation
  Shape shape = Shape::any;

  constexpr explicit operator bool() const { return matches != nullptr; }
};

struct Exception {
  bool (*applies)(const Context& where) = nullptr;
  std::string_view says;  // completes "unless ...", for the documentation

  constexpr explicit operator bool() const { return applies != nullptr; }
};

namespace detail {

/// A string literal as a template argument: one_of<"Strict">.
template <std::size_t N>
struct Literal {
  char text[N]{};
  consteval Literal(const char (&from)[N]) { std::copy_n(from, N, text); }  // NOLINT: implicit
  constexpr std::string_view view() const { return {text, N - 1}; }
};

}  // namespace detail

bool value_is_true(Json, const Context&);
bool value_is_false(Json, const Context&);
bool value_is_present(Json, const Context&);
bool value_is_nonempty(Json, const Context&);
bool value_has_several(Json, const Context&);
bool value_is_not_0644(Json, const Context&);
bool value_is_not_30(Json, const Context&);
bool value_has_hugepages(Json, const Context&);
bool value_has_requests_or_limits(Json, const Context&);
bool value_runs_admin_as_nonroot(Json, const Context&);
bool value_is_hyperv_with_several_containers(Json, const Context&);
bool value_is_hyperv_with_one_container(Json, const Context&);

template <detail::Literal... Words>
bool value_is_one_of(Json value, const Context&) {
  std::string_view text;
  return value.get(text) == simdjson::SUCCESS && ((text == Words.view()) || ...);
}

template <detail::Literal... Words>
bool value_is_none_of(Json value, const Context&) {
  std::string_view text;
  return value.get(text) == simdjson::SUCCESS && ((text != Words.view()) && ...);
}

template <detail::Literal... Words>
bool type_is_one_of(Json value, const Context& where) {
  Json type;
  return value["type"].get(type) == simdjson::SUCCESS && value_is_one_of<Words...>(type, where);
}

inline constexpr Predicate is_true{value_is_true, "is true", Shape::boolean};
inline constexpr Predicate is_false{value_is_false, "is false", Shape::boolean};
inline constexpr Predicate present{value_is_present, "is present"};
inline constexpr Predicate nonempty{value_is_nonempty, "is not empty"};
inline constexpr Predicate nonempty_list{value_is_nonempty, "is not empty", Shape::list};
inline constexpr Predicate nonempty_object{value_is_nonempty, "is not empty", Shape::object};
inline constexpr Predicate nonempty_string{value_is_nonempty, "is not empty", Shape::string};
inline constexpr Predicate more_than_one{value_has_several, "has more than one entry", Shape::list};
inline constexpr Predicate not_mode_0644{value_is_not_0644, "is not 420 (0644)", Shape::integer};
inline constexpr Predicate not_30_seconds{value_is_not_30, "is not 30", Shape::integer};
inline constexpr Predicate has_hugepages{value_has_hugepages, "has a key hugepages-*",
                                         Shape::object};
inline constexpr Predicate has_requests_or_limits{value_has_requests_or_limits,
                                                  "has requests or limits", Shape::object};
/// Effective runAsNonRoot true and effective runAsUserName ContainerAdministrator in any case; a
/// container's value goes before the pod's. Scope: a container, field "".
inline constexpr Predicate runs_admin_as_nonroot{
    value_runs_admin_as_nonroot, "has runAsNonRoot true and runAsUserName ContainerAdministrator",
    Shape::object};
inline constexpr Predicate is_hyperv_with_several_containers{
    value_is_hyperv_with_several_containers, "is \"hyperv\" on a pod of several containers",
    Shape::string};
inline constexpr Predicate is_hyperv_with_one_container{
    value_is_hyperv_with_one_container, "is not \"process\", on a pod of one container",
    Shape::string};

/// one_of<"Strict">: the value is one of these words.
template <detail::Literal... Words>
inline constexpr Predicate one_of{value_is_one_of<Words...>, "is one of", Shape::string};  // NOLINT

/// none_of<"Default", "">: the value is a word other than these.
template <detail::Literal... Words>
inline constexpr Predicate none_of{value_is_none_of<Words...>, "is none of", Shape::string};  // NOLINT

/// typed<"Localhost">: the value's `type` member is one of these words.
template <detail::Literal... Words>
inline constexpr Predicate typed{type_is_one_of<Words...>, "has the type", Shape::object};  // NOLINT

bool all_containers_host_process(const Context&);
bool host_network_of_host_process(const Context&);

inline constexpr Exception all_host_process{all_containers_host_process,
                                            "every container is a HostProcess container"};
inline constexpr Exception host_process_on_host_network{
    host_network_of_host_process,
    "every container is a HostProcess container and hostNetwork is true"};

}  // namespace winadmit
