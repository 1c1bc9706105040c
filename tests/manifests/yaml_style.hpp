// Writes objects as people write YAML: with their own indentation, quotes, brackets and comments.
#pragma once

#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

namespace winadmit::test {

/// A comment on its own line, and the JSON Pointer of the collection that it is in. One behind a
/// scalar in brackets: the JSON Pointer of the scalar, which is alone in its line.
struct Comment {
  std::string text;
  std::string in;
  bool is_behind = false;
};

/// One document in a random style.
class StyledYaml {
 public:
  StyledYaml(const nlohmann::json& object, std::mt19937& random);

  const std::string& text() const { return text_; }
  const std::vector<Comment>& comments() const { return comments_; }

 private:
  void write_members(const nlohmann::json& object, std::size_t column, const std::string& at,
                     bool is_behind_dash);
  void write_entries(const nlohmann::json& list, std::size_t column, const std::string& at);
  void write_value(const nlohmann::json& value, std::size_t column, const std::string& at);
  void write_comment(std::size_t column, const std::string& at);
  void write_line_comment();
  std::string flow(const nlohmann::json& value, std::size_t column, const std::string& at);
  std::string flow_lines(const nlohmann::json& value, std::size_t column, const std::string& at);
  std::string scalar(const nlohmann::json& value, bool is_in_flow);
  bool chance(unsigned percent) { return random_() % 100 < percent; }

  std::mt19937& random_;
  std::string line_end_;
  std::size_t step_;
  std::size_t list_indent_;
  unsigned flow_percent_;
  unsigned comment_percent_;
  std::string text_;
  std::vector<Comment> comments_;
};

}  // namespace winadmit::test
