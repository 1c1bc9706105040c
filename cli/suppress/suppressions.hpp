// Decides which findings are ignored, and reports what ignores nothing.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "cli/judge/verdict.hpp"
#include "cli/project/project.hpp"
#include "cli/suppress/comments.hpp"

namespace winadmit::cli {

class Suppressions {
 public:
  /// Before the objects of a file.
  void enter_file(const std::string& file);

  /// Before the objects of a document: reads its comments.
  void enter_document(const manifests::Document& document);

  /// Removes the findings that are ignored, and adds a warning for each annotation that ignores
  /// nothing. Returns how many were removed.
  std::size_t apply(const manifests::Manifest& manifest, const Project& project, Verdict& verdict);

  /// After the objects of a file: a warning for each comment that ignored nothing.
  std::vector<ManifestFinding> leave_file();

  /// After all files: a warning for each entry of a .winadmit.yaml that ignored nothing. Its whole
  /// folder must be among the folders that were `checked`; `recursive`: with the folders in them.
  std::vector<ManifestFinding> unused_entries(const std::vector<std::string>& checked,
                                              bool recursive) const;

 private:
  void forget_comments();
  bool is_ignored_by_comment(const ManifestFinding& finding);
  bool is_ignored_by(const Project& project, const ManifestFinding& finding);

  /// One rule in a comment.
  struct Comment {
    std::string rule;
    int line;
    int column;
    bool is_used = false;
  };
  std::string file_;
  std::vector<Comment> comments_;                                     // in the order of the file
  std::multimap<std::pair<int, std::string>, std::size_t> by_field_;  // by applies_to and rule
  std::map<int, std::string> lines_;                                  // those with comments
  std::map<const Project*, std::vector<bool>> used_entries_;          // by index in Project::ignore
};

}  // namespace winadmit::cli
