#include "certs/openssl.hpp"

#include <gtest/gtest.h>
#include <openssl/err.h>

#include <array>

namespace winadmit::certs {
namespace {

TEST(Openssl, TellsTheFirstErrorAndClearsTheOthers) {
  ERR_clear_error();
  EXPECT_EQ(openssl_reason(), "unknown reason") << "the queue is empty";
  ERR_raise(ERR_LIB_USER, ERR_R_MALLOC_FAILURE);
  ERR_raise(ERR_LIB_USER, ERR_R_PASSED_NULL_PARAMETER);
  EXPECT_EQ(openssl_reason(), "malloc failure");
  EXPECT_EQ(ERR_peek_error(), 0U);
}

TEST(Openssl, WritesHexadecimalDigits) {
  constexpr std::array<unsigned char, 3> kBytes = {0x00, 0x1f, 0xab};
  EXPECT_EQ(to_hex(kBytes), "001fab");
  const BigNumber number(BN_new());
  BN_set_word(number.get(), 0xabc);
  EXPECT_EQ(to_hex(number.get()), "0abc");
}

// FIPS 180-4, the examples of SHA-256.
TEST(Openssl, HashesText) {
  EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Openssl, ReturnsWhatWasWrittenToABio) {
  const Bio bio(BIO_new(BIO_s_mem()));
  EXPECT_EQ(contents(bio.get()), "");
  BIO_puts(bio.get(), "text");
  EXPECT_EQ(contents(bio.get()), "text");
}

}  // namespace
}  // namespace winadmit::certs
