// Where in an object a value was found: for messages, for JSON Patch, and for telling whether an
// old object had the same.
#pragma once

#include <simdjson.h>

#include <cstddef>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace winadmit {

/// A path that grows and shrinks as a walk goes down and up. Keys are borrowed from the document.
class FieldPath {
 public:
  FieldPath() { steps_.reserve(16); }
  explicit FieldPath(std::initializer_list<std::string_view> keys);

  void enter(std::string_view key) { steps_.push_back({key, kNoIndex, {}}); }
  /// An entry of a list; identity() reads its name, for which the document must still be there.
  void enter(std::size_t index, simdjson::dom::element entry) {
    steps_.push_back({{}, index, entry});
  }
  void leave() { steps_.pop_back(); }

  /// As the API server writes it: spec.containers[0].ports[1].protocol,
  /// metadata.annotations[a.b/c].
  std::string text() const;

  /// RFC 6901: /spec/containers/0/ports/1/protocol.
  std::string pointer() const;

  /// As text(), but entries of lists are called by name where they have one, so that the same
  /// container in another place is the same.
  std::string identity() const;

 private:
  static constexpr std::size_t kNoIndex = static_cast<std::size_t>(-1);
  struct Step {
    std::string_view key;
    std::size_t index;
    std::optional<simdjson::dom::element> entry;
  };
  std::string render(bool by_name) const;

  std::vector<Step> steps_;
};

/// Enters on construction, leaves on destruction.
class Within {
 public:
  Within(FieldPath& path, std::string_view key) : path_(path) { path_.enter(key); }
  Within(FieldPath& path, std::size_t index, simdjson::dom::element entry) : path_(path) {
    path_.enter(index, entry);
  }
  ~Within() { path_.leave(); }
  Within(const Within&) = delete;
  Within& operator=(const Within&) = delete;

 private:
  FieldPath& path_;
};

/// One reference token of a JSON Pointer: '~' and '/' escaped.
std::string escape_pointer_token(std::string_view token);

}  // namespace winadmit
