// A configuration with arbitrary bytes: it is accepted, or refused with bounded messages that name
// the line.
#include "config/config.hpp"
#include "tests/fuzz/properties.hpp"

namespace {

using namespace winadmit;
using namespace winadmit::fuzz;

void check_errors(std::string_view errors) {
  require(errors.size() <= 64UL * 1024, "errors are bounded");
  require(!errors.empty(), "an error has a message");
  constexpr std::string_view kStart = "fuzz.yaml:";
  require(errors.starts_with(kStart), "an error names the file");
  const std::string_view rest = errors.substr(kStart.size());
  const std::size_t digits = std::min(rest.find_first_not_of("0123456789"), rest.size());
  require(digits > 0 && rest.substr(digits).starts_with(": "), "an error names the line");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    const server::Config config =
        server::parse_config(std::string(text_of(data, size)), "fuzz.yaml");
    (void)Policy(config.policy);
  } catch (const server::ConfigError& error) {
    check_errors(error.what());
  }
  return 0;
}
