// Where in an object a value was found: for messages, for JSON Patch, and for telling whether an
// old object had the same.
#pragma once

#include <simdjson.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>

namespace winadmit {

class Hasher;

/// A path that grows and shrinks as a walk goes down and up. Keys are borrowed from the document.
class FieldPath {
 public:
  /// More than any field that is read has: of the table's that is asserted.
  static constexpr std::size_t kMaxSteps = 16;

  FieldPath() = default;
  explicit FieldPath(std::initializer_list<std::string_view> members);

  /// A member that the Kubernetes API names.
  void enter(std::string_view member) { push(Kind::member).key = member; }
  /// A key of a map (annotations, labels): written in brackets.
  void enter_key(std::string_view key) { push(Kind::key).key = key; }
  /// An entry of a list; add_identity() reads its name, for which the document must still be there.
  void enter(std::size_t index, simdjson::dom::element entry) {
    Step& step = push(Kind::entry);
    step.index = static_cast<std::uint32_t>(index);
    step.entry = entry;
    step.identity_is_known = false;
  }
  void leave() { --size_; }

  /// As the API server writes it: spec.containers[0].ports[1].protocol,
  /// metadata.annotations[a.b/c]. Long keys of maps are cut.
  std::string to_string() const;

  /// RFC 6901: /spec/containers/0/ports/1/protocol.
  std::string json_pointer() const;

  /// Adds the path to a hash. Entries of lists count by name where they have one, so that the same
  /// container in another place is the same.
  void add_identity(Hasher& hash) const;

 private:
  enum class Kind : std::uint8_t { member, key, entry };
  struct Step {
    Kind kind = Kind::member;
    std::uint32_t index = 0;
    std::string_view key;
    simdjson::dom::element entry = {};
    // Of an entry, once it was asked for: one look a step, however many findings are below it.
    bool identity_is_known = false;
    std::uint64_t identity = 0;
  };
  std::span<const Step> steps() const { return {steps_.data(), size_}; }
  Step& push(Kind kind) {
    if (size_ == kMaxSteps) refuse();
    Step& step = steps_[size_++];
    step.kind = kind;
    return step;
  }
  [[noreturn]] static void refuse();

  mutable std::array<Step, kMaxSteps> steps_;  // mutable: `identity` is made when it is wanted
  std::size_t size_ = 0;
};

/// Enters on construction, leaves on destruction.
class ScopedStep {
 public:
  ScopedStep(FieldPath& path, std::string_view member) : path_(path) { path_.enter(member); }
  ScopedStep(FieldPath& path, std::size_t index, simdjson::dom::element entry) : path_(path) {
    path_.enter(index, entry);
  }
  ~ScopedStep() { path_.leave(); }
  ScopedStep(const ScopedStep&) = delete;
  ScopedStep& operator=(const ScopedStep&) = delete;

 private:
  FieldPath& path_;
};

/// One reference token of a JSON Pointer: '~' and '/' escaped.
std::string escape_pointer_token(std::string_view token);

}  // namespace winadmit
