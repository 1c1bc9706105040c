#include "cli/fix/fix_file.hpp"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <unordered_set>
#include <utility>

#include "cli/fix/change_text.hpp"
#include "cli/fix/edit_objects.hpp"
#include "cli/judge/apply_patch.hpp"
#include "cli/judge/check_advice.hpp"
#include "cli/judge/emptied_parents.hpp"
#include "cli/suppress/suppressions.hpp"
#include "manifests/document_reader.hpp"
#include "manifests/edit.hpp"
#include "manifests/read_manifests.hpp"

namespace winadmit::cli {
namespace {

using manifests::Manifest;
using nlohmann::json;

class DocumentFixer {
 public:
  DocumentFixer(FixedFile& file, const FixContext& context) : file_(file), context_(context) {}

  void begin(const std::string& name) { suppressions_.enter_file(name); }

  void fix(const manifests::FilePart& part) {
    objects_.clear();
    manifests::read_part(file_.name, part, handler_, context_.limits);
    file_.objects += objects_.size();
    const bool is_edited = edit(*part.document);
    for (Object& each : objects_) {
      if (is_edited && !each.patch.empty()) apply(each);
      report_findings(each);
    }
  }

 private:
  struct Object {
    Manifest manifest;
    Patch patch;
    std::set<std::string> kept;  // the pointers of fields whose findings are ignored
    RemoveEmptyParents emptied;  // what goes with the fields that the patch removes
    Patch edits;                 // the patch with that
    std::string why_unchanged;
    std::string why_no_spec_os;
    std::string platform_hint;
  };

  static Object make_object(const Manifest& manifest, ObjectFix fix, std::set<std::string> kept) {
    const bool removes =
        std::ranges::find(fix.patch, "remove", &PatchOperation::op) != fix.patch.end();
    Object made{.manifest = manifest,
                .patch = std::move(fix.patch),
                .kept = std::move(kept),
                .emptied = removes ? RemoveEmptyParents::all : RemoveEmptyParents::none,
                .edits = {},
                .why_unchanged = std::move(fix.why_unchanged),
                .why_no_spec_os = std::move(fix.why_no_spec_os),
                .platform_hint = std::move(fix.platform_hint)};
    made.edits = make_edits(made);
    return made;
  }

  static Patch make_edits(const Object& object) {
    if (object.emptied == RemoveEmptyParents::none) return object.patch;
    return remove_emptied_parents(object.patch, json::parse(json_text(object.manifest)),
                                  object.emptied, object.kept);
  }

  /// Reports the changes, and makes them in the object.
  void apply(Object& object) {
    json value = json::parse(json_text(object.manifest));
    manifests::Locator locator(object.manifest);
    for (const PatchOperation& each : object.patch) {
      context_.change(change_text(locator.at(each.path), value, each));
      file_.adds_tolerations |= object.platform_hint.empty() && adds_toleration(each);
    }
    apply_patch(object.edits, value);
    object.manifest.json = std::make_shared<manifests::ParsedJson>(value.dump());
    object.manifest.object = object.manifest.json->document.root();
  }

  /// Takes the removal of fields whose findings are ignored out of the patch, unless it sets
  /// spec.os: the API server refuses them beside it. Returns their pointers.
  std::set<std::string> keep_ignored(const Manifest& manifest, Patch& patch) {
    if (sets_spec_os(patch)) return {};
    Verdict removed{.object = name_of(manifest.object), .findings = {}};
    manifests::Locator locator(manifest);
    for (const PatchOperation& each : patch) {
      if (each.rule.empty()) continue;
      removed.findings.push_back({.location = locator.at(each.path),
                                  .object = removed.object,
                                  .source_file = std::string(manifest.document->source_file()),
                                  .pointer = each.path,
                                  .rule = std::string(each.rule)});
    }
    if (removed.findings.empty()) return {};
    if (context_.honours_ignores) suppressions_.apply(manifest, context_.project, removed);
    std::unordered_set<std::string> not_ignored;
    for (const ManifestFinding& each : removed.findings) not_ignored.insert(each.pointer);
    std::set<std::string> kept;
    std::erase_if(patch, [&](const PatchOperation& each) {
      const bool is_ignored = !each.rule.empty() && !not_ignored.contains(each.path);
      if (is_ignored) kept.insert(each.path);
      return is_ignored;
    });
    return kept;
  }

  /// False if the document stays as it is although it should be changed.
  bool edit(const manifests::Document& document) {
    for (int tries = 0;; ++tries) {
      try {
        add_edits(document);
        return true;
      } catch (const manifests::EditError& error) {
        if (leave_more_empty(document, error.offset, tries)) continue;
        report_not_edited(document, error);
        file_.is_unfinished = true;
        return false;
      }
    }
  }

  void report_not_edited(const manifests::Document& document, const manifests::EditError& error) {
    const manifests::Position at = document.position(error.offset);
    const bool keeps_capabilities = std::ranges::any_of(objects_, [](const Object& each) {
      return each.emptied == RemoveEmptyParents::capabilities &&
             least_emptied(each) == RemoveEmptyParents::capabilities;
    });
    context_.report(file_.name + ':' + std::to_string(at.line) + ':' + std::to_string(at.column) +
                    ": the document is not changed: " + error.what() +
                    (keeps_capabilities
                         ? ", and the API server refuses empty capabilities beside spec.os"
                         : ""));
  }

  /// The least that must go with the fields that the patch removes.
  static RemoveEmptyParents least_emptied(const Object& object) {
    return sets_spec_os(object.patch) ? RemoveEmptyParents::capabilities : RemoveEmptyParents::none;
  }

  /// After an EditError: a mapping with an anchor cannot be removed, but it can be left empty.
  /// Leaves more mappings empty in the object at `offset`; after kMaxTries in
  /// all objects. False if no more can be left empty.
  bool leave_more_empty(const manifests::Document& document, std::size_t offset, int tries) {
    constexpr int kMaxTries = 16;  // each reads the document again
    bool is_changed = false;
    for (Object& each : objects_) {
      const manifests::Node& node = document[each.manifest.node];
      const bool is_there = offset >= node.begin && offset < node.end;
      if (each.emptied >= least_emptied(each) || (tries < kMaxTries && !is_there)) continue;
      each.emptied = each.emptied == RemoveEmptyParents::all ? RemoveEmptyParents::capabilities
                                                             : RemoveEmptyParents::none;
      each.edits = make_edits(each);
      is_changed = true;
    }
    if (is_changed || tries >= kMaxTries) return is_changed;
    return leave_more_empty(document, offset, kMaxTries);  // it is in no object
  }

  /// Throws manifests::EditError.
  void add_edits(const manifests::Document& document) {
    std::vector<PatchedObject> patched;
    patched.reserve(objects_.size());
    for (const Object& each : objects_) patched.push_back({each.manifest, each.edits});
    for (manifests::TextEdit& each : edit_objects(document, patched, context_.limits)) {
      each.begin += file_.text.size();
      each.end += file_.text.size();
      file_.edits.push_back(std::move(each));
    }
  }

  /// Empty if the object is as it should be, or is changed.
  std::string why_unchanged(const Object& object, const Verdict& verdict) const {
    if (!object.why_unchanged.empty()) return object.why_unchanged;
    const bool is_malformed = std::ranges::find(verdict.findings, kMalformedField,
                                                &ManifestFinding::rule) != verdict.findings.end();
    if (is_malformed && object.patch.empty()) return "it has a malformed field";
    if (context_.checker.fixer().would_fix_templates(object.manifest, context_.project.templates))
      return "fix leaves the kinds of templates in .winadmit.yaml as they are";
    return {};
  }

  /// Says why an object that is not as it should be stays so.
  void report_unchanged(const Object& object, const Verdict& verdict) const {
    const std::string begin =
        to_string(manifests::location_of(object.manifest)) + ": " + verdict.object.to_string();
    const std::string why = why_unchanged(object, verdict);
    if (!why.empty()) context_.report(begin + " is not changed: " + why);
    for (const std::string& hint : {object.why_no_spec_os, object.platform_hint}) {
      if (!hint.empty()) context_.report(begin + ": " + hint);
    }
  }

  void report_findings(const Object& object) {
    const Manifest& manifest = object.manifest;
    Verdict verdict = context_.checker.judge(manifest, context_.project.templates);
    report_unchanged(object, verdict);
    if (verdict.left_out > 0)
      handler_.error(left_out_error(manifests::location_of(manifest), verdict));
    if (context_.honours_ignores) suppressions_.apply(manifest, context_.project, verdict);
    for (const ManifestFinding& each : verdict.findings) {
      if (each.rule == kUnusedIgnore) continue;  // what it was for may just be removed
      file_.is_unfinished |= each.is_denial;
      context_.report(to_string(each));
    }
  }

  /// Nothing if what is no manifest is an error.
  std::function<void(const manifests::Location&)> unless_manifest(
      std::function<void(const manifests::Location&)> take) const {
    return context_.must_be_manifest ? nullptr : std::move(take);
  }

  FixedFile& file_;
  const FixContext& context_;
  Suppressions suppressions_;
  std::vector<Object> objects_;
  manifests::ManifestHandler handler_{
      .object =
          [this](const Manifest& each) {
            if (const std::string why = context_.added.add(each); !why.empty())
              handler_.error({.what = why, .location = manifests::location_of(each)});
            ObjectFix fix = context_.checker.fixer().fix(each);
            std::set<std::string> kept = keep_ignored(each, fix.patch);
            objects_.push_back(make_object(each, std::move(fix), std::move(kept)));
          },
      .error = context_.fail,
      .document = [this](const manifests::Document& each) { suppressions_.enter_document(each); },
      .other = unless_manifest([](const manifests::Location&) {}),
      .unrendered = unless_manifest([this](const manifests::Location& at) {
        context_.report(to_string(at) + ": a template is not changed; fix what is rendered");
      }),
      .empty_list = [this] { file_.has_empty_list = true; }};
};

}  // namespace

std::string FixedFile::edited_part(std::size_t index) const {
  const bool is_last = index + 1 == parts.size();
  const Part& part = parts[index];
  const Part end =
      is_last ? Part{.begin = text.size(), .first_edit = edits.size()} : parts[index + 1];
  std::vector<manifests::TextEdit> inside(
      edits.begin() + static_cast<std::ptrdiff_t>(part.first_edit),
      edits.begin() + static_cast<std::ptrdiff_t>(end.first_edit));
  for (manifests::TextEdit& each : inside) {
    each.begin -= part.begin;
    each.end -= part.begin;
  }
  return apply_edits(std::string_view(text).substr(part.begin, end.begin - part.begin), inside);
}

FixedFile fix_file(const manifests::Source& source, const FixContext& context) {
  FixedFile fixed{.name = manifests::display_name(source.name)};
  FixContext counting = context;
  counting.fail = [&](const manifests::FileError& error) {
    fixed.has_errors = true;
    context.fail(error);
  };
  DocumentFixer fixer(fixed, counting);
  fixer.begin(source.name);
  try {
    manifests::DocumentReader reader(source.file, context.limits);
    for (manifests::FilePart part; reader.next(part);) {
      if (part.begins_document()) {
        fixed.parts.push_back({.begin = fixed.text.size(),
                               .first_edit = fixed.edits.size(),
                               .is_json = !part.error && part.document->is_json()});
      }
      fixer.fix(part);
      fixed.text += part.document->text();
    }
  } catch (const std::runtime_error& error) {
    counting.fail({.what = error.what(), .location = {.file = fixed.name}});
  }
  return fixed;
}

}  // namespace winadmit::cli
