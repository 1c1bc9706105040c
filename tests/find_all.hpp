// Search in the text of a file by a regular expression.
#pragma once

#include <regex>
#include <string>
#include <vector>

namespace winadmit::test {

/// The first group of each match. `^` and `$` are the ends of lines.
inline std::vector<std::string> find_all(const std::string& text, const std::string& pattern) {
  const std::regex regex(pattern, std::regex::multiline);
  std::vector<std::string> found;
  for (std::sregex_iterator each(text.begin(), text.end(), regex), end; each != end; ++each)
    found.push_back((*each)[1]);
  return found;
}

}  // namespace winadmit::test
