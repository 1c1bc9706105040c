#include "manifests/to_json.hpp"

#include <fmt/format.h>
#include <simdjson.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <forward_list>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "manifests/scalar.hpp"
#include "text/json_pointer.hpp"

namespace winadmit::manifests {
namespace {

using nlohmann::json;

constexpr std::string_view kMergeTag = "tag:yaml.org,2002:merge";

using Text = fmt::memory_buffer;  // of JSON

void append(Text& to, std::string_view text) { to.append(text.data(), text.data() + text.size()); }

/// ASCII that JSON has as it is. Others are left to nlohmann_json.
constexpr auto kIsPlain = [] {
  std::array<bool, 256> plain{};
  for (std::size_t c = ' '; c < 0x7F; ++c) plain[c] = c != '"' && c != '\\';
  return plain;
}();

void append_string(Text& to, std::string_view text) {
  const auto is_plain = [](char c) { return kIsPlain[static_cast<unsigned char>(c)]; };
  if (!std::ranges::all_of(text, is_plain)) return append(to, json(text).dump());
  const std::size_t begin = to.size();
  to.resize(begin + text.size() + 2);
  char* const out = to.data() + begin;
  *out = '"';
  *std::ranges::copy(text, out + 1).out = '"';
}

void append_value(Text& to, const json& value) {
  if (value.is_number_unsigned()) {
    const fmt::format_int digits(value.get<std::uint64_t>());
    append(to, {digits.data(), digits.size()});
  } else {
    append(to, value.dump());
  }
}

/// Whether the node is a string as it is.
bool is_string(const Node& node) {
  return node.kind == Node::Kind::scalar && !node.has_tag &&
         (!node.is_resolved || is_string_without_quotes(node.text));
}

/// What is decoded, as go-yaml counts it: the nodes, those that aliases stand for each time, and
/// those that are merged at each level. Merge keys do not count.
class DecodeCount {
 public:
  /// Throws ParseError if too much is in aliases (gopkg.in/yaml.v2, decoder.unmarshal).
  void add(const Node& node, bool is_in_alias) {
    constexpr std::size_t kFewInAliases = 100, kFew = 1000;
    ++all_;
    if (is_in_alias) ++in_aliases_;
    if (in_aliases_ <= kFewInAliases || all_ <= kFew) return;
    if (static_cast<double>(in_aliases_) > allowed_ratio() * static_cast<double>(all_))
      throw ParseError(node.begin, "has excessive aliasing, which kubectl refuses");
  }

 private:
  double allowed_ratio() const {
    constexpr double kSmall = 400'000, kLarge = 4'000'000, kOfSmall = 0.99, kOfLarge = 0.10;
    const double share = (static_cast<double>(all_) - kSmall) / (kLarge - kSmall);
    return kOfSmall - (kOfSmall - kOfLarge) * std::clamp(share, 0.0, 1.0);
  }

  std::size_t all_ = 1;  // the document
  std::size_t in_aliases_ = 0;
};

class Converter {
 public:
  Converter(const Document& document, const Limits& limits)
      : document_(document),
        limits_(limits),
        alias_values_(ValueCount::of_aliases(limits)),
        alias_bytes_left_(limits.size_of_aliases()) {}

  void convert(NodeId id, Text& to, std::size_t depth = 0) {
    const Node& node = document_[id];
    decodes_.add(node, aliases_ > 0);
    if (aliases_ > 0 && node.kind != Node::Kind::alias) alias_values_.add(node.begin);
    switch (node.kind) {
      case Node::Kind::alias:
        return expand(id, to, depth);
      case Node::Kind::mapping:
        return mapping(id, to, depth);
      case Node::Kind::sequence:
        return sequence(id, to, depth);
      default:
        return scalar(id, to);
    }
  }

 private:
  using Members = std::map<std::string, std::string, std::less<>>;  // values as JSON

  [[noreturn]] void fail(NodeId id, const std::string& what) const {
    throw ParseError(document_[id].begin, what);
  }

  [[noreturn]] void fail_duplicate(NodeId key, std::string_view name) const {
    fail(key, fmt::format("duplicate key '{}'", name));
  }

  // What aliases stand for is counted here. The parser has counted the rest.

  void count_key(NodeId key, std::string_view text) {
    const bool is_alias = document_[key].kind == Node::Kind::alias;
    decodes_.add(document_[key], aliases_ > 0);
    if (is_alias) decodes_.add(document_[key], true);
    if (aliases_ == 0 && !is_alias) return;
    alias_values_.add(document_[key].begin);
    count_alias_bytes(key, text);
  }

  void count_alias_bytes(NodeId id, std::string_view text) {
    if (text.size() > alias_bytes_left_) {
      throw LimitError(document_[id].begin,
                       fmt::format("has aliases for more than {} bytes{}",
                                   limits_.size_of_aliases(), limits_.hint("--max-alias-size")));
    }
    alias_bytes_left_ -= text.size();
  }

  /// Depth is what the value is in.
  void check_depth(NodeId id, std::size_t depth) const {
    if (depth >= limits_.depth) throw too_deep(document_[id].begin, limits_);
  }

  void expand(NodeId alias, Text& to, std::size_t depth) {
    ++aliases_;
    convert(document_[alias].first, to, depth);
    --aliases_;
  }

  void sequence(NodeId id, Text& to, std::size_t depth) {
    check_depth(id, depth);
    to.push_back('[');
    for (NodeId each = document_[id].first; each != kNoNode; each = document_[each].next) {
      if (each != document_[id].first) to.push_back(',');
      convert(each, to, depth + 1);
    }
    to.push_back(']');
  }

  void scalar(NodeId id, Text& to) {
    const Node& node = document_[id];
    if (aliases_ > 0) count_alias_bytes(id, node.text);
    if (is_string(node)) return append_string(to, node.text);
    try {
      append_value(to, resolve_scalar(document_.tag_of(id), node.text));
    } catch (const std::runtime_error& error) {
      fail(id, error.what());
    }
  }

  void mapping(NodeId id, Text& to, std::size_t depth) {
    check_depth(id, depth);
    if (has_merge(id)) {
      Members members;
      add_members(id, depth, members);
      append_members(members, to);
      return;
    }
    const std::size_t first = names_.size();
    to.push_back('{');
    for (NodeId key = document_[id].first; key != kNoNode;) {
      const NodeId value = document_[key].next;
      names_.push_back({name_of(key), key});
      count_key(key, names_.back().text);
      if (names_.size() > first + 1) to.push_back(',');
      append_string(to, names_.back().text);
      to.push_back(':');
      convert(value, to, depth + 1);
      key = document_[value].next;
    }
    to.push_back('}');
    check_duplicates(std::span(names_).subspan(first));
    names_.resize(first);
  }

  bool has_merge(NodeId mapping) const {
    for (NodeId key = document_[mapping].first; key != kNoNode;) {
      if (is_merge(document_, key)) return true;
      key = document_[document_[key].next].next;
    }
    return false;
  }

  /// A name in the mappings that this is in.
  struct Name {
    std::string_view text;
    NodeId key = kNoNode;
    auto operator<=>(const Name&) const = default;
  };

  /// Valid as long as the converter.
  std::string_view name_of(NodeId key) {
    const Node& node = document_[document_.resolved(key)];
    return is_string(node) ? node.text : kept_names_.emplace_front(key_text(document_, key));
  }

  void check_duplicates(std::span<Name> names) const {
    std::ranges::sort(names);
    const auto found = std::ranges::adjacent_find(names, {}, &Name::text);
    if (found != names.end()) fail_duplicate(found[1].key, found->text);
  }

  static void append_members(const Members& members, Text& to) {
    char separator = '{';
    for (const auto& [name, text] : members) {
      to.push_back(separator);
      append_string(to, name);
      to.push_back(':');
      append(to, text);
      separator = ',';
    }
    append(to, members.empty() ? "{}" : "}");
  }

  /// Of a mapping that may have merged members. Replaces members that are there already, as
  /// go-yaml does.
  void add_members(NodeId id, std::size_t depth, Members& to) {
    std::set<std::string, std::less<>> own;
    for (NodeId key = document_[id].first; key != kNoNode;) {
      const NodeId value = document_[key].next;
      if (is_merge(document_, key)) {
        merge(value, depth, to);
      } else {
        std::string name = key_text(document_, key);
        count_key(key, name);
        if (!own.insert(name).second) fail_duplicate(key, name);
        Text text;
        convert(value, text, depth + 1);
        to.insert_or_assign(std::move(name), fmt::to_string(text));
      }
      key = document_[value].next;
    }
  }

  /// Of a list, the first mapping wins. The members are at the depth of those of `into`.
  void merge(NodeId from, std::size_t depth, Members& into) {
    const Node& node = document_[document_.resolved(from)];
    if (node.kind == Node::Kind::mapping) {
      merge_mapping(from, depth, into);
      return;
    }
    if (document_[from].kind != Node::Kind::sequence) fail_merge(from);
    std::vector<NodeId> mappings;
    for (NodeId each = node.first; each != kNoNode; each = document_[each].next)
      mappings.push_back(each);
    for (auto each = mappings.rbegin(); each != mappings.rend(); ++each) {
      if (document_[document_.resolved(*each)].kind != Node::Kind::mapping) fail_merge(*each);
      merge_mapping(*each, depth, into);
    }
  }

  [[noreturn]] void fail_merge(NodeId from) const {
    fail(from, "<< must be a mapping or a list of mappings");
  }

  void merge_mapping(NodeId from, std::size_t depth, Members& into) {
    // Bounds the recursion: merged mappings may merge others.
    if (merges_ >= limits_.depth) throw too_deep(document_[from].begin, limits_);
    const int is_alias = document_[from].kind == Node::Kind::alias ? 1 : 0;
    decodes_.add(document_[from], aliases_ > 0);
    ++merges_;
    aliases_ += is_alias;
    if (is_alias != 0) decodes_.add(document_[from], true);
    if (aliases_ > 0) alias_values_.add(document_[from].begin);
    add_members(document_.resolved(from), depth, into);
    aliases_ -= is_alias;
    --merges_;
  }

  const Document& document_;
  const Limits& limits_;
  DecodeCount decodes_;
  ValueCount alias_values_;
  std::size_t alias_bytes_left_;
  int aliases_ = 0;          // that this is in
  std::size_t merges_ = 0;   // the same
  std::vector<Name> names_;  // of the mappings that this is in
  std::forward_list<std::string> kept_names_;
};

/// The search for a member in a mapping, and in those that are merged into it.
class MemberSearch {
 public:
  struct Found {
    NodeId key = kNoNode;
    NodeId value = kNoNode;
  };

  MemberSearch(const Document& document, std::string_view name)
      : document_(document), name_(name) {}

  /// The last one wins, as in to_json().
  Found find_in(NodeId mapping) {
    Found found;
    for (NodeId each = document_[mapping].first; each != kNoNode;) {
      const NodeId value = document_[each].next;
      if (is_merge(document_, each)) {
        const Found merged = find_merged(document_.resolved(value));
        if (merged.value != kNoNode) found = merged;
      } else if (key_text(document_, each) == name_) {
        found = {each, value};
      }
      each = document_[value].next;
    }
    return found;
  }

 private:
  Found find_merged(NodeId from) {
    if (document_[from].kind == Node::Kind::mapping) return find_in_merged(from);
    if (document_[from].kind != Node::Kind::sequence) return {};
    for (NodeId each = document_[from].first; each != kNoNode; each = document_[each].next) {
      const Found found = find_in_merged(document_.resolved(each));
      if (found.value != kNoNode) return found;
    }
    return {};
  }

  /// Merged mappings may be merged again, each twice as often as the one before.
  Found find_in_merged(NodeId mapping) {
    const auto known = merged_.find(mapping);
    if (known != merged_.end()) return known->second;
    return merged_[mapping] = find_in(mapping);
  }

  const Document& document_;
  std::string_view name_;
  std::map<NodeId, Found> merged_;
};

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
  if (node.kind != Node::Kind::scalar) {
    // The brackets of a template are a mapping whose key is a mapping.
    const std::size_t begin = document[key].begin;
    const std::string_view near = document.text().substr(begin - std::min<std::size_t>(begin, 1));
    if (near.substr(0, 3).find(kTemplateMark) != near.npos) throw template_error(begin);
    throw ParseError(begin, "a key must be a scalar");
  }
  if (is_string(node)) return std::string(node.text);
  try {
    return resolve_key(document.tag_of(id), node.text);
  } catch (const std::runtime_error& error) {
    throw ParseError(document[key].begin, error.what());
  }
}

NodeId find_member(const Document& document, NodeId mapping, std::string_view name, NodeId* key) {
  const auto [found_key, value] = MemberSearch(document, name).find_in(mapping);
  if (key != nullptr && value != kNoNode) *key = found_key;
  return value;
}

NodeId find_child(const Document& document, NodeId node, const std::string& token, NodeId* key) {
  if (document[node].kind == Node::Kind::mapping) return find_member(document, node, token, key);
  if (document[node].kind != Node::Kind::sequence) return kNoNode;
  std::optional<std::size_t> index = parse_pointer_index(token);
  if (!index) return kNoNode;
  NodeId entry = document[node].first;
  for (; entry != kNoNode && *index > 0; --*index) entry = document[entry].next;
  return entry;
}

std::string to_json_text(const Document& document, NodeId node, const Limits& limits) {
  Text text;
  Converter(document, limits).convert(node, text);
  std::string json;
  json.reserve(text.size() + simdjson::SIMDJSON_PADDING);  // for whoever parses it
  json.append(text.data(), text.size());
  return json;
}

json to_json(const Document& document, NodeId node, const Limits& limits) {
  return json::parse(to_json_text(document, node, limits));
}

}  // namespace winadmit::manifests
