// JSON written while its entries are found: memory does not grow with their number.
#pragma once

#include <nlohmann/json.hpp>
#include <ostream>
#include <string>

namespace winadmit::cli {

/// ASCII only: what is not is escaped, so that no control or direction character reaches a
/// terminal, and no command the log of CI. Bytes that are not UTF-8 are replaced.
std::string to_ascii_json(const nlohmann::ordered_json& value);

/// A list whose entries are written one by one.
class JsonList {
 public:
  /// `depth`: the levels that the list is in.
  JsonList(std::ostream& out, int depth)
      : out_(out), indent_(2 * (static_cast<std::size_t>(depth) + 1), ' ') {}

  void begin() { out_ << '['; }
  void add(const nlohmann::ordered_json& entry);
  void end();

 private:
  std::ostream& out_;
  std::string indent_;
  bool is_empty_ = true;
};

/// Writes `"name": value` as a member at `depth` levels, without the comma after it.
void write_member(std::ostream& out, int depth, const std::string& name,
                  const nlohmann::ordered_json& value);

}  // namespace winadmit::cli
