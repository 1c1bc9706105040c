// Fixes the objects of one file in its text.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "cli/judge/added_scheduling.hpp"
#include "cli/judge/manifest_checker.hpp"
#include "cli/project/project.hpp"
#include "manifests/input.hpp"
#include "manifests/location.hpp"
#include "manifests/text_edit.hpp"

namespace winadmit::cli {

/// A file and the edits that fix it.
struct FixedFile {
  std::string name;
  std::string text = {};                        // of the file
  std::vector<manifests::TextEdit> edits = {};  // in order
  std::size_t objects = 0;
  bool has_empty_list = false;
  bool has_errors = false;        // a part cannot be read, or not be judged as a whole
  bool adds_tolerations = false;  // to a pod that has no sign of another platform
  bool is_unfinished = false;     // a finding that denies is left, or a document cannot be edited

  /// A part of the text, and the first of the edits in it or after it.
  struct Part {
    std::size_t begin = 0;
    std::size_t first_edit = 0;
    bool is_json = false;
  };
  std::vector<Part> parts = {};

  std::string edited() const { return manifests::apply_edits(text, edits); }
  std::string edited_part(std::size_t index) const;
};

/// What a file is fixed with.
struct FixContext {
  ManifestChecker& checker;
  const Project& project;  // of the file
  AddedScheduling& added;  // of the checker
  const manifests::Limits& limits;
  bool must_be_manifest;  // false if other documents than objects stay as they are
  bool honours_ignores;   // comments, annotations and entries of .winadmit.yaml
  /// Gets a line for each change.
  std::function<void(const std::string&)> change;
  /// Gets a line for each finding that is left and not ignored, and each document that cannot be
  /// edited.
  std::function<void(const std::string&)> report;
  /// Gets each part that cannot be read, or not be judged as a whole.
  std::function<void(const manifests::FileError&)> fail;
};

FixedFile fix_file(const manifests::Source& source, const FixContext& context);

}  // namespace winadmit::cli
