#include "manifests/edit.hpp"

#include <algorithm>
#include <charconv>
#include <unordered_map>
#include <utility>

#include "manifests/editor.hpp"
#include "manifests/parse.hpp"
#include "manifests/to_json.hpp"

namespace winadmit::manifests {
namespace {

using nlohmann::json;

constexpr const char* kShared = "this is shared with another place by an alias or a merge key";

/// The entries of lists that changes lead through: a list may have an entry for each of many
/// changes.
class Entries {
 public:
  explicit Entries(const Document& document) : document_(document) {}

  /// As find_child().
  NodeId find(NodeId node, const std::string& token, NodeId* key) {
    if (document_[node].kind != Node::Kind::sequence)
      return find_child(document_, node, token, key);
    const auto [known, is_new] = lists_.try_emplace(node);
    std::vector<NodeId>& entries = known->second;
    for (NodeId each = is_new ? document_[node].first : kNoNode; each != kNoNode;
         each = document_[each].next)
      entries.push_back(each);
    std::size_t index = 0;
    const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
    return error == std::errc{} && index < entries.size() ? entries[index] : kNoNode;
  }

 private:
  const Document& document_;
  std::unordered_map<NodeId, std::vector<NodeId>> lists_;
};

/// Finds the fields of changes, and notes where an alias, an anchor or a merge key is on the way.
class Finder {
 public:
  Finder(const Document& document, Entries& entries, NodeId root)
      : document_(document), entries_(entries), node_(root) {
    enter();
  }

  /// False if there is no such child.
  bool descend(const std::string& token) {
    NodeId key = kNoNode;
    const NodeId child = entries_.find(node_, token, &key);
    if (child == kNoNode) return false;
    if (key != kNoNode && !is_inside(key)) shared_ = key;  // merged
    key_ = key;
    value_ = child;
    node_ = child;
    enter();
    return true;
  }

  NodeId node() const { return node_; }    // without aliases
  NodeId value() const { return value_; }  // maybe an alias
  NodeId key() const { return key_; }
  NodeId shared() const { return shared_; }

 private:
  void enter() {
    if (document_[node_].kind == Node::Kind::alias || document_[node_].has_anchor) shared_ = node_;
    node_ = document_.resolved(node_);
  }

  bool is_inside(NodeId key) const {
    return document_[key].begin >= document_[node_].begin &&
           document_[key].end <= document_[node_].end;
  }

  const Document& document_;
  Entries& entries_;
  NodeId node_;
  NodeId value_ = kNoNode;
  NodeId key_ = kNoNode;
  NodeId shared_ = kNoNode;
};

class Plan {
 public:
  Plan(const Document& document, std::string_view next_mark)
      : document_(document), entries_(document), editor_(document, next_mark) {}

  void add(const FieldChange& change) {
    json::json_pointer pointer(change.pointer);
    const std::string last = pointer.back();
    pointer.pop_back();
    Finder finder(document_, entries_, change.root);
    for (const std::string& token : tokens_of(pointer)) {
      if (!finder.descend(token)) refuse(finder);
    }
    const NodeId parent = finder.node();
    if (at_ == kNoNode) at_ = parent;
    const bool exists = last != "-" && finder.descend(last);
    if (finder.shared() != kNoNode) shared_ = finder.shared();
    if (!change.value) {
      if (!exists || finder.key() == kNoNode) refuse(finder);
      editor_.remove(finder.key());
    } else if (exists) {
      if (finder.key() == kNoNode) refuse(finder);
      editor_.replace(finder.value(), *change.value);
    } else {
      const bool is_list = document_[parent].kind == Node::Kind::sequence;
      if (is_list != (last == "-")) refuse(finder);
      editor_.add(parent, is_list ? std::string() : last, *change.value);
    }
  }

  std::vector<TextEdit> finish() { return editor_.finish(); }

  /// Why the edited text is not what is wanted.
  [[noreturn]] void refuse_result() const {
    if (shared_ != kNoNode) throw EditError(document_[shared_].begin, kShared);
    refuse_edit(document_[at_].begin);
  }

 private:
  [[noreturn]] void refuse(const Finder& finder) const {
    refuse_edit(document_[finder.node()].begin);
  }

  const Document& document_;
  Entries entries_;
  Editor editor_;
  NodeId at_ = kNoNode;
  NodeId shared_ = kNoNode;
};

bool reads_as(const std::string& text, const std::vector<json>& wanted, const Limits& limits) {
  try {
    Document document(text);
    parse(document, limits);
    if (document.roots().size() != wanted.size()) return false;
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      if (to_json(document, document.roots()[i], limits) != wanted[i]) return false;
    }
    return true;
  } catch (const ParseError&) {
    return false;
  }
}

}  // namespace

void refuse_edit(std::size_t offset, const std::string& why) {
  throw EditError(offset, "this cannot be edited in place" + (why.empty() ? why : ": " + why));
}

std::vector<TextEdit> edit(const Document& document, const std::vector<FieldChange>& changes,
                           const std::vector<json>& wanted, const Limits& limits,
                           std::string_view next_mark) {
  if (changes.empty()) return {};
  Plan plan(document, next_mark);
  for (const FieldChange& each : changes) plan.add(each);
  std::vector<TextEdit> edits = plan.finish();
  // What is added does not count as input.
  Limits larger = limits;
  larger.document_size *= 2;
  if (!reads_as(apply_edits(document.text(), edits), wanted, larger)) plan.refuse_result();
  return edits;
}

}  // namespace winadmit::manifests
