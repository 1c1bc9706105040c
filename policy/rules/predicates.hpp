// What a rule can say of a value. Plain functions with a name, so that the table stays constexpr
// and reads as a sentence. A condition that no name here covers gets its own function in
// predicates.cpp. Each is total: a value of a shape that it does not know is no match.
#pragma once

#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace winadmit {

using Json = simdjson::dom::element;

struct Pod;

/// Where a value was found, for the few conditions that relate it to its surroundings.
struct Context {
  const Pod& pod;
  simdjson::dom::object container;  // that is being walked; the pod spec outside of one
};

/// The JSON type that the Kubernetes API gives a field. A value of another type is malformed input,
/// not a match.
enum class Shape { any, boolean, integer, string, list, object };

struct Predicate {
  bool (*matches)(Json value, const Context& where) = nullptr;
  std::string_view says;  // completes "forbidden when it ...", for the documentation
  Shape shape = Shape::any;

  /// The members of the value that `matches` reads, as a rule's field names members.
  std::string_view reads = {};

  /// Of a map: the keys that are forbidden. Each such entry is a finding; unset: the value is one.
  bool (*forbids_key)(std::string_view key) = nullptr;

  constexpr explicit operator bool() const { return matches != nullptr; }
};

struct Exception {
  bool (*applies)(const Context& where) = nullptr;
  std::string_view says;  // completes "unless ...", for the documentation

  constexpr explicit operator bool() const { return applies != nullptr; }
};

bool value_is_none(Json, const Context&);
bool value_is_true(Json, const Context&);
bool value_is_false(Json, const Context&);
bool value_is_present(Json, const Context&);
bool value_is_nonempty(Json, const Context&);
bool value_has_several(Json, const Context&);
bool value_is_not_0644(Json, const Context&);
bool value_is_not_30(Json, const Context&);
bool value_has_hugepages(Json, const Context&);
bool value_has_requests_or_limits(Json, const Context&);
bool value_neither_adds_nor_drops(Json, const Context&);
bool key_is_hugepages(std::string_view key);
bool value_runs_admin_as_nonroot(Json, const Context&);
bool value_is_hyperv_with_several_containers(Json, const Context&);
bool value_is_isolation_that_may_start(Json, const Context&);

namespace detail {

/// A string literal as a template argument: one_of<"Strict">.
template <std::size_t N>
struct Literal {
  char text[N]{};
  consteval Literal(const char (&from)[N]) { std::copy_n(from, N, text); }  // NOLINT: implicit
  constexpr std::string_view view() const { return {text, N - 1}; }
};

bool type_of(Json value, std::string_view& type);

/// `is "A", "B" or "C"`, made by the compiler from the words that the function below compares.
template <Literal Lead, Literal... Words>
struct Phrase {
  static constexpr std::size_t kLength =
      Lead.view().size() + ((Words.view().size() + 2) + ...) +      // each word in its quotes
      (sizeof...(Words) > 1 ? 4 + 2 * (sizeof...(Words) - 2) : 0);  // " or " once, ", " between

  static constexpr std::array<char, kLength> kText = [] {
    std::array<char, kLength> text{};
    std::size_t at = 0;
    const auto put = [&](std::string_view part) {
      for (const char letter : part) text[at++] = letter;
    };
    put(Lead.view());
    std::size_t left = sizeof...(Words);
    const auto put_word = [&](std::string_view word) {
      put("\"");
      put(word);
      put("\"");
      --left;
      if (left > 1) put(", ");
      if (left == 1) put(" or ");
    };
    (put_word(Words.view()), ...);
    return text;
  }();

  static constexpr std::string_view kView{kText.data(), kText.size()};
};

}  // namespace detail

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
bool type_is_one_of(Json value, const Context&) {
  std::string_view type;
  return detail::type_of(value, type) && ((type == Words.view()) || ...);
}

/// An object without a `type` has none of these types: {} counts.
template <detail::Literal... Words>
bool type_is_none_of(Json value, const Context&) {
  std::string_view type;
  return value.is_object() && (!detail::type_of(value, type) || ((type != Words.view()) && ...));
}

// In lower case though they are constants: in a row of the table each is a word of a sentence.
// NOLINTBEGIN(readability-identifier-naming)

/// Never matches: for a row that speaks only where spec.os.name is set, or only under strict.
inline constexpr Predicate never{value_is_none, ""};

inline constexpr Predicate is_true{value_is_true, "is true", Shape::boolean};
inline constexpr Predicate is_false{value_is_false, "is false", Shape::boolean};

inline constexpr Predicate present_boolean{value_is_present, "is present", Shape::boolean};
inline constexpr Predicate present_integer{value_is_present, "is present", Shape::integer};
inline constexpr Predicate present_string{value_is_present, "is present", Shape::string};
inline constexpr Predicate present_list{value_is_present, "is present", Shape::list};
inline constexpr Predicate present_object{value_is_present, "is present", Shape::object};

inline constexpr Predicate nonempty_list{value_is_nonempty, "is not empty", Shape::list};
inline constexpr Predicate nonempty_object{value_is_nonempty, "is not empty", Shape::object};
inline constexpr Predicate nonempty_string{value_is_nonempty, "is not empty", Shape::string};

inline constexpr Predicate more_than_one{value_has_several, "has more than one entry", Shape::list};
inline constexpr Predicate not_mode_0644{value_is_not_0644, "is not 420 (0644)", Shape::integer};
inline constexpr Predicate not_30_seconds{value_is_not_30, "is not 30", Shape::integer};
inline constexpr Predicate has_hugepages{
    value_has_hugepages, "has a key hugepages-*", Shape::object, {}, key_is_hugepages};
inline constexpr Predicate has_requests_or_limits{
    value_has_requests_or_limits, "has requests or limits", Shape::object, "{requests,limits}"};

/// Capabilities as {} or with empty lists: what is left for the object itself once a rule speaks of
/// `add` and another of `drop`, so that one mistake is reported once.
inline constexpr Predicate neither_adds_nor_drops{value_neither_adds_nor_drops,
                                                  "is present and neither adds nor drops anything",
                                                  Shape::object, "{add,drop}"};

/// Effective runAsNonRoot true and effective runAsUserName ContainerAdministrator in any case; a
/// container's value goes before the pod's. Scope: a container, field "".
inline constexpr Predicate runs_admin_as_nonroot{
    value_runs_admin_as_nonroot, "has runAsNonRoot true and runAsUserName ContainerAdministrator",
    Shape::object};

/// On the isolation-type annotation. What cannot start at all, and what can where a feature gate is
/// on: the two never match the same pod.
inline constexpr Predicate is_hyperv_with_several_containers{
    value_is_hyperv_with_several_containers, "is \"hyperv\" on a pod of several containers",
    Shape::string};
inline constexpr Predicate is_isolation_that_may_start{
    value_is_isolation_that_may_start,
    "is other than \"process\", unless it is \"hyperv\" on a pod of several containers",
    Shape::string};

/// one_of<"Strict">: the value is one of these words.
template <detail::Literal... Words>
inline constexpr Predicate one_of{value_is_one_of<Words...>, detail::Phrase<"is ", Words...>::kView,
                                  Shape::string};

/// none_of<"Default", "">: the value is a word other than these.
template <detail::Literal... Words>
inline constexpr Predicate none_of{
    value_is_none_of<Words...>, detail::Phrase<"is other than ", Words...>::kView, Shape::string};

/// typed<"Localhost">: the value's `type` member is one of these words.
template <detail::Literal... Words>
inline constexpr Predicate typed{type_is_one_of<Words...>,
                                 detail::Phrase<"has the type ", Words...>::kView, Shape::object,
                                 "type"};

/// typed_other_than<"Localhost">: the value's `type` member is none of these words, or missing.
template <detail::Literal... Words>
inline constexpr Predicate typed_other_than{
    type_is_none_of<Words...>, detail::Phrase<"has a type other than ", Words...>::kView,
    Shape::object, "type"};

bool all_containers_host_process(const Context&);
bool host_network_of_host_process(const Context&);

inline constexpr Exception all_host_process{all_containers_host_process,
                                            "every container is a HostProcess container"};
inline constexpr Exception host_process_on_host_network{
    host_network_of_host_process,
    "every container is a HostProcess container and hostNetwork is true"};

// NOLINTEND(readability-identifier-naming)

}  // namespace winadmit
