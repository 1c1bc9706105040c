// A file of manifests with arbitrary bytes: it is read, or refused with bounded lines that name the
// place. What fix would change in it is edited in its text, or the document is left.
#include "cli/fix/fix_file.hpp"
#include "manifests/location.hpp"
#include "tests/fuzz/memory_file.hpp"

namespace {

using namespace winadmit;
using namespace winadmit::fuzz;

cli::ManifestChecker make_checker(bool sets_os) {
  server::Config config;
  config.policy.set_os = sets_os;
  return {config, Os::windows};
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static cli::ManifestChecker placing = make_checker(false), setting_os = make_checker(true);
  static const cli::Project kNoProject;
  cli::AddedScheduling added;
  const std::string_view text = text_of(data, size);
  const std::string& file = file_of(text);
  const manifests::Limits limits{.document_size = std::size_t{64} << 10U};
  for (cli::ManifestChecker* const checker : {&placing, &setting_os}) {
    const auto expect_place = [&](const std::string& line) {
      require(line.starts_with(file + ':') || line.starts_with("cannot read " + file),
              "a line names the file");
    };
    const cli::FixedFile fixed = cli::fix_file(
        file, {.checker = *checker,
               .project = kNoProject,
               .added = added,
               .limits = limits,
               .must_be_manifest = true,
               .honours_ignores = true,
               .change = expect_place,
               .report = expect_place,
               .fail = [&](const manifests::FileError& error) { expect_place(to_string(error)); }});
    require(fixed.edits.empty() || fixed.edited() != fixed.text, "an edit changes the text");
    if (!fixed.has_errors && text.find('\0') == std::string_view::npos)
      require(fixed.text == text, "nothing of the text is lost");
  }
  return 0;
}
