#include "bytes/digest.hpp"

#include <gtest/gtest.h>

#include <array>

namespace winadmit {
namespace {

TEST(Digest, WritesHexadecimalDigits) {
  constexpr std::array<unsigned char, 3> kBytes = {0x00, 0x1f, 0xab};
  EXPECT_EQ(to_hex(kBytes), "001fab");
}

// FIPS 180-4, the examples of SHA-256.
TEST(Digest, HashesText) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

}  // namespace
}  // namespace winadmit
