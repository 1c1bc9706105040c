// The path of a field in an object: for messages, for JSON Patch, and to find the same field in an
// older object.
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

/// A path that follows a walk over a document. Borrows keys and entries from the document.
class FieldPath {
 public:
  /// Enough for every field that is read. The compiler checks this for the rule table.
  static constexpr std::size_t kMaxSteps = 16;

  FieldPath() = default;
  explicit FieldPath(std::initializer_list<std::string_view> members);

  // These add a step to the path. They throw std::length_error if it has kMaxSteps already.

  /// A field of the Kubernetes API.
  void enter(std::string_view member) { push(Kind::member).key = member; }
  /// A key of a map (annotations, labels), written in brackets.
  void enter_key(std::string_view key) { push(Kind::key).key = key; }
  /// An entry of a list. add_identity() reads its name.
  void enter(std::size_t index, simdjson::dom::element entry) {
    Step& step = push(Kind::entry);
    step.index = static_cast<std::uint32_t>(index);
    step.entry = entry;
    step.has_identity = false;
  }

  /// Removes the last step. There must be one.
  void leave() { --size_; }

  /// As the API server writes it: spec.containers[0].ports[1].protocol,
  /// metadata.annotations[a.b/c]. Long keys of maps are truncated.
  std::string to_string() const;

  /// RFC 6901: /spec/containers/0/ports/1/protocol.
  std::string json_pointer() const;

  /// Adds the path to a hash. An entry of a list counts by its name if it has one, so that a
  /// container keeps its identity when it moves.
  void add_identity(Hasher& hash) const;

 private:
  enum class Kind : std::uint8_t { member, key, entry };
  struct Step {
    Kind kind = Kind::member;
    std::uint32_t index = 0;
    std::string_view key;
    simdjson::dom::element entry = {};
    // Of an entry; computed once, because an entry may have many findings.
    bool has_identity = false;
    std::uint64_t identity = 0;
  };
  std::span<const Step> steps() const { return {steps_.data(), size_}; }
  Step& push(Kind kind) {
    if (size_ == kMaxSteps) throw_too_deep();
    Step& step = steps_[size_++];
    step.kind = kind;
    return step;
  }
  [[noreturn]] static void throw_too_deep();

  mutable std::array<Step, kMaxSteps> steps_;  // mutable: add_identity() caches `identity`
  std::size_t size_ = 0;
};

/// A key of a map, for ScopedStep.
struct MapKey {
  std::string_view text;
};

/// Enters a step on construction and leaves it on destruction.
class ScopedStep {
 public:
  ScopedStep(FieldPath& path, std::string_view member) : path_(path) { path_.enter(member); }
  ScopedStep(FieldPath& path, MapKey key) : path_(path) { path_.enter_key(key.text); }
  ScopedStep(FieldPath& path, std::size_t index, simdjson::dom::element entry) : path_(path) {
    path_.enter(index, entry);
  }
  ~ScopedStep() { path_.leave(); }
  ScopedStep(const ScopedStep&) = delete;
  ScopedStep& operator=(const ScopedStep&) = delete;

 private:
  FieldPath& path_;
};

}  // namespace winadmit
