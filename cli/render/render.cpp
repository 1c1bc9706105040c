#include "cli/render/render.hpp"

#include <stdlib.h>

#include <chrono>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bytes/error.hpp"
#include "bytes/files.hpp"
#include "cli/render/kustomization.hpp"
#include "cli/render/program.hpp"
#include "manifests/read_manifests.hpp"

namespace winadmit::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kMaxTime{60};

/// A chart or a kustomization that would fetch something fails instead: Go's HTTP client goes
/// through a proxy that is not there, and git may use no protocol.
const std::vector<std::string> kNoNetwork = {"HTTP_PROXY=http://127.0.0.1:1",
                                             "HTTPS_PROXY=http://127.0.0.1:1",
                                             "http_proxy=http://127.0.0.1:1",
                                             "https_proxy=http://127.0.0.1:1",
                                             "NO_PROXY=",
                                             "no_proxy=",
                                             "GIT_ALLOW_PROTOCOL=none"};

/// Is removed with all that is in it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = (fs::temp_directory_path() / "winadmit-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw Error("cannot make the folder " + name);
    path_ = fs::canonical(name);  // paths from here lead through parents
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
  }

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

class Rendering {
 public:
  Rendering(const SourceFolder& source, const RenderHandler& to, const manifests::Limits& limits)
      : source_(source), to_(to), limits_(limits) {}

  void run(const RenderEntry& set) {
    write_file(text_file(), source_.is_chart ? helm(set) : kustomize(), Readers::owner);
    const manifests::Source text(text_file(), source_.file);
    manifests::read_manifests(
        text, {.object = to_.announce, .error = [](const manifests::FileError&) {}}, limits_);
    to_.begin_set();
    const std::string set_name = source_.sets.size() > 1 ? set.name() : "";
    const manifests::ManifestHandler handler{
        .object = [&](const manifests::Manifest& each) { pass_object(each, set_name); },
        .error =
            [&](const manifests::FileError& error) {
              fail("what " + program_ + " prints, line " + std::to_string(error.location.line) +
                   ": " + error.what);
            },
        .document = to_.document};
    manifests::read_manifests(text, handler, limits_);
  }

  void fail(const std::string& what) {
    const std::string file = manifests::display_name(source_.file);
    to_.error({.what = file + ": " + what, .location = {.file = file}});
  }

 private:
  std::string text_file() const { return (temporary_.path() / "rendered.yaml").string(); }

  void pass_object(manifests::Manifest manifest, const std::string& set_name) {
    Origin origin = source_.is_chart
                        ? origin_in_chart(manifest, source_.folder, source_.file)
                        : take_kustomize_origin(manifest, temporary_.path(), source_.file);
    origin.file = manifests::display_name(origin.file);
    origin.set = set_name;
    manifest.file = origin.file;
    to_.object(manifest, origin);
  }

  std::string values_file(const std::string& name, const RenderEntry& set) const {
    const fs::path found = find_values(source_, set, name);
    if (!found.empty()) return fs::absolute(found).string();
    throw Error("there is no file " + name + " of values, in the chart or beside .winadmit.yaml");
  }

  std::string helm(const RenderEntry& set) {
    program_ = "helm template";
    std::vector<std::string> arguments = {"helm", "template"};
    if (!set.release.empty()) arguments.push_back(set.release);
    arguments.push_back(fs::absolute(source_.folder).string());
    if (!set.name_space.empty()) arguments.push_back("--namespace=" + set.name_space);
    for (const std::string& each : set.values)
      arguments.push_back("--values=" + values_file(each, set));
    for (const std::string& each : set.set) arguments.push_back("--set=" + each);
    return run_program(std::move(arguments), kNoNetwork, kMaxTime);
  }

  /// Through an overlay, which asks for annotations that name files.
  std::string kustomize() {
    program_ = "kubectl kustomize";
    const std::string refused = find_parts(source_.file).refused;
    if (!refused.empty()) throw Error(refused);
    const fs::path folder = fs::canonical(source_.folder);
    const nlohmann::json overlay = {
        {"resources", {folder.lexically_relative(temporary_.path()).string()}},
        {"buildMetadata", {"originAnnotations", "transformerAnnotations"}}};
    write_file(temporary_.path() / "kustomization.yaml",
               overlay.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
               Readers::owner);
    const std::string here = temporary_.path().string();
    try {
      return run_program({"kubectl", "kustomize", here}, kNoNetwork, kMaxTime);
    } catch (const MissingProgram&) {
      program_ = "kustomize build";
      return run_program({"kustomize", "build", here}, kNoNetwork, kMaxTime);
    }
  }

  const SourceFolder& source_;
  const RenderHandler& to_;
  const manifests::Limits& limits_;
  TemporaryFolder temporary_;
  std::string program_;
};

}  // namespace

void render(const SourceFolder& source, const RenderHandler& to, const manifests::Limits& limits) {
  Rendering rendering(source, to, limits);
  for (const RenderEntry& set : source.sets) {
    try {
      rendering.run(set);
    } catch (const std::runtime_error& error) {
      rendering.fail(error.what());
    }
  }
}

}  // namespace winadmit::cli
