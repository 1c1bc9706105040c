#include "cli/fix/fix_rendered.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/fix/change_text.hpp"
#include "cli/render/render.hpp"
#include "cli/suppress/suppressions.hpp"
#include "manifests/read_manifests.hpp"
#include "text/json_pointer.hpp"

namespace winadmit::cli {
namespace {

class RenderedFixer {
 public:
  explicit RenderedFixer(const RenderedFixContext& context) : context_(context) {}

  RenderedFixes run(const SourceFolder& source) {
    const RenderHandler handler{
        .announce = [&](const manifests::Manifest& manifest) { announce(manifest, source.file); },
        .begin_set = [&] { suppressions_.enter_file(source.file); },
        .document =
            [&](const manifests::Document& document) { suppressions_.enter_document(document); },
        .object = [&](const manifests::Manifest& manifest,
                      const Origin& origin) { take(manifest, origin); },
        .error = context_.fail};
    render(source, handler, context_.limits);
    return std::move(made_);
  }

 private:
  void announce(const manifests::Manifest& manifest, const std::string& file) {
    const std::string why = context_.added.add(manifest);
    if (!why.empty())
      context_.fail({.what = why, .location = {.file = manifests::display_name(file)}});
  }

  void take(const manifests::Manifest& manifest, const Origin& origin) {
    Verdict verdict = context_.checker.judge(manifest, context_.project.templates);
    if (verdict.left_out > 0) context_.fail(left_out_error({.file = manifest.file}, verdict));
    for (ManifestFinding& each : verdict.findings) origin.place(each);
    suppressions_.apply(manifest, context_.project, verdict);
    const auto object = nlohmann::json::parse(json_text(manifest));
    for (const PatchOperation& each : context_.checker.fixer().fix(manifest).patch) {
      const auto of_change = [&](const ManifestFinding& finding) {
        return finding.rule == each.rule && finding.pointer == each.path;
      };
      const std::size_t found = std::erase_if(verdict.findings, of_change);
      if (!each.rule.empty() && found == 0) continue;  // it is ignored
      // What is added is for what adds to the same pod.
      const std::string pointer = each.rule.empty() ? parent_pointer(each.path) : each.path;
      ManifestFinding change{.location = {}, .object = verdict.object, .pointer = pointer};
      origin.place(change);
      made_.files.insert(change.location.file);
      report(change_text({.file = change.location.file}, object, each));
    }
    for (ManifestFinding& each : verdict.findings) {
      each.location = {.file = each.location.file};
      made_.is_unfinished |= each.is_denial;
      report(to_string(each));
    }
  }

  /// Once, also if several sets of values have it.
  void report(const std::string& line) {
    if (reported_.insert(line).second) context_.report(line);
  }

  const RenderedFixContext& context_;
  RenderedFixes made_;
  Suppressions suppressions_;
  std::set<std::string> reported_;
};

}  // namespace

RenderedFixes find_rendered_fixes(const SourceFolder& source, const RenderedFixContext& context) {
  return RenderedFixer(context).run(source);
}

}  // namespace winadmit::cli
