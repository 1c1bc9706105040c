#include "cli/suppress/annotation.hpp"

#include "text/json_pointer.hpp"

namespace winadmit::cli {
namespace {

class Finder {
 public:
  Finder() { path_.reserve(kUsualDepth); }

  /// Templates are objects in objects, or in lists.
  void search(JsonValue value) {
    JsonArray list;
    JsonObject object;
    if (value.get(list) == simdjson::SUCCESS) {
      std::size_t index = 0;
      for (const JsonValue entry : list) search_child(std::to_string(index++), entry);
    } else if (value.get(object) == simdjson::SUCCESS) {
      for (const auto& [key, member] : object) {
        if (key == "metadata") {
          add(member);
        } else if (key != "oldObject") {
          search_child(key, member);
        }
      }
    }
  }

  std::vector<IgnoreAnnotation> extract() { return std::move(found_); }

 private:
  void search_child(std::string_view token, JsonValue value) {
    if (!value.is_object() && !value.is_array()) return;
    path_.push_back(token);
    search(value);
    path_.pop_back();
  }

  void add(JsonValue metadata) {
    std::string_view text;
    if (metadata["annotations"][kIgnoreAnnotation].get(text) != simdjson::SUCCESS) return;
    std::string pointer;
    for (const std::string_view token : path_) pointer += '/' + escape_pointer_token(token);
    pointer += "/metadata/annotations/" + escape_pointer_token(kIgnoreAnnotation);
    found_.push_back({std::move(pointer), parse_ignored_rules(text)});
  }

  static constexpr std::size_t kUsualDepth = 16;
  std::vector<std::string_view> path_;
  std::vector<IgnoreAnnotation> found_;
};

}  // namespace

std::vector<IgnoreAnnotation> find_ignore_annotations(JsonValue object) {
  Finder finder;
  finder.search(object);
  return finder.extract();
}

}  // namespace winadmit::cli
