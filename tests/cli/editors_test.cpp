// What docs/editors.md says.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <regex>
#include <sstream>

#include "tests/cli/check_in_folder.hpp"
#include "tests/test_data.hpp"

namespace winadmit {
namespace {

class Editors : public test::CheckInFolder {};

TEST_F(Editors, FindThePlacesOfFindingsAndOfWhatCannotBeReadByThePatternOfThePage) {
  const std::string page = test::read(test::source("docs/editors.md"));
  const std::size_t begin = page.find("{\n  \"version\"");
  ASSERT_NE(begin, std::string::npos);
  const auto tasks = nlohmann::json::parse(page.substr(begin, page.find("\n```", begin) - begin));
  const nlohmann::json& pattern = tasks.at("tasks").at(0).at("problemMatcher").at("pattern");
  const std::regex expression(pattern.at("regexp").get<std::string>());

  write("a.yaml", pod("a"));
  write("b.yaml", "apiVersion: v1\nkind: Pod\nkind: Pod\n");
  const auto checked = check("-q .");
  std::vector<std::string> places;
  std::istringstream lines(checked.out + checked.err);
  for (std::string line; std::getline(lines, line);) {
    std::smatch match;
    ASSERT_TRUE(std::regex_match(line, match, expression)) << line;
    std::string place;
    for (const char* part : {"file", "line", "column", "severity"})
      place += match[pattern.at(part).get<std::size_t>()].str() + ' ';
    places.push_back(place);
  }
  EXPECT_EQ(places, (std::vector<std::string>{"a.yaml 6 3 error ", "b.yaml 3 1 error "}));
}

}  // namespace
}  // namespace winadmit
