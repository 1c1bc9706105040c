// Where the text of a list of objects has its items. Finds only what surrounds them: the parsers
// say whether a part is JSON or YAML.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace winadmit::manifests {

/// Finds where a JSON value ends, in a text that may grow.
class JsonValueEnd {
 public:
  /// `at`: where the value begins, or a part of it in so many brackets.
  explicit JsonValueEnd(std::size_t at, std::size_t depth = 0) : at_(at), depth_(depth) {}

  /// npos if it is not in the text.
  std::size_t find(std::string_view text);

 private:
  std::size_t at_;
  std::size_t depth_;
  bool is_string_ = false;
};

/// An item with what is around it.
struct ListItem {
  std::size_t size = 0;  // 0: the list has ended
  std::size_t tail = 0;  // the bytes of it that are after the item, and not of it
};

/// JSON: `{"apiVersion": "v1", "items": [` up to the first item, then each item with the comma
/// behind it, then `], "kind": "List"}`. A part ends with the line, if nothing follows there.
/// YAML: block sequences. A comment before an item, no deeper than its dash, is of the item.
class ListText {
 public:
  /// The text begins with the list. `size` becomes that of the part before the items. Nothing if
  /// there are no items in the form that is known.
  static std::optional<ListText> begin(std::string_view text, bool is_json, std::size_t& size);

  /// The next one. Nothing if the text is too short to tell, and more of it can be read. Throws
  /// ParseError.
  std::optional<ListItem> next_item(std::string_view text, bool is_end);

  /// The size of what is after the items; nothing as above.
  std::optional<std::size_t> find_size_of_rest(std::string_view text, bool is_end) const;

  /// JSON that has the members of the outer object that are in the part before or after the items,
  /// each at its offset. Throws ParseError.
  std::string as_object_before(std::string_view part) const { return std::string(part) + "]}"; }
  std::string as_object_after(std::string_view part) const;

 private:
  explicit ListText(bool is_json, std::size_t dash = 0) : is_json_(is_json), dash_(dash) {}

  std::optional<ListItem> next_json(std::string_view text, bool is_end);
  std::optional<ListItem> next_yaml(std::string_view text, bool is_end) const;

  bool is_json_;
  std::size_t dash_;         // of YAML: its column
  bool needs_item_ = false;  // of JSON: behind a comma
};

}  // namespace winadmit::manifests
