#include "manifests/to_json.hpp"

#include <charconv>
#include <set>
#include <string>
#include <utility>

#include "manifests/scalar.hpp"

namespace winadmit::manifests {
namespace {

using nlohmann::json;

constexpr std::string_view kMergeTag = "tag:yaml.org,2002:merge";

class Converter {
 public:
  Converter(const Document& document, const Limits& limits)
      : document_(document), values_left_(limits.values()), bytes_left_(limits.document_size) {}

  json convert(NodeId id, int depth = 0) {
    const Node& node = document_[id];
    if (depth > kMaxDepth) fail(id, "nested too deeply");
    if (values_left_-- == 0) fail(id, "has too many values");
    switch (node.kind) {
      case Node::Kind::alias:
        return expand(id, depth);
      case Node::Kind::mapping:
        return mapping(id, depth);
      case Node::Kind::sequence: {
        json list = json::array();
        for (NodeId each = node.first; each != kNoNode; each = document_[each].next)
          list.push_back(convert(each, depth + 1));
        return list;
      }
      default:
        return scalar(id);
    }
  }

 private:
  [[noreturn]] void fail(NodeId id, const std::string& what) const {
    throw ParseError(document_[id].begin, what);
  }

  json expand(NodeId alias, int depth) {
    ++aliases_;
    json value = convert(document_[alias].first, depth);
    --aliases_;
    return value;
  }

  json scalar(NodeId id) {
    const Node& node = document_[id];
    if (aliases_ > 0) {
      if (node.text.size() > bytes_left_) fail(id, "is too large with its aliases");
      bytes_left_ -= node.text.size();
    }
    if (!node.is_resolved && !node.has_tag) return node.text;  // quoted, or a block
    try {
      return resolve_scalar(document_.tag_of(id), node.text);
    } catch (const std::runtime_error& error) {
      fail(id, error.what());
    }
  }

  json mapping(NodeId id, int depth) {
    json::object_t members;
    std::set<std::string, std::less<>> own;  // filled if there are merged members, too
    bool has_merged = false;
    for (NodeId key = document_[id].first; key != kNoNode;) {
      const NodeId value = document_[key].next;
      if (is_merge(document_, key)) {
        if (!has_merged)
          for (const auto& [name, member] : members) own.insert(name);
        has_merged = true;
        merge(members, value, depth);
      } else {
        std::string name = key_text(document_, key);
        const bool is_new = has_merged ? own.insert(name).second : !members.contains(name);
        if (!is_new) fail(key, "duplicate key '" + name + "'");
        members.insert_or_assign(std::move(name), convert(value, depth + 1));
      }
      key = document_[value].next;
    }
    return members;
  }

  /// As go-yaml: replaces members that are there already. Of a list, the first mapping wins.
  void merge(json::object_t& into, NodeId from, int depth) {
    const Node& node = document_[document_.resolved(from)];
    if (node.kind == Node::Kind::mapping) {
      merge_mapping(into, from, depth);
      return;
    }
    if (document_[from].kind != Node::Kind::sequence) fail_merge(from);
    std::vector<NodeId> mappings;
    for (NodeId each = node.first; each != kNoNode; each = document_[each].next)
      mappings.push_back(each);
    for (auto each = mappings.rbegin(); each != mappings.rend(); ++each) {
      if (document_[document_.resolved(*each)].kind != Node::Kind::mapping) fail_merge(*each);
      merge_mapping(into, *each, depth);
    }
  }

  [[noreturn]] void fail_merge(NodeId from) const {
    fail(from, "<< must be a mapping or a list of mappings");
  }

  void merge_mapping(json::object_t& into, NodeId from, int depth) {
    json more = convert(from, depth + 1);
    for (auto& [name, member] : more.get_ref<json::object_t&>())
      into.insert_or_assign(name, std::move(member));
  }

  const Document& document_;
  std::size_t values_left_;
  std::size_t bytes_left_;  // for the scalars of aliases
  int aliases_ = 0;         // that this is in
};

/// Of the merged mappings, the one that has the member.
NodeId find_merged(const Document& document, NodeId merged, std::string_view name, NodeId* key) {
  const NodeId from = document.resolved(merged);
  if (document[from].kind == Node::Kind::mapping) return find_member(document, from, name, key);
  if (document[from].kind != Node::Kind::sequence) return kNoNode;
  for (NodeId each = document[from].first; each != kNoNode; each = document[each].next) {
    const NodeId found = find_member(document, document.resolved(each), name, key);
    if (found != kNoNode) return found;
  }
  return kNoNode;
}

}  // namespace

bool is_merge(const Document& document, NodeId key) {
  const Node& node = document[key];
  if (node.kind != Node::Kind::scalar || node.text != "<<") return false;
  if (!node.has_tag) return node.is_resolved;
  const std::string_view tag = document.tag_of(key);
  return tag == kMergeTag || tag == "!";  // as go-yaml
}

std::string key_text(const Document& document, NodeId key) {
  const NodeId id = document.resolved(key);
  const Node& node = document[id];
  if (node.kind != Node::Kind::scalar)
    throw ParseError(document[key].begin, "a key must be a scalar");
  if (!node.is_resolved && !node.has_tag) return std::string(node.text);
  try {
    return resolve_key(document.tag_of(id), node.text);
  } catch (const std::runtime_error& error) {
    throw ParseError(document[key].begin, error.what());
  }
}

NodeId find_member(const Document& document, NodeId mapping, std::string_view name, NodeId* key) {
  // The last one wins, as in to_json().
  NodeId found = kNoNode;
  for (NodeId each = document[mapping].first; each != kNoNode;) {
    const NodeId value = document[each].next;
    if (is_merge(document, each)) {
      const NodeId merged = find_merged(document, value, name, key);
      if (merged != kNoNode) found = merged;
    } else if (key_text(document, each) == name) {
      if (key != nullptr) *key = each;
      found = value;
    }
    each = document[value].next;
  }
  return found;
}

NodeId find_child(const Document& document, NodeId node, const std::string& token, NodeId* key) {
  if (document[node].kind == Node::Kind::mapping) return find_member(document, node, token, key);
  if (document[node].kind != Node::Kind::sequence) return kNoNode;
  std::size_t index = 0;
  const auto [end, error] = std::from_chars(token.data(), token.data() + token.size(), index);
  if (error != std::errc{}) return kNoNode;
  NodeId entry = document[node].first;
  for (; entry != kNoNode && index > 0; --index) entry = document[entry].next;
  return entry;
}

json to_json(const Document& document, NodeId node, const Limits& limits) {
  return Converter(document, limits).convert(node);
}

}  // namespace winadmit::manifests
