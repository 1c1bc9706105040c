// Every captured object, written in random styles, is fixed in its text.
#include <gtest/gtest.h>

#include <random>

#include "cli/judge/apply_patch.hpp"
#include "cli/judge/manifest_checker.hpp"
#include "manifests/edit.hpp"
#include "manifests/location.hpp"
#include "manifests/parse.hpp"
#include "manifests/to_json.hpp"
#include "tests/captured_objects.hpp"
#include "tests/manifests/json_manifest.hpp"
#include "tests/manifests/yaml_style.hpp"
#include "tests/test_data.hpp"

namespace winadmit {
namespace {

using nlohmann::json;

constexpr std::size_t kStylesOfEachObject = 8;

/// A checker that changes as much as possible.
cli::ManifestChecker make_checker(bool sets_os) {
  server::Config config;
  config.policy.set_os = sets_os;
  return {config, Os::windows};
}

std::vector<manifests::FieldChange> changes_of(manifests::NodeId root, const Patch& patch) {
  std::vector<manifests::FieldChange> changes;
  for (const PatchOperation& each : patch) {
    changes.push_back({.root = root, .pointer = each.path});
    if (!each.value.empty()) changes.back().value = nlohmann::ordered_json::parse(each.value);
  }
  return changes;
}

bool is_removed(const std::string& pointer, const Patch& patch) {
  return std::ranges::any_of(patch, [&](const PatchOperation& each) {
    return each.op == "remove" && (pointer + '/').starts_with(each.path + '/');
  });
}

/// Each comment stays, behind the same scalar, unless what it is in is removed.
void check_comments(const std::vector<test::Comment>& comments, const Patch& patch,
                    const std::string& edited) {
  const auto document = std::make_shared<manifests::Document>(edited);
  manifests::parse(*document, {});
  const manifests::NodeId root = document->roots().front();
  const manifests::Manifest manifest{
      .file = "a", .object = {}, .document = document, .node = root, .root = root};
  for (const test::Comment& each : comments) {
    SCOPED_TRACE(each.text + " in " + each.in);
    const std::size_t place = edited.find(each.text);
    if (is_removed(each.in, patch)) {
      EXPECT_TRUE(place == std::string::npos || !each.is_behind);
      continue;
    }
    ASSERT_NE(place, std::string::npos);
    if (each.is_behind) {
      EXPECT_EQ(document->position(place).line, manifests::location_of(manifest, each.in).line);
    }
  }
}

/// The edited text, after what must hold for it.
void check(const json& object, const Patch& patch, std::mt19937& random) {
  const test::StyledYaml written(object, random);
  SCOPED_TRACE(written.text());
  manifests::Document document(written.text());
  manifests::parse(document, {});
  ASSERT_EQ(document.roots().size(), 1U);
  const manifests::NodeId root = document.roots().front();
  ASSERT_EQ(manifests::to_json(document, root), object) << "the style is right";

  json wanted = object;
  cli::apply_patch(patch, wanted);
  std::vector<manifests::TextEdit> edits;
  ASSERT_NO_THROW(edits = manifests::edit(document, changes_of(root, patch), {wanted}));
  const std::string edited = manifests::apply_edits(written.text(), edits);
  SCOPED_TRACE(edited);
  manifests::Document result(edited);
  manifests::parse(result, {});
  ASSERT_EQ(result.roots().size(), 1U);
  EXPECT_EQ(manifests::to_json(result, result.roots().front()), wanted);
  check_comments(written.comments(), patch, edited);
  const auto line_ends = [](const std::string& text) {
    return std::pair(text.find("\r\n") != std::string::npos, text.ends_with('\n'));
  };
  EXPECT_EQ(line_ends(edited), line_ends(written.text()));
  const bool has_bare_line_feed =
      edited.starts_with('\n') || std::ranges::adjacent_find(edited, [](char a, char b) {
                                    return a != '\r' && b == '\n';
                                  }) != edited.end();
  if (edited.find('\n') != std::string::npos) {
    EXPECT_NE(has_bare_line_feed, line_ends(edited).first);
  }
}

TEST(EditProperty, HoldsForEveryCapturedObjectInRandomStyles) {
  std::mt19937 random(1);
  cli::ManifestChecker placing = make_checker(false), setting_os = make_checker(true);
  std::size_t edited = 0, removed = 0;
  for (const json& captured : test::captured_objects()) {
    for (const bool has_os : {false, true}) {
      json object = captured;
      if (has_os && object.value("kind", "") == "Pod") object["spec"]["os"] = {{"name", "windows"}};
      for (cli::ManifestChecker* const checker : {&placing, &setting_os}) {
        const Patch patch = checker->fixer().fix(test::manifest_of(object)).patch;
        if (patch.empty()) continue;
        removed += std::ranges::any_of(patch, [](const auto& each) { return each.op == "remove"; });
        for (std::size_t i = 0; i < kStylesOfEachObject && !HasFatalFailure();
             i += test::input_step(), ++edited) {
          check(object, patch, random);
        }
        if (HasFailure()) return;
      }
    }
  }
  EXPECT_GT(edited, 2000 / test::input_step());
  EXPECT_GT(removed, 20U);
}

}  // namespace
}  // namespace winadmit
