// Files that the tests read, wherever they are run from.
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace winadmit::test {

/// A path below the root of the repository.
std::filesystem::path source(std::string_view name);

/// A path below tests/data.
std::filesystem::path data(std::string_view name);

/// The built binary winadmit.
std::string binary();

/// The static libraries of the product, separated by commas.
std::string archives();

/// The step with which a test goes through many inputs: each one, or each tenth under a sanitizer,
/// where one takes ten times as long.
std::size_t input_step();

/// Every input_step()-th of the inputs.
template <class Input>
std::vector<Input> sample(const std::vector<Input>& all) {
  std::vector<Input> some;
  for (std::size_t i = 0; i < all.size(); i += input_step()) some.push_back(all[i]);
  return some;
}

/// The whole file, or "" if it does not exist.
std::string read(const std::filesystem::path& file);

}  // namespace winadmit::test
