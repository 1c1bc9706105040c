#include "cli/check_run.hpp"

#include <algorithm>
#include <iostream>
#include <set>
#include <string>
#include <utility>

#include "bytes/error.hpp"
#include "cli/added_scheduling_files.hpp"
#include "cli/commands.hpp"
#include "cli/fix/suggest_fixes.hpp"
#include "cli/project/turned_down.hpp"
#include "cli/terminal/error_line.hpp"
#include "manifests/read_manifests.hpp"
#include "text/printable.hpp"

namespace winadmit::cli {

CheckRun::CheckRun(const CheckOptions& options)
    : options_(options),
      checkers_(options.manifests, options.has_mutation ? ManifestChecker::Mutation::assumed
                                                        : ManifestChecker::Mutation::none),
      projects_(options.manifests.reads_projects),
      namespaces_(options.modes),
      new_baseline_(options.write_baseline) {
  ReportSettings settings = options.report;
  // One report describes the rules, whatever other folders say.
  settings.kubernetes = release_of_rules();
  report_.emplace(options.format, std::cout, options.report_files, settings);
  for (const std::string& file : {options.namespaces, options.baseline, options.write_baseline,
                                  options.manifests.policy.config}) {
    if (!file.empty() && report_->replaces(file))
      throw Error("--report-file would overwrite " + file + ", which this run uses");
  }
  if (!options.namespaces.empty() && !options.reads_listed_namespaces())
    namespaces_.load(options.namespaces, options.manifests.limits);
  if (!options.baseline.empty()) baseline_ = Baseline(options.baseline);
}

Version CheckRun::release_of_rules() {
  try {
    return checkers_.config_of(projects_.of("-")).policy.kubernetes;
  } catch (const ProjectError&) {
    // enter_file() reports it, if it is for a file that is checked.
    return checkers_.config_of(Project()).policy.kubernetes;
  }
}

int CheckRun::run() {
  report_->begin();
  summary_.may_render = !options_.manifests.untrusted;
  const bool is_read = options_.manifests.visit(
      {.list =
           [this](const std::vector<ListedFile>& files) {
             read_added_scheduling(files, options_.manifests, projects_,
                                   checkers_.added_scheduling());
           },
       .enter_file = [this](const ListedFile& file) { return enter_file(file); },
       .enter_document = [this](const manifests::Document& document) { enter_document(document); },
       .object = [this](const manifests::Manifest& manifest) { take(manifest); },
       .leave_file = [this] { leave_file(); },
       .error = [this](const manifests::FileError& error) { fail(error); },
       .skip = [this](const std::string& where) { skip(where); },
       .skip_template =
           [this](const std::string& where) { summary_.skipped_templates.push_back(where); },
       .skip_chart =
           [this](const std::string& folder) { summary_.skipped_charts.push_back(folder); },
       .skip_kustomization =
           [this](const std::string& folder) { summary_.kustomizations.push_back(folder); },
       .rendered = {.announce =
                        [this](const manifests::Manifest& manifest) {
                          add_scheduling(manifest, {.file = file_});
                        },
                    .begin_set =
                        [this] {
                          suppressions_.enter_file(file_);
                          rendered_.begin_set();
                        },
                    .document =
                        [this](const manifests::Document& document) { enter_document(document); },
                    .object = [this](const manifests::Manifest& manifest,
                                     const Origin& origin) { take_rendered(manifest, origin); },
                    .error = {}}});
  const bool is_complete = is_read && summary_.errors.empty();
  if (is_complete && is_whole())
    report_unused_ignores(
        suppressions_.unused_entries(options_.manifests.names, options_.manifests.recursive));
  if (!is_complete) summary_.gone_from_baseline = 0;  // they may be where it could not be read
  report_->end(summary_);
  std::cout.flush();
  print_summary();
  const std::string unwritten = report_->write_files();
  write_baseline(is_complete);
  if (!unwritten.empty()) throw Error(unwritten);
  return exit_code(is_complete);
}

bool CheckRun::enter_file(const ListedFile& listed) {
  const std::string& file = listed.source.name;
  try {
    project_ = &projects_.of(file);
    if (options_.manifests.excludes(listed, *project_)) {
      ++summary_.excluded;
      return false;
    }
    checker_ = &checkers_.of(*project_);
    count_turned_down();
  } catch (const ProjectError& error) {
    for (const std::string& line : project_errors_.new_lines(error))
      fail({.what = line, .location = {.file = error.file}});
    return false;
  }
  progress_.add_file();
  is_replaced_ = report_->replaces(file);
  file_ = manifests::display_name(file);
  sources_ = {file_};
  if (listed.rendered) enter_rendered(*listed.rendered);
  is_standard_input_ = file == "-";
  patched_folder_ = is_standard_input_ ? "" : patch_files_.find_kustomization_of(file);
  if (options_.honours_ignores) suppressions_.enter_file(file);
  return true;
}

void CheckRun::enter_rendered(const SourceFolder& folder) {
  sources_ = find_source_files(folder);
  for (const std::string& each : sources_) {
    if (!report_->replaces(each)) continue;
    report_->keep(each);
    fail({.what = "--report-file would overwrite this file, which is rendered",
          .location = {.file = manifests::display_name(each)}});
  }
}

void CheckRun::count_turned_down() {
  if (!project_->policy || !options_.manifests.policy.config.empty()) return;
  std::set<std::string> rules = turned_down_rules(*project_->policy);
  if (!rules.empty()) summary_.turned_down.try_emplace(project_->file, std::move(rules));
}

bool CheckRun::is_whole() const {
  return options_.manifests.exclude.empty() && summary_.skipped_charts.empty() &&
         summary_.skipped_templates.empty();
}

void CheckRun::enter_document(const manifests::Document& document) {
  fixes_left_ = kMaxFixes;
  if (options_.honours_ignores) suppressions_.enter_document(document);
}

void CheckRun::keep_input(const manifests::Manifest& manifest) {
  is_replaced_ = false;
  report_->keep(file_);
  fail({.what = "--report-file would overwrite this file, which has manifests",
        .location = manifests::location_of(manifest)});
}

void CheckRun::add_scheduling(const manifests::Manifest& manifest,
                              const manifests::Location& location) {
  const std::string why = checkers_.added_scheduling().add(manifest);
  if (!why.empty()) fail({.what = why, .location = location});
}

NamespaceSettings CheckRun::settings_of_namespace(const manifests::Manifest& manifest) {
  const std::string name = Subject(manifest).name().name_space;
  NamespaceSettings settings;
  if (is_standard_input_ && options_.reads_listed_namespaces()) {
    if (!namespaces_.add_listed(manifest)) {
      fail({.what = "the objects before this Namespace were judged without its labels: let kubectl "
                    "print namespaces first, as in kubectl get namespaces,pods",
            .location = manifests::location_of(manifest)});
    }
    settings = namespaces_.of_listed_object(name);
  } else {
    settings = namespaces_.of_object(name);
  }
  const auto& exempt = options_.exempt_namespaces;
  if (checker_->exempts(name) || std::ranges::find(exempt, name) != exempt.end())
    settings.mode = std::nullopt;
  if (!settings.default_os && checkers_.added_scheduling().defaults_to_windows(name))
    settings.default_os = Os::windows;
  return settings;
}

Verdict CheckRun::judge(const manifests::Manifest& manifest, ManifestChecker& checker,
                        const NamespaceSettings& settings, const Origin* origin) {
  Verdict verdict = checker.judge(manifest, project_->templates);
  // What is found in a patch holds. Without a denial, it may make one with what it is for.
  const bool is_of_kustomization =
      !patched_folder_.empty() && Subject(manifest).pod_kind() != nullptr;
  verdict.is_patch = (verdict.is_patch || is_of_kustomization) &&
                     std::ranges::none_of(verdict.findings, &ManifestFinding::is_denial);
  if (origin != nullptr) {
    for (ManifestFinding& each : verdict.findings) origin->place(each);
  }
  std::size_t ignored = 0;
  if (options_.honours_ignores) ignored = suppressions_.apply(manifest, *project_, verdict);
  apply(settings, verdict);
  if (!verdict.is_excluded) summary_.ignored += ignored;
  return verdict;
}

void CheckRun::take(const manifests::Manifest& manifest) {
  if (is_replaced_) keep_input(manifest);
  progress_.add_object();
  add_scheduling(manifest, manifests::location_of(manifest));
  const NamespaceSettings settings = settings_of_namespace(manifest);
  ManifestChecker& checker = checkers_.of(*project_, settings.default_os);
  Verdict verdict = judge(manifest, checker, settings, nullptr);
  if (verdict.is_patch) count_patch(to_string(manifests::location_of(manifest)));
  compare_with_baseline(verdict.findings);
  if (report_->wants_fixes() && fixes_left_ > 0 && !verdict.findings.empty() &&
      may_have_fixes(manifest)) {
    suggest_fixes(manifest, checker.fixer().fix(manifest).patch, options_.manifests.limits,
                  fixes_left_, verdict.findings);
  }
  report(verdict, manifests::location_of(manifest));
}

void CheckRun::take_rendered(const manifests::Manifest& manifest, const Origin& origin) {
  progress_.add_object();
  const NamespaceSettings settings = settings_of_namespace(manifest);
  Verdict verdict =
      judge(manifest, checkers_.of(*project_, settings.default_os), settings, &origin);
  rendered_.add(manifest, std::move(verdict));
}

void CheckRun::report(const Verdict& verdict, const manifests::Location& location) {
  summary_.add(verdict);
  if (!verdict.findings.empty()) progress_.clear();
  for (const ManifestFinding& each : verdict.findings) report_->finding(each);
  if (verdict.left_out > 0) fail(left_out_error(location, verdict));
  if (report_->wants_objects()) report_->object({.location = location, .verdict = verdict});
}

void CheckRun::count_patch(const std::string& where) {
  summary_.patches.push_back(where);
  if (summary_.patched_folder.empty()) summary_.patched_folder = patched_folder_;
}

void CheckRun::skip(const std::string& where) {
  if (patched_folder_.empty()) return summary_.skipped.push_back(where);
  count_patch(where);
}

void CheckRun::leave_file() {
  std::vector<RenderedVerdict> rendered = rendered_.take();
  for (RenderedVerdict& each : rendered) {
    compare_with_baseline(each.verdict.findings);
    report(each.verdict, each.location);
  }
  // A comment in a template may be used with other values.
  std::vector<ManifestFinding> unused = suppressions_.leave_file();
  if (rendered.empty()) report_unused_ignores(std::move(unused));
  for (const std::string& each : sources_)
    summary_.gone_from_baseline += baseline_.count_left(each);
}

void CheckRun::report_unused_ignores(std::vector<ManifestFinding> findings) {
  compare_with_baseline(findings);
  for (const ManifestFinding& each : findings) {
    progress_.clear();
    summary_.add_without_object(each);
    report_->finding_without_object(each);
  }
}

void CheckRun::compare_with_baseline(std::vector<ManifestFinding>& findings) {
  for (ManifestFinding& each : findings) {
    each.fingerprint = fingerprints_.of(each);
    if (new_baseline_.is_wanted()) new_baseline_.add(each);
  }
  summary_.in_baseline +=
      std::erase_if(findings, [&](const ManifestFinding& each) { return baseline_.take(each); });
}

void CheckRun::fail(const manifests::FileError& error) {
  progress_.clear();
  std::cerr << error_line(error) << '\n';
  summary_.errors.push_back(to_string(error));
  report_->error(error);
}

void CheckRun::print_summary() {
  progress_.clear();
  const bool is_in_report = options_.format == "text" && options_.report.is_for_terminal;
  if (options_.report.quiet || is_in_report) return;
  for (const ActionCounts& each : counts_by_action(summary_)) {
    std::cerr << each.label() << ": " << each.by_rule << '\n';
  }
  for (const std::string& line : summary_lines(summary_)) std::cerr << line << '\n';
}

void CheckRun::write_baseline(bool is_complete) const {
  if (!new_baseline_.is_wanted()) return;
  if (is_complete) return new_baseline_.write();
  // It would lack what could not be read or judged.
  std::cerr << "winadmit: " << printable(options_.write_baseline)
            << " is not written, because of the errors above\n";
}

int CheckRun::exit_code(bool is_complete) const {
  if (!is_complete) return kError;
  // Findings that were just accepted are no reason to fail.
  if (!options_.fails_with_findings || new_baseline_.is_wanted()) return kClean;
  const bool has_warnings = !summary_.warnings.empty();
  const bool is_failed =
      !summary_.denials.empty() || (options_.report.fails_on == Action::warn && has_warnings);
  return is_failed ? kNegative : kClean;
}

}  // namespace winadmit::cli
