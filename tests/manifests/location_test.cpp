// Where fields and errors of manifests are.
#include "manifests/location.hpp"

#include <gtest/gtest.h>

#include <string>

#include "manifests/read_manifests.hpp"
#include "tests/manifests/manifest_fixture.hpp"

namespace winadmit::manifests {
namespace {

using test::kPod;
using test::Manifests;

class ManifestLocation : public test::ManifestTest {};

TEST_F(ManifestLocation, LocatesFields) {
  const Manifests pods = read(kPod);
  ASSERT_EQ(pods.manifests.size(), 1U);
  const Manifest& pod = pods.manifests.front();
  EXPECT_EQ(position(pod, ""), "1:1");
  EXPECT_EQ(position(pod, "/spec"), "3:1");
  EXPECT_EQ(position(pod, "/spec/containers/0"), "5:5");
  EXPECT_EQ(position(pod, "/spec/containers/0/image"), "6:5");
  EXPECT_EQ(position(pod, "/spec/containers/1/image"), "4:3") << "a missing field: its parent";
  EXPECT_EQ(position(pod, "/spec/containers/0/env/0"), "5:5");
  EXPECT_EQ(to_string(location_of(pod)), (folder_ / "file.yaml").string() + ":1:1");
}

TEST_F(ManifestLocation, LocatesFieldsInJson) {
  const Manifests pods = read(
      "{\n  \"apiVersion\": \"v1\",\n  \"kind\": \"Pod\",\n"
      "  \"spec\": {\"hostPID\": true, \"a\\u00e9\": [1]}\n}\n");
  ASSERT_EQ(pods.manifests.size(), 1U);
  const Location location = location_of(pods.manifests.front(), "/spec/hostPID");
  EXPECT_EQ(location.line, 4);
  EXPECT_EQ(location.column, 12);
  EXPECT_EQ(location.end_column, 27);
  EXPECT_EQ(location.text, "  \"spec\": {\"hostPID\": true, \"a\\u00e9\": [1]}");
  EXPECT_EQ(position(pods.manifests.front(), "/spec/a\u00e9/0"), "4:41");
}

TEST_F(ManifestLocation, TellsTheLineOfAFieldAndWhereItEnds) {
  const Manifests pods = read(
      "apiVersion: v1\r\nkind: Pod\r\nspec:\r\n  hostPID: true  # why\r\n"
      "  os:\r\n    name: windows\r\n");
  ASSERT_EQ(pods.manifests.size(), 1U);
  const Location member = location_of(pods.manifests.front(), "/spec/hostPID");
  EXPECT_EQ(member.text, "  hostPID: true  # why");
  EXPECT_EQ(member.column, 3);
  EXPECT_EQ(member.end_column, 16);
  EXPECT_EQ(location_of(pods.manifests.front(), "/spec/os").end_column, 5) << "the key alone";
}

TEST_F(ManifestLocation, LocatesAMergedFieldWhereItIsWritten) {
  const Manifests pods =
      read("apiVersion: v1\nkind: Pod\nmetadata: &m\n  name: a\nspec:\n  <<: *m\n");
  ASSERT_EQ(pods.manifests.size(), 1U);
  EXPECT_EQ(position(pods.manifests.front(), "/spec/name"), "4:3");
}

TEST_F(ManifestLocation, LocatesAFieldOfSeveralMergesWhereItsValueIsWritten) {
  const Manifests pods = read(
      "apiVersion: v1\nkind: Pod\na: &a {x: 1}\nb: &b {x: 2, w: 3}\n"
      "spec:\n  <<: [*a, *b]\n  z: 4\nstatus:\n  z: 5\n  x: 6\n  <<: *a\n");
  ASSERT_EQ(pods.manifests.size(), 1U);
  const Manifest& pod = pods.manifests.front();
  EXPECT_EQ(position(pod, "/spec/x"), "3:8") << "the first of the list";
  EXPECT_EQ(position(pod, "/spec/w"), "4:14") << "the first of the list that has it";
  EXPECT_EQ(position(pod, "/status/z"), "9:3") << "what is merged later has none";
  EXPECT_EQ(position(pod, "/status/x"), "3:8") << "what is merged later wins";
}

TEST_F(ManifestLocation, GivesTheLineOfAnError) {
  for (const char* text : {"---\n# \u00e4\na: b: c\n", "---\n# \u00e4\na: {b: 1, b: 2}\n",
                           "---\n# \u00e4\na: {b: {{c}}}\n"}) {
    Location location;
    read_manifests(folder_.write("file.yaml", text),
                   {.object = [](const Manifest&) {},
                    .error = [&](const FileError& error) { location = error.location; }});
    EXPECT_TRUE(location.text.starts_with("a: ")) << text << location.text;
  }
}

TEST_F(ManifestLocation, CountsColumnsFromTheBeginOfTheLineForEachJsonValue) {
  const std::string first = "{\"apiVersion\": \"v1\", \"kind\": \"\u00e4\"} ";
  const std::string second = R"({"apiVersion": "v1", "kind": "B"})";
  const Manifests objects = read(first + second + " \n" + second);
  ASSERT_EQ(objects.manifests.size(), 3U);
  const Location at = location_of(objects.manifests[1], "/kind");
  EXPECT_EQ(at.line, 1);
  EXPECT_EQ(at.column, static_cast<int>(first.size() + second.find("\"kind")) + 1);
  EXPECT_EQ(at.end_column, static_cast<int>(first.size() + second.size()));
  EXPECT_EQ(at.text, "") << "it would lack the first value";
  EXPECT_EQ(objects.manifests[1].document->code_point_position(0).column,
            static_cast<int>(first.size()))
      << "the letter has two bytes";
  EXPECT_EQ(position(objects.manifests[2], "/kind"), "2:22");

  const std::string third = R"({"kind": "C"})";
  const Manifests three = read(second + second + third);
  ASSERT_EQ(three.errors.size(), 1U);
  EXPECT_NE(three.errors[0].find(":1:" + std::to_string(2 * second.size() + 1) + ": "),
            std::string::npos)
      << three.errors[0];

  const Manifests lines = read(second + "{\"apiVersion\": \"v1\",\n \"kind\": \"B\"}");
  ASSERT_EQ(lines.manifests.size(), 2U);
  EXPECT_EQ(position(lines.manifests[1], "/kind"), "2:2");
  const Document& document = *lines.manifests[1].document;
  EXPECT_EQ(document.code_point_position(document.text().find("\"kind")).column, 2);
}

TEST_F(ManifestLocation, RepeatsNoLongLineOfAnError) {
  Location location;
  read_manifests(folder_.write("file.yaml", "a: b: " + std::string(5000, 'x') + '\n'),
                 {.object = [](const Manifest&) {},
                  .error = [&](const FileError& error) { location = error.location; }});
  EXPECT_EQ(location.line, 1);
  EXPECT_EQ(location.text, "");
}

}  // namespace
}  // namespace winadmit::manifests
