#include "manifests/edit.hpp"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "manifests/editor.hpp"
#include "manifests/list_entries.hpp"
#include "manifests/parse.hpp"
#include "manifests/to_json.hpp"
#include "text/json_pointer.hpp"

namespace winadmit::manifests {
namespace {

using nlohmann::json;

constexpr const char* kShared = "this is shared with another place by an alias or a merge key";

using NodeSet = std::unordered_set<NodeId>;

/// What aliases stand for.
NodeSet find_aliased(const Document& document) {
  NodeSet aliased;
  for (NodeId id = 0; id < document.size(); ++id) {
    if (document[id].kind == Node::Kind::alias) aliased.insert(document[id].first);
  }
  return aliased;
}

/// Finds the fields of changes, and notes where an alias, a node with one or a merge key is on the
/// way.
class Finder {
 public:
  Finder(const Document& document, const NodeSet& aliased, ListEntries& entries, NodeId root)
      : document_(document), aliased_(aliased), entries_(entries), node_(root) {
    enter();
  }

  /// False if there is no such child.
  bool descend(const std::string& token) {
    NodeId key = kNoNode;
    const NodeId child = entries_.find_child(node_, token, &key);
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
    if (document_[node_].kind == Node::Kind::alias || aliased_.contains(node_)) shared_ = node_;
    node_ = document_.resolved(node_);
  }

  bool is_inside(NodeId key) const {
    return document_[key].begin >= document_[node_].begin &&
           document_[key].end <= document_[node_].end;
  }

  const Document& document_;
  const NodeSet& aliased_;
  ListEntries& entries_;
  NodeId node_;
  NodeId value_ = kNoNode;
  NodeId key_ = kNoNode;
  NodeId shared_ = kNoNode;
};

class Plan {
 public:
  explicit Plan(const Document& document)
      : document_(document),
        aliased_(find_aliased(document)),
        entries_(document),
        editor_(document) {}

  void add(const FieldChange& change) {
    const std::string last = last_pointer_token(change.pointer);
    Finder finder(document_, aliased_, entries_, change.root);
    for (const std::string& token : pointer_tokens(parent_pointer(change.pointer))) {
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
  NodeSet aliased_;
  ListEntries entries_;
  Editor editor_;
  NodeId at_ = kNoNode;
  NodeId shared_ = kNoNode;
};

bool reads_as(const std::string& text, std::size_t tail, const std::vector<json>& wanted,
              const Limits& limits) {
  try {
    Document document(text, {}, tail);
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
                           const std::vector<json>& wanted, const Limits& limits) {
  if (changes.empty()) return {};
  Plan plan(document);
  for (const FieldChange& each : changes) plan.add(each);
  std::vector<TextEdit> edits = plan.finish();
  if (!reads_as(apply_edits(document.text(), edits), document.tail(), wanted, limits.for_edited()))
    plan.refuse_result();
  return edits;
}

}  // namespace winadmit::manifests
