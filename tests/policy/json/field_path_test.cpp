#include "policy/json/field_path.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

#include "policy/json/hash.hpp"
#include "tests/policy/parsed.hpp"

namespace winadmit {
namespace {

TEST(FieldPath, IsWrittenAsByTheApiServerAndAsAJsonPointer) {
  const test::ParsedJson container(R"({"name": "app"})");
  const test::ParsedJson port(R"({"containerPort": 80})");
  FieldPath path{"spec", "containers"};
  path.enter(1, container.value());
  path.enter("ports");
  path.enter(0, port.value());
  EXPECT_EQ(path.to_string(), "spec.containers[1].ports[0]");
  EXPECT_EQ(path.json_pointer(), "/spec/containers/1/ports/0");

  FieldPath annotation{"metadata", "annotations"};
  annotation.enter_key("a.b/c~d");
  EXPECT_EQ(annotation.to_string(), "metadata.annotations[a.b/c~d]");
  EXPECT_EQ(annotation.json_pointer(), "/metadata/annotations/a.b~1c~0d");
}

TEST(FieldPath, TruncatesALongKeyInTheTextAlone) {
  const std::string key(300, 'k');
  FieldPath path{"metadata", "annotations"};
  path.enter_key(key);
  EXPECT_EQ(path.to_string(), "metadata.annotations[" + key.substr(0, 250) + "...]");
  EXPECT_EQ(path.json_pointer(), "/metadata/annotations/" + key);
}

TEST(FieldPath, CopiesItsStepsAndThrowsBeyondItsCapacity) {
  FieldPath path;
  for (std::size_t i = 0; i < FieldPath::kMaxSteps; ++i) path.enter("a");
  FieldPath copy{"b"};
  copy = path;
  EXPECT_EQ(copy.to_string(), path.to_string());
  EXPECT_THROW(path.enter("a"), std::length_error);
  path.leave();
  path.enter("c");
  EXPECT_TRUE(path.to_string().ends_with(".a.c"));
  EXPECT_TRUE(copy.to_string().ends_with(".a.a"));
}

TEST(FieldPath, LeavesAScopedStepAtTheEndOfItsScope) {
  FieldPath path{"spec"};
  {
    const ScopedStep step(path, "containers");
    EXPECT_EQ(path.to_string(), "spec.containers");
  }
  EXPECT_EQ(path.to_string(), "spec");
}

std::uint64_t identity(std::size_t index, const test::ParsedJson& entry) {
  FieldPath path{"spec", "containers"};
  path.enter(index, entry.value());
  Hasher hash;
  path.add_identity(hash);
  return hash.value();
}

TEST(FieldPath, IdentifiesANamedEntryAtAnyIndex) {
  const test::ParsedJson app(R"({"name": "app"})");
  const test::ParsedJson other(R"({"name": "other"})");
  const test::ParsedJson mount(R"({"name": "app", "mountPath": "/data"})");
  const test::ParsedJson unmounted(R"({"name": "app", "mountPath": ""})");
  const test::ParsedJson nameless("{}");
  const test::ParsedJson zero(R"({"name": "0"})");
  EXPECT_EQ(identity(0, app), identity(5, app));
  EXPECT_NE(identity(0, app), identity(0, other));
  EXPECT_NE(identity(0, app), identity(0, mount)) << "mountPath is the merge key of volumeMounts";
  EXPECT_EQ(identity(0, app), identity(1, unmounted));
  EXPECT_NE(identity(0, nameless), identity(1, nameless));
  EXPECT_NE(identity(0, nameless), identity(0, zero));
}

TEST(FieldPath, IdentifiesPortsItemsAndSourcesWithoutAName) {
  const test::ParsedJson port(R"({"containerPort": 81, "protocol": "SCTP"})");
  const test::ParsedJson other_port(R"({"containerPort": 82, "protocol": "SCTP"})");
  const test::ParsedJson item(R"({"key": "a", "path": "a/b", "mode": 256})");
  const test::ParsedJson other_item(R"({"key": "a", "path": "a/c", "mode": 256})");
  EXPECT_EQ(identity(0, port), identity(1, port));
  EXPECT_NE(identity(0, port), identity(0, other_port));
  EXPECT_EQ(identity(0, item), identity(1, item));
  EXPECT_NE(identity(0, item), identity(0, other_item));
  const test::ParsedJson secret(R"({"secret": {"name": "a", "items": []}})");
  const test::ParsedJson other_secret(R"({"secret": {"name": "b"}})");
  const test::ParsedJson config(R"({"configMap": {"name": "a"}})");
  EXPECT_EQ(identity(0, secret), identity(1, secret));
  EXPECT_NE(identity(0, secret), identity(0, other_secret));
  EXPECT_NE(identity(0, secret), identity(0, config));
}

}  // namespace
}  // namespace winadmit
