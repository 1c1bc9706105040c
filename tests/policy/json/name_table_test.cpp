#include "policy/json/name_table.hpp"

#include <gtest/gtest.h>

#include <string>

namespace winadmit {
namespace {

TEST(NameTable, FindsExactlyTheAddedNames) {
  std::vector<std::string> names;
  for (std::size_t length = 1; length <= 80; ++length) {
    // Names with the same length, first and last letter share a slot.
    for (const char middle : {'a', 'b', 'c'}) {
      std::string name(length, middle);
      name.front() = 'x';
      name.back() = length == 1 ? middle : 'y';
      names.push_back(name);
    }
  }
  names.resize(names.size() - 1);
  NameTable table;
  int added = 0;
  for (const std::string& name : names) {
    if (table.contains(name)) continue;  // there is one name of two letters
    EXPECT_EQ(table.add(name), added++);
  }
  for (std::size_t i = 0; i < table.names().size(); ++i) {
    EXPECT_EQ(table.find(table.names()[i]), static_cast<int>(i));
    EXPECT_EQ(table.add(table.names()[i]), static_cast<int>(i)) << "added twice";
    // A name that differs in one letter.
    for (std::size_t at = 0; at < table.names()[i].size(); ++at) {
      std::string other(table.names()[i]);
      other[at] = 'z';
      EXPECT_EQ(table.find(other), NameTable::kNotFound) << other;
    }
  }
  EXPECT_EQ(table.find(""), NameTable::kNotFound);
  EXPECT_EQ(table.find(std::string(81, 'a')), NameTable::kNotFound);
}

TEST(NameTable, IsEmptyAtFirst) { EXPECT_FALSE(NameTable().contains("a")); }

}  // namespace
}  // namespace winadmit
