#include "cli/suppress/suppressions.hpp"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "cli/judge/check_advice.hpp"
#include "cli/judge/rule_ids.hpp"
#include "cli/suppress/annotation.hpp"
#include "manifests/location.hpp"
#include "manifests/read_manifests.hpp"
#include "text/similar.hpp"

namespace winadmit::cli {
namespace {

namespace fs = std::filesystem;

/// How many findings about one comment repeat its line. One with thousands of rules has more.
constexpr int kMaxTimesShown = 100;

ManifestFinding warning(manifests::Location location, std::string reason, std::string instead) {
  return {.location = std::move(location),
          .object = {},
          .reason = std::move(reason),
          .instead = std::move(instead),
          .rule = std::string(kUnusedIgnore)};
}

/// The rule that the text begins with, if more follows without the marks of the annotation.
std::string rule_before_other_text(const std::string& text) {
  std::string first = text.substr(0, text.find_first_of(" \t,"));
  return first.size() < text.size() && is_rule_id(first) ? first : std::string();
}

/// `suggests`: also a similar rule.
ManifestFinding unused(manifests::Location location, const std::string& rule,
                       bool suggests = true) {
  std::string instead(check_advice_kind(kUnusedIgnore).instead);
  if (rule.empty()) return warning(std::move(location), "names no rule", std::move(instead));
  if (is_rule_id(rule))
    return warning(std::move(location), "ignores " + rule + ", which is not found here", instead);
  const std::string first = rule_before_other_text(rule);
  const std::string_view similar = suggests ? find_similar(rule, rule_ids()) : std::string_view();
  if (!first.empty()) {
    instead = "write '" + first + ": reason', and ; between rules";
  } else if (!similar.empty()) {
    instead = "did you mean " + std::string(similar) + '?';
  }
  return warning(std::move(location), "ignores '" + rule + "', which is not the id of a rule",
                 std::move(instead));
}

/// The annotations of one object, and which of their entries ignored something.
class ObjectAnnotations {
 public:
  explicit ObjectAnnotations(JsonValue object) {
    for (const IgnoreAnnotation& annotation : find_ignore_annotations(object)) {
      for (const IgnoredRule& rule : annotation.rules) {
        entries_[rule.rule].emplace(annotation.pointer, false);
      }
    }
  }

  bool ignore(const ManifestFinding& finding) {
    bool is_ignored = false;
    const auto entries = entries_.find(finding.rule);
    if (entries == entries_.end()) return false;
    for (auto& [pointer, is_used] : entries->second) {
      if (!is_for(pointer, finding)) continue;
      is_used = is_ignored = true;
    }
    return is_ignored;
  }

  void add_unused(const manifests::Manifest& manifest, Verdict& verdict) const {
    constexpr std::size_t kMaxSuggestions = 100;  // each compares the text with all rules
    manifests::Locator locator(manifest);
    std::size_t found = 0;
    for (const auto& [rule, pointers] : entries_) {
      for (const auto& [pointer, is_used] : pointers) {
        if (is_used) continue;
        const bool suggests = ++found <= kMaxSuggestions;
        verdict.findings.push_back(
            unused_at(unused(locator.at(pointer), rule, suggests), pointer, verdict));
      }
    }
  }

 private:
  static ManifestFinding unused_at(ManifestFinding finding, const std::string& pointer,
                                   const Verdict& verdict) {
    finding.object = verdict.object;
    finding.field = "metadata.annotations[" + std::string(kIgnoreAnnotation) + ']';
    finding.pointer = pointer;
    return finding;
  }

  /// An annotation of a pod template is for what is in the template.
  static bool is_for(const std::string& pointer, const ManifestFinding& finding) {
    const std::string holder = pointer.substr(0, pointer.rfind("/metadata/annotations/"));
    return finding.pointer == holder || finding.pointer.starts_with(holder + '/');
  }

  // By rule and pointer of the annotation: whether it has ignored something.
  std::map<std::string, std::map<std::string, bool>> entries_;
};

/// Hidden folders, such as .git, do not count. `-R` does not follow links.
bool has_folder_in_it(const fs::path& folder) {
  std::error_code error;
  return std::ranges::any_of(fs::directory_iterator(folder, error), [](const auto& entry) {
    std::error_code unknown;
    return fs::is_directory(entry.symlink_status(unknown)) &&
           !entry.path().filename().string().starts_with('.');
  });
}

/// Whether the files of the folder, and of the folders in it, are among those that are checked.
bool contains_all_of(const fs::path& folder, const std::vector<std::string>& checked,
                     bool recursive) {
  if (!recursive && has_folder_in_it(folder)) return false;
  return std::ranges::any_of(checked, [&](const std::string& name) {
    std::error_code error;
    if (name == "-" || !fs::is_directory(name, error)) return false;
    const fs::path relative = folder.lexically_relative(fs::absolute(name).lexically_normal());
    if (!recursive) return relative == ".";
    return !relative.empty() && *relative.begin() != "..";
  });
}

}  // namespace

void Suppressions::enter_file(const std::string& file) {
  file_ = manifests::display_name(file);
  forget_comments();
}

void Suppressions::forget_comments() {
  comments_.clear();
  by_field_.clear();
  lines_.clear();
}

void Suppressions::enter_document(const manifests::Document& document) {
  for (const IgnoreComment& each : find_ignore_comments(document)) {
    by_field_.emplace(std::pair(each.applies_to, each.rule), comments_.size());
    const bool is_long = each.text.size() > manifests::kMaxLineLength;
    lines_.try_emplace(each.line, is_long ? std::string_view() : each.text);
    comments_.push_back({.rule = each.rule, .line = each.line, .column = each.column});
  }
}

bool Suppressions::is_ignored_by_comment(const ManifestFinding& finding) {
  bool is_ignored = false;
  auto [each, end] = by_field_.equal_range({finding.location.line, finding.rule});
  for (; each != end; ++each) {
    comments_[each->second].is_used = true;
    is_ignored = true;
  }
  return is_ignored;
}

bool Suppressions::is_ignored_by(const Project& project, const ManifestFinding& finding) {
  std::vector<bool>& used = used_entries_.at(&project);
  bool is_ignored = false;
  for (std::size_t i = 0; i < project.ignore.size(); ++i) {
    if (!project.ignore[i].matches(finding, project.folder)) continue;
    used[i] = true;
    is_ignored = true;
  }
  return is_ignored;
}

std::size_t Suppressions::apply(const manifests::Manifest& manifest, const Project& project,
                                Verdict& verdict) {
  used_entries_[&project].resize(project.ignore.size());
  ObjectAnnotations annotations(manifest.object);
  const std::size_t ignored = std::erase_if(verdict.findings, [&](const ManifestFinding& finding) {
    // All three are asked, so that each counts as used.
    const bool by_annotation = annotations.ignore(finding);
    const bool by_comment = is_ignored_by_comment(finding);
    const bool by_project = is_ignored_by(project, finding);
    return by_annotation || by_comment || by_project;
  });
  // An object that is not judged has no findings, so no annotation of it can be used.
  if (verdict.is_judged) annotations.add_unused(manifest, verdict);
  return ignored;
}

std::vector<ManifestFinding> Suppressions::leave_file() {
  std::vector<ManifestFinding> findings;
  std::map<int, int> shown;  // how often, by line
  for (const Comment& each : comments_) {
    if (each.is_used) continue;
    const bool shows_line = ++shown[each.line] <= kMaxTimesShown;
    manifests::Location location{.file = file_,
                                 .line = each.line,
                                 .column = each.column,
                                 .text = shows_line ? lines_.at(each.line) : std::string()};
    findings.push_back(unused(std::move(location), each.rule));
  }
  forget_comments();
  return findings;
}

std::vector<ManifestFinding> Suppressions::unused_entries(const std::vector<std::string>& checked,
                                                          bool recursive) const {
  std::vector<ManifestFinding> findings;
  for (const auto& [project, used] : used_entries_) {
    if (std::ranges::find(used, false) == used.end()) continue;
    if (!contains_all_of(project->folder, checked, recursive)) continue;
    for (std::size_t i = 0; i < used.size(); ++i) {
      if (used[i]) continue;
      findings.push_back(
          unused({.file = project->file, .line = project->ignore[i].line, .column = 1},
                 project->ignore[i].rule));
    }
  }
  std::ranges::sort(findings, {}, [](const ManifestFinding& each) {
    return std::pair(each.location.file, each.location.line);
  });
  return findings;
}

}  // namespace winadmit::cli
