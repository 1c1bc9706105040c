// What ipsec-mb encrypts and decrypts for TLS is what OpenSSL's own AES-GCM does.
#include "server/aes_gcm.hpp"

#include <gtest/gtest.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>

#include <array>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>

namespace winadmit::server {
namespace {

constexpr int kTag = 16;
constexpr const char* kOpenSsl = "provider=default";

struct Free {
  void operator()(EVP_CIPHER* cipher) const { EVP_CIPHER_free(cipher); }
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
};

const unsigned char* bytes(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}
unsigned char* bytes(std::string& text) { return reinterpret_cast<unsigned char*>(text.data()); }

/// A cipher as TLS 1.3 uses it: one key, then record after record.
class Cipher {
 public:
  Cipher(const char* name, const char* properties, bool encrypts, std::string_view key)
      : cipher_(EVP_CIPHER_fetch(nullptr, name, properties)), context_(EVP_CIPHER_CTX_new()) {
    is_ready_ = cipher_ &&
                EVP_CipherInit_ex(context_.get(), cipher_.get(), nullptr, nullptr, nullptr,
                                  encrypts ? 1 : 0) == 1 &&
                EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_AEAD_SET_IVLEN, 12, nullptr) == 1 &&
                EVP_CipherInit_ex(context_.get(), nullptr, nullptr, bytes(key), nullptr, -1) == 1;
  }

  bool is_ready() const { return is_ready_; }
  std::string provider() const {
    return OSSL_PROVIDER_get0_name(EVP_CIPHER_get0_provider(cipher_.get()));
  }
  EVP_CIPHER_CTX* context() { return context_.get(); }

  bool begin(std::string_view iv, std::string_view beside) {
    int count = 0;
    return EVP_CipherInit_ex(context_.get(), nullptr, nullptr, nullptr, bytes(iv), -1) == 1 &&
           EVP_CipherUpdate(context_.get(), nullptr, &count, bytes(beside),
                            static_cast<int>(beside.size())) == 1;
  }

  bool crypt(std::string& in_place) {
    int count = 0;
    return EVP_CipherUpdate(context_.get(), bytes(in_place), &count, bytes(in_place),
                            static_cast<int>(in_place.size())) == 1 &&
           count == static_cast<int>(in_place.size());
  }

  bool finish() {
    int count = 0;
    std::array<unsigned char, kTag> rest{};
    return EVP_CipherFinal_ex(context_.get(), rest.data(), &count) == 1 && count == 0;
  }

  /// The text and its tag.
  std::optional<std::string> encrypt(std::string_view iv, std::string_view beside,
                                     std::string text) {
    std::string tag(kTag, '\0');
    if (!begin(iv, beside) || (!text.empty() && !crypt(text)) || !finish() ||
        EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_AEAD_GET_TAG, kTag, tag.data()) != 1) {
      return std::nullopt;
    }
    return text + tag;
  }

  std::optional<std::string> decrypt(std::string_view iv, std::string_view beside,
                                     std::string text) {
    std::string tag = text.substr(text.size() - kTag);
    text.resize(text.size() - kTag);
    if (EVP_CipherInit_ex(context_.get(), nullptr, nullptr, nullptr, bytes(iv), -1) != 1 ||
        EVP_CIPHER_CTX_ctrl(context_.get(), EVP_CTRL_AEAD_SET_TAG, kTag, tag.data()) != 1 ||
        !begin(iv, beside) || (!text.empty() && !crypt(text)) || !finish()) {
      return std::nullopt;
    }
    return text;
  }

 private:
  std::unique_ptr<EVP_CIPHER, Free> cipher_;
  std::unique_ptr<EVP_CIPHER_CTX, Free> context_;
  bool is_ready_ = false;
};

struct KeySize {
  const char* name;
  std::size_t bytes;
};

class AesGcm : public ::testing::TestWithParam<KeySize> {
 protected:
  void SetUp() override {
    if (aes_gcm_properties() == nullptr) GTEST_SKIP() << "this build or processor has no VAES";
  }

  std::string some(std::size_t size) {
    std::string made(size, '\0');
    for (char& each : made) each = static_cast<char>(random_());
    return made;
  }

  const std::string key_ = some(GetParam().bytes);
  Cipher ours_for(bool encrypts) { return {GetParam().name, aes_gcm_properties(), encrypts, key_}; }

  std::mt19937 random_{1};
};

TEST_P(AesGcm, IsThatOfIpsecMb) {
  const Cipher ours = ours_for(true);
  ASSERT_TRUE(ours.is_ready());
  EXPECT_EQ(ours.provider(), "ipsec-mb");
}

TEST_P(AesGcm, EncryptsAndDecryptsAsOpenSslDoes) {
  Cipher ours = ours_for(true);
  Cipher ours_back = ours_for(false);
  Cipher theirs(GetParam().name, kOpenSsl, true, key_);
  ASSERT_TRUE(ours.is_ready() && ours_back.is_ready() && theirs.is_ready());
  ASSERT_EQ(theirs.provider(), "default");
  const auto expect_the_same = [&](std::size_t size, std::size_t beside_size) {
    const std::string iv = some(12);
    const std::string beside = some(beside_size);
    const std::string text = some(size);
    const auto encrypted = theirs.encrypt(iv, beside, text);
    ASSERT_TRUE(encrypted);
    EXPECT_EQ(ours.encrypt(iv, beside, text), encrypted) << size << " beside " << beside_size;
    EXPECT_EQ(ours_back.decrypt(iv, beside, *encrypted), text) << size;
  };
  for (std::size_t size = 0; size < 1100; ++size) expect_the_same(size, 5);
  for (std::size_t size = 16300; size < 16400; ++size) expect_the_same(size, 5);
  for (std::size_t beside = 1; beside <= 16; ++beside) expect_the_same(100, beside);
}

TEST_P(AesGcm, RefusesWhatWasChanged) {
  Cipher ours = ours_for(false);
  const std::string iv = some(12);
  const std::string text = some(500);
  const auto encrypted = ours_for(true).encrypt(iv, "12345", text);
  ASSERT_TRUE(encrypted);
  for (const std::size_t at : {std::size_t{0}, text.size() - 1, text.size(), text.size() + 15}) {
    std::string changed = *encrypted;
    changed[at] = static_cast<char>(changed[at] ^ 1);
    EXPECT_FALSE(ours.decrypt(iv, "12345", changed)) << at;
  }
  EXPECT_FALSE(ours.decrypt(iv, "12346", *encrypted));
  EXPECT_FALSE(ours.decrypt(some(12), "12345", *encrypted));
  EXPECT_EQ(ours.decrypt(iv, "12345", *encrypted), text) << "and goes on after a refusal";
}

TEST_P(AesGcm, UsesNoIvTwice) {
  Cipher ours = ours_for(true);
  std::string text = some(100);
  EXPECT_FALSE(ours.crypt(text)) << "no IV yet";
  EXPECT_FALSE(ours.finish());
  ASSERT_TRUE(ours.encrypt(some(12), "12345", text));
  EXPECT_FALSE(ours.crypt(text)) << "the last one is used up";
  EXPECT_FALSE(ours.finish());
  ASSERT_TRUE(ours.begin(some(12), "12345"));
  ASSERT_TRUE(ours.crypt(text));
  EXPECT_FALSE(ours.crypt(text)) << "a record's text comes at once";
}

TEST_P(AesGcm, RefusesSizesOfKeysIvsAndTagsThatTlsDoesNotHave) {
  Cipher ours = ours_for(false);
  EXPECT_NE(EVP_CIPHER_CTX_ctrl(ours.context(), EVP_CTRL_AEAD_SET_IVLEN, 16, nullptr), 1);
  std::string tag(12, '\0');
  EXPECT_NE(EVP_CIPHER_CTX_ctrl(ours.context(), EVP_CTRL_AEAD_SET_TAG, 12, tag.data()), 1);
  EXPECT_FALSE(ours.begin(some(12), some(17))) << "beside the text: a record's header";
}

INSTANTIATE_TEST_SUITE_P(KeySizes, AesGcm,
                         ::testing::Values(KeySize{"AES-128-GCM", 16}, KeySize{"AES-256-GCM", 32}),
                         [](const auto& each) { return "Of" + std::to_string(each.param.bytes); });

}  // namespace
}  // namespace winadmit::server
