// One run of `winadmit check`: reads, judges, leaves out what is ignored, and reports.
#pragma once

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "cli/checkers.hpp"
#include "cli/judge/namespaces.hpp"
#include "cli/manifest_options.hpp"
#include "cli/project/project.hpp"
#include "cli/render/kustomization.hpp"
#include "cli/render/rendered_verdicts.hpp"
#include "cli/report/report.hpp"
#include "cli/report/report_files.hpp"
#include "cli/suppress/baseline.hpp"
#include "cli/suppress/fingerprint.hpp"
#include "cli/suppress/suppressions.hpp"
#include "cli/terminal/progress.hpp"
#include "manifests/location.hpp"

namespace winadmit::cli {

struct CheckOptions {
  ManifestOptions manifests;
  std::string format;
  ReportSettings report;
  std::vector<ReportFile> report_files;  // beside the report on standard output
  std::string namespaces;                // files; empty: none
  std::vector<std::string> exempt_namespaces;
  server::NamespaceModes modes;  // of the installation
  std::string baseline;
  std::string write_baseline;
  bool has_mutation = true;  // pods are placed before they are judged
  bool honours_ignores = true;
  bool fails_with_findings = true;

  /// Whether standard input is what kubectl printed: its Namespaces count for its objects. Only the
  /// command line says so, because whoever writes a manifest may add a Namespace to it.
  bool reads_listed_namespaces() const {
    return namespaces == "-" && std::ranges::find(manifests.names, "-") != manifests.names.end();
  }
};

class CheckRun {
 public:
  /// Throws std::runtime_error if the configuration or the baseline is not usable.
  explicit CheckRun(const CheckOptions& options);

  /// The exit code. Throws std::runtime_error if the baseline cannot be written.
  int run();

 private:
  /// False if the file is left out, or its .winadmit.yaml is not usable.
  bool enter_file(const ListedFile& listed);
  /// Keeps the files of the folder from a report.
  void enter_rendered(const SourceFolder& folder);
  /// Counts what the .winadmit.yaml of this file lets pass.
  void count_turned_down();
  void enter_document(const manifests::Document& document);
  void take(const manifests::Manifest& manifest);
  void take_rendered(const manifests::Manifest& manifest, const Origin& origin);
  /// What is left after what is ignored. `origin`: of a rendered object, or null.
  Verdict judge(const manifests::Manifest& manifest, ManifestChecker& checker,
                const NamespaceSettings& settings, const Origin* origin);
  void report(const Verdict& verdict, const manifests::Location& location);
  void count_patch(const std::string& where);
  /// A document that is no object: a patch may be a list of operations.
  void skip(const std::string& where);
  /// Takes what the API server adds to pods. `location`: of an error.
  void add_scheduling(const manifests::Manifest& manifest, const manifests::Location& location);
  NamespaceSettings settings_of_namespace(const manifests::Manifest& manifest);
  void leave_file();
  /// By the .winadmit.yaml of the working directory, if it can be used.
  Version release_of_rules();
  /// Keeps the file that is being read from a report. A report of an earlier run has no manifest.
  void keep_input(const manifests::Manifest& manifest);
  /// Whether nothing of the folders was left out by flags, or because it is a template.
  bool is_whole() const;
  void fail(const manifests::FileError& error);

  /// Sets the fingerprints, and removes what the baseline has.
  void compare_with_baseline(std::vector<ManifestFinding>& findings);

  /// Findings about no object.
  void report_unused_ignores(std::vector<ManifestFinding> findings);
  void print_summary();
  void write_baseline(bool is_complete) const;
  int exit_code(bool is_complete) const;

  const CheckOptions& options_;
  Checkers checkers_;
  Projects projects_;
  ProjectErrors project_errors_;
  Namespaces namespaces_;
  std::string file_;                    // that is being read
  std::set<std::string> sources_;       // what findings in it may name
  bool is_standard_input_ = false;      // and not the text of another file
  bool is_replaced_ = false;            // by a report
  const Project* project_ = nullptr;    // of this file
  ManifestChecker* checker_ = nullptr;  // of this file
  Suppressions suppressions_;
  PatchFiles patch_files_;
  std::string patched_folder_;  // a kustomization that has this file as a patch, or ""
  RenderedVerdicts rendered_;   // of the chart or the kustomization that is being read
  std::size_t fixes_left_ = 0;  // that may be suggested in this document
  Fingerprints fingerprints_;
  Baseline baseline_;
  BaselineWriter new_baseline_;
  std::optional<Reports> report_;
  Summary summary_;
  Progress progress_;
};

}  // namespace winadmit::cli
