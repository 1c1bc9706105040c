#include "policy/json/json_pointers.hpp"

#include <cstddef>
#include <string>
#include <unordered_map>
#include <utility>

#include "text/json_pointer.hpp"

namespace winadmit {
namespace {

/// What pointers have in common, as a tree of their reference tokens.
struct Node {
  std::unordered_map<std::string, std::size_t> children;  // by token, unescaped
  std::vector<std::size_t> pointers;                      // that end here
};

class PointerTree {
 public:
  explicit PointerTree(const std::vector<std::string_view>& pointers) : found_(pointers.size()) {
    for (std::size_t i = 0; i < pointers.size(); ++i) add(pointers[i], i);
  }

  std::vector<bool> find_in(JsonObject object) {
    for (const std::size_t pointer : nodes_[0].pointers) found_[pointer] = true;
    visit_members(object, nodes_[0]);
    return found_;
  }

 private:
  void add(std::string_view pointer, std::size_t index) {
    std::size_t node = 0;
    for (std::string& token : pointer_tokens(pointer)) {
      const auto [child, is_new] =
          nodes_[node].children.try_emplace(std::move(token), nodes_.size());
      node = child->second;
      if (is_new) nodes_.emplace_back();
    }
    nodes_[node].pointers.push_back(index);
  }

  void visit(JsonValue value, std::size_t at) {
    for (const std::size_t pointer : nodes_[at].pointers) found_[pointer] = true;
    if (nodes_[at].children.empty()) return;
    if (JsonObject object; value.get(object) == simdjson::SUCCESS) {
      visit_members(object, nodes_[at]);
    } else if (JsonArray list; value.get(list) == simdjson::SUCCESS) {
      std::size_t index = 0;
      for (const JsonValue entry : list) visit_child(entry, nodes_[at], std::to_string(index++));
    }
  }

  void visit_members(JsonObject object, const Node& node) {
    for (const auto [key, member] : object) visit_child(member, node, std::string(key));
  }

  void visit_child(JsonValue value, const Node& parent, const std::string& token) {
    const auto child = parent.children.find(token);
    if (child != parent.children.end()) visit(value, child->second);
  }

  std::vector<Node> nodes_{1};
  std::vector<bool> found_;
};

}  // namespace

std::vector<bool> has_values(JsonObject object, const std::vector<std::string_view>& pointers) {
  return PointerTree(pointers).find_in(object);
}

}  // namespace winadmit
