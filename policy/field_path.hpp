// Where in an object a value was found: for messages, for JSON Patch, and for telling whether an
// old object had the same.
#pragma once

#include <simdjson.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace winadmit {

/// A path that grows and shrinks as a walk goes down and up. Keys are borrowed from the document.
/// It holds its steps itself: a walk makes one for every finding.
class FieldPath {
 public:
  /// More than any field that is read has: of the table's that is asserted.
  static constexpr std::size_t kMostSteps = 16;

  FieldPath() {}
  explicit FieldPath(std::initializer_list<std::string_view> members);
  FieldPath(const FieldPath& other) : FieldPath() { *this = other; }
  FieldPath& operator=(const FieldPath& other);

  /// A member that the Kubernetes API names.
  void enter(std::string_view member) { push({member, Kind::member}); }
  /// A key of a map (annotations, labels): written in brackets.
  void enter_key(std::string_view key) { push({key, Kind::key}); }
  /// An entry of a list; identity() reads its name, for which the document must still be there.
  void enter(std::size_t index, simdjson::dom::element entry) { push({index, entry}); }
  void leave() { --size_; }

  /// As the API server writes it: spec.containers[0].ports[1].protocol,
  /// metadata.annotations[a.b/c].
  std::string text() const;

  /// Whether text() is of names that the Kubernetes API gives, so that JSON wants no escape.
  bool is_plain() const;

  /// RFC 6901: /spec/containers/0/ports/1/protocol.
  std::string pointer() const;

  /// As text(), but entries of lists are called by name where they have one, so that the same
  /// container in another place is the same.
  std::string identity() const;

 private:
  enum class Kind : std::uint8_t { member, key, entry };
  /// Small, for a finding holds all of its own.
  struct Step {
    Step(std::string_view its_key, Kind its_kind) : key(its_key), kind(its_kind) {}
    Step(std::size_t its_index, simdjson::dom::element its_entry)
        : entry(its_entry), index(static_cast<std::uint32_t>(its_index)), kind(Kind::entry) {}

    union {
      std::string_view key;
      simdjson::dom::element entry;  // Kind::entry
    };
    std::uint32_t index = 0;
    Kind kind;
  };
  std::span<const Step> steps() const { return {steps_.data(), size_}; }
  void push(const Step& step) {
    if (size_ == kMostSteps) refuse();
    std::construct_at(&steps_[size_++], step);
  }
  [[noreturn]] static void refuse();
  std::string render(bool by_name) const;

  union {  // so that steps that are not entered are not made
    std::array<Step, kMostSteps> steps_;
  };
  std::size_t size_ = 0;
};

/// Enters on construction, leaves on destruction.
class Within {
 public:
  Within(FieldPath& path, std::string_view member) : path_(path) { path_.enter(member); }
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
