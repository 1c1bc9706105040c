// The pages that show what `winadmit check` prints: each fence `console` is run, and must give what
// is below its commands. A YAML fence below "... `FILE`:" is the content of that file.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "tests/temporary_folder.hpp"
#include "tests/test_data.hpp"

namespace winadmit {
namespace {

namespace fs = std::filesystem;

struct Fence {
  std::string language;
  std::string file;  // that the line above names
  std::string text;
};

std::string named_file(const std::string& line) {
  if (!line.ends_with("`:")) return {};
  const std::size_t begin = line.rfind('`', line.size() - 3) + 1;
  return line.substr(begin, line.size() - 2 - begin);
}

std::vector<Fence> fences(const fs::path& page) {
  std::vector<Fence> found;
  std::istringstream lines(test::read(page));
  std::string prose;
  bool is_inside = false;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("```")) {
      if (!is_inside) found.push_back({line.substr(3), named_file(prose), ""});
      is_inside = !is_inside;
    } else if (is_inside) {
      found.back().text += line + '\n';
    } else if (!line.empty()) {
      prose = line;
    }
  }
  return found;
}

/// "$ COMMAND" and its output, for each command of a fence.
std::string run_again(const std::string& console, const fs::path& folder) {
  std::string shown;
  std::istringstream lines(console);
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("$ ")) continue;
    const fs::path script = folder / ".command", out = folder / ".out";
    std::ofstream(script) << line.substr(2) << '\n';
    const std::string command = "cd " + folder.string() +
                                " && PATH=" + fs::path(test::binary()).parent_path().string() +
                                ":$PATH bash .command >.out 2>&1 </dev/null";
    [[maybe_unused]] const int status = std::system(command.c_str());
    shown += line + '\n' + test::read(out);
  }
  return shown;
}

class PageOutput : public testing::TestWithParam<std::string> {};

/// WINADMIT_UPDATE_GOLDEN=1 writes the outputs into the page.
TEST_P(PageOutput, IsWhatTheCommandsPrint) {
  const bool updates = std::getenv("WINADMIT_UPDATE_GOLDEN") != nullptr;
  const fs::path page = test::source("docs/" + GetParam() + ".md");
  std::string text = test::read(page);
  const test::TemporaryFolder folder;
  std::size_t count = 0;
  for (const Fence& each : fences(page)) {
    if (each.language == "yaml" && !each.file.empty()) folder.write(each.file, each.text);
    if (each.language != "console") continue;
    ++count;
    const std::string now = run_again(each.text, folder.path());
    if (updates) {
      text.replace(text.find(each.text), each.text.size(), now);
    } else {
      EXPECT_EQ(now, each.text);
    }
  }
  if (updates) std::ofstream(page) << text;
  EXPECT_GT(count, 0U);
}

INSTANTIATE_TEST_SUITE_P(Docs, PageOutput,
                         testing::Values("reports", "suppressions", "ci", "policies"),
                         [](const auto& each) { return each.param; });

}  // namespace
}  // namespace winadmit
