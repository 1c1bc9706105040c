// `winadmit export policy`. One golden file has the export for the newest release, so that a change
// of a rule shows once. The other has how the rest differs from it: objects made like another one,
// the releases before, and settings that the default does not have.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "policy/rules/version.hpp"
#include "tests/cli/binary.hpp"
#include "tests/text.hpp"

namespace winadmit {
namespace {

using test::contains;
using Lines = std::vector<std::string>;

struct Document {
  std::string name;  // with the kind
  Lines lines;
};

/// The comments at the start, and the objects.
std::vector<Document> read_documents(const std::string& exported) {
  std::vector<Document> documents{{.name = "comments", .lines = {}}};
  std::istringstream in(exported);
  std::string kind;
  for (std::string line; std::getline(in, line);) {
    const bool is_comment = documents.size() == 1 && line.starts_with('#');
    if (line == "---" || (documents.size() == 1 && !is_comment)) documents.emplace_back();
    Document& last = documents.back();
    if (line.starts_with("kind: ")) kind = line.substr(6);
    if (last.name.empty() && line.starts_with("  name: ")) last.name = kind + line.substr(7);
    last.lines.push_back(line);
  }
  return documents;
}

const Lines* find_lines(const std::vector<Document>& documents, const std::string& name) {
  const auto found = std::ranges::find(documents, name, &Document::name);
  return found == documents.end() ? nullptr : &found->lines;
}

/// Without separators, and the annotation that says what the export is made from.
Lines lines_only_in(const Lines& one, const Lines& other) {
  std::multiset<std::string> left(other.begin(), other.end());
  Lines only;
  for (const std::string& line : one) {
    if (const auto found = left.find(line); found != left.end()) {
      left.erase(found);
    } else if (line != "---" && !contains(line, "winadmit.dev/exported-from")) {
      only.push_back(line);
    }
  }
  return only;
}

/// "" if they have the same lines.
std::string difference(const std::string& title, const Lines& before, const Lines& after) {
  std::string text;
  for (const std::string& line : lines_only_in(before, after)) text += "-" + line + "\n";
  for (const std::string& line : lines_only_in(after, before)) text += "+" + line + "\n";
  return text.empty() ? text : "@@ " + title + "\n" + text;
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  const std::size_t at = text.find(from);
  return at == text.npos ? text : text.replace(at, from.size(), to);
}

/// The object that one is made like, or "".
std::string model_of(const std::string& name) {
  for (const char* end : {"-default-windows", "-default-linux"}) {
    if (name.ends_with(end)) return replaced(name, end, "");
  }
  return contains(name, " winadmit-unchanged") ? replaced(name, "unchanged", "denials") : "";
}

/// A line without what an object about unchanged findings says otherwise: whether the finding is in
/// the old object, and the other findings of a refusal.
std::string of_either_findings(const std::string& line) {
  const std::size_t text = line.find_first_not_of(' ');
  const std::string rest = text == line.npos ? line : line.substr(text);
  return replaced(rest.starts_with('!') ? rest.substr(1) : rest, " + variables.otherFindings", "");
}

class ExportPolicy : public test::Binary {
 protected:
  /// Compares with a file of tests/data/policies. WINADMIT_UPDATE_GOLDEN=1 writes it.
  static void expect_golden(const std::string& name, const std::string& text) {
    const auto file = test::data("policies/" + name);
    if (std::getenv("WINADMIT_UPDATE_GOLDEN") != nullptr) std::ofstream(file) << text;
    EXPECT_EQ(test::read(file), text);
  }

  std::vector<Document> exported(const std::string& flags = "") const {
    const auto result = run("export policy " + flags);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return read_documents(result.out);
  }
};

class PoliciesGolden : public ExportPolicy {};

TEST_F(PoliciesGolden, HasTheNewestRelease) {
  std::string text;
  for (const Document& each : exported()) {
    if (!model_of(each.name).empty()) continue;
    for (const std::string& line : each.lines) text += line + "\n";
  }
  expect_golden("newest.yaml", text);
}

/// What differs between two exports, in objects that are not made like another one.
std::string differences(const std::string& title, const std::vector<Document>& before,
                        const std::vector<Document>& after) {
  std::string text;
  for (const Document& each : before) {
    if (find_lines(after, each.name) == nullptr)
      text += "@@ " + title + " lacks " + each.name + "\n";
  }
  for (const Document& each : after) {
    if (!model_of(each.name).empty()) continue;
    const Lines* old = find_lines(before, each.name);
    text += old == nullptr ? "@@ " + title + " adds " + each.name + "\n"
                           : difference(title + ", " + each.name, *old, each.lines);
  }
  return text;
}

TEST_F(PoliciesGolden, HasWhatDiffersFromTheNewestRelease) {
  std::string text;
  const auto newest = exported();
  for (const Document& each : newest) {
    const std::string model = model_of(each.name);
    if (model.empty()) continue;
    const Lines* found = find_lines(newest, model);
    ASSERT_NE(found, nullptr) << model;
    Lines before = *found, after = each.lines;
    if (contains(each.name, "-unchanged") && contains(model, "-denials")) {
      std::ranges::transform(before, before.begin(), of_either_findings);
      std::ranges::transform(after, after.begin(), of_either_findings);
    }
    text += difference(each.name + " like " + model, before, after);
  }
  auto before = exported("--kubernetes-version 1.30");
  for (Version release{1, 31}; release <= kNewestVersion; ++release.minor) {
    const auto after = exported("--kubernetes-version " + to_string(release));
    text += differences(to_string(release), before, after);
    before = after;
  }
  const std::string config = "--config " + test::data("policies/every-setting.config").string();
  const auto placement = exported("--only mutating");
  text += differences("every setting", placement, exported("--only mutating " + config));
  text += differences("platform eks", placement, exported("--only mutating --platform eks"));
  expect_golden("differences.diff", text);
}

TEST_F(ExportPolicy, SaysWhatTheApiServerNeeds) {
  EXPECT_NE(run("export policy --kubernetes-version 1.34")
                .out.find("--runtime-config=admissionregistration.k8s.io/v1beta1=true"),
            std::string::npos);
  EXPECT_NE(run("export policy --kubernetes-version 1.31").out.find("nothing places pods"),
            std::string::npos);
  EXPECT_EQ(run("export policy").out.find("feature-gates"), std::string::npos);
}

TEST_F(ExportPolicy, PrintsOneKindOnRequest) {
  const std::string validating = run("export policy --only validating").out;
  EXPECT_EQ(validating.find("kind: MutatingAdmissionPolicy"), std::string::npos);
  const std::string mutating = run("export policy --only mutating").out;
  EXPECT_EQ(mutating.find("kind: ValidatingAdmissionPolicy"), std::string::npos);
}

TEST_F(ExportPolicy, LeavesOutNamespacesOnRequest) {
  const auto result = run("export policy --exempt-namespace legacy --exempt-namespace other");
  EXPECT_NE(result.out.find("- legacy"), std::string::npos);
  EXPECT_NE(result.out.find(R"(\"exemptNamespaces\":[\"kube-system\",\"legacy\",\"other\"])"),
            std::string::npos);
  const auto wrong = run("export policy --exempt-namespace a/b");
  EXPECT_EQ(wrong.exit_code, 2);
  EXPECT_NE(wrong.err.find("'a/b' is not the name of a namespace"), std::string::npos) << wrong.err;
}

TEST_F(ExportPolicy, TakesADefaultOs) {
  const std::string exported = run("export policy --default-os windows").out;
  const auto file = write("c.yaml", "defaultOs: windows\n");
  EXPECT_EQ(run("export policy --config " + file).out, exported);
  EXPECT_NE(exported, run("export policy").out);
}

TEST_F(ExportPolicy, RefusesReleasesWithoutThePolicies) {
  const auto old = run("export policy --kubernetes-version 1.29");
  EXPECT_EQ(old.exit_code, 2);
  EXPECT_NE(old.err.find("1.30"), std::string::npos) << old.err;
  const auto mutating = run("export policy --only mutating --kubernetes-version 1.31");
  EXPECT_EQ(mutating.exit_code, 2);
  EXPECT_NE(mutating.err.find("1.32"), std::string::npos) << mutating.err;
}

TEST_F(ExportPolicy, ReportsWhatCelCannotSay) {
  const auto report = run("export policy --report");
  EXPECT_EQ(report.exit_code, 0);
  EXPECT_NE(report.out.find("mount-drive: "), std::string::npos) << report.out;
  EXPECT_EQ(run("export policy --report -o yaml").exit_code, 2);
  EXPECT_EQ(run("export policy -o yaml").out, run("export policy").out);
  EXPECT_NE(report.out.find("advice: it is left out: advice-os-hint, "), std::string::npos)
      << report.out;
  const auto json = run("export policy --report -o json");
  EXPECT_NE(json.out.find("\"what\": \"mount-drive\""), std::string::npos) << json.out;
}

TEST_F(ExportPolicy, ReportsTheKeysOfTheConfigurationThatItLeavesOut) {
  const auto file =
      write("c.yaml",
            "setOs: true\nrules: {read-only-root-filesystem: strip, advice-arch: deny}\n"
            "exempt: {byAnnotation: true, findings: [{rule: host-pid, reason: r}]}\n");
  const auto report = run("export policy --report --config " + file);
  EXPECT_NE(report.out.find("setOs: "), std::string::npos) << report.out;
  EXPECT_NE(report.out.find("exempt.byAnnotation: "), std::string::npos) << report.out;
  EXPECT_NE(report.out.find("exempt.findings: "), std::string::npos) << report.out;
  EXPECT_NE(report.out.find("rules.read-only-root-filesystem: "), std::string::npos) << report.out;
  EXPECT_NE(report.out.find("rules.advice-arch: "), std::string::npos) << report.out;
}

}  // namespace
}  // namespace winadmit
