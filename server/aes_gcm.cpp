#include "server/aes_gcm.hpp"

#if WINADMIT_IPSEC_MB

#include <intel-ipsec-mb.h>
#include <openssl/core_dispatch.h>
#include <openssl/core_names.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/params.h>
#include <openssl/provider.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <string_view>
#include <type_traits>
#include <utility>

// The library's functions for VAES. Its header has their types alone, for it hands them out through
// a manager of all its algorithms, which would take 12 MB of program and 3 of memory.
extern "C" {
std::remove_pointer_t<aes_gcm_precomp_t> aes_gcm_precomp_128_vaes_avx512;
std::remove_pointer_t<aes_gcm_precomp_t> aes_gcm_precomp_256_vaes_avx512;
std::remove_pointer_t<aes_gcm_enc_dec_t> aes_gcm_enc_128_vaes_avx512;
std::remove_pointer_t<aes_gcm_enc_dec_t> aes_gcm_dec_128_vaes_avx512;
std::remove_pointer_t<aes_gcm_enc_dec_t> aes_gcm_enc_256_vaes_avx512;
std::remove_pointer_t<aes_gcm_enc_dec_t> aes_gcm_dec_256_vaes_avx512;
}

namespace winadmit::server {
namespace {

constexpr const char* kProvider = "ipsec-mb";
constexpr const char* kProperty = "provider=ipsec-mb";
constexpr const char* kPreferred = "?provider=ipsec-mb";

constexpr std::size_t kTag = 16;
constexpr std::size_t kIv = 12;

struct KeySize {
  std::size_t bytes;
  const char* name;   // by which OpenSSL's own is found
  const char* names;  // as OpenSSL registers its own
  void (*expand)(const void* key, void* expanded);
  aes_gcm_precomp_t precompute;
  aes_gcm_enc_dec_t encrypt;
  aes_gcm_enc_dec_t decrypt;
};

constexpr KeySize kAes128 = {.bytes = 16,
                             .name = "AES-128-GCM",
                             .names = "AES-128-GCM:id-aes128-GCM:2.16.840.1.101.3.4.1.6",
                             .expand = aes_keyexp_128_enc_avx512,
                             .precompute = aes_gcm_precomp_128_vaes_avx512,
                             .encrypt = aes_gcm_enc_128_vaes_avx512,
                             .decrypt = aes_gcm_dec_128_vaes_avx512};
constexpr KeySize kAes256 = {.bytes = 32,
                             .name = "AES-256-GCM",
                             .names = "AES-256-GCM:id-aes256-GCM:2.16.840.1.101.3.4.1.46",
                             .expand = aes_keyexp_256_enc_avx512,
                             .precompute = aes_gcm_precomp_256_vaes_avx512,
                             .encrypt = aes_gcm_enc_256_vaes_avx512,
                             .decrypt = aes_gcm_dec_256_vaes_avx512};

struct FreeCipher {
  void operator()(EVP_CIPHER_CTX* context) const { EVP_CIPHER_CTX_free(context); }
  void operator()(EVP_CIPHER* cipher) const { EVP_CIPHER_free(cipher); }
};

/// One direction of a session, by the calls of provider-cipher(7): a key once; then for each record
/// an IV, what is authenticated beside the text, the text at once, and the tag. Every function
/// tells whether it did what was asked.
class AesGcm {
 public:
  explicit AesGcm(const KeySize& size) : size_(size) {}
  ~AesGcm() { OPENSSL_cleanse(&key_, sizeof key_); }
  AesGcm(const AesGcm&) = delete;
  AesGcm& operator=(const AesGcm&) = delete;

  /// A null key is the one before. Each record needs an IV: none serves twice.
  bool init(bool encrypts, const unsigned char* key, std::size_t key_size, const unsigned char* iv,
            std::size_t iv_size) {
    if ((key != nullptr && key_size != size_.bytes) || (iv != nullptr && iv_size != kIv)) {
      return false;
    }
    encrypts_ = encrypts;
    if (key != nullptr) {
      size_.expand(key, key_.expanded_keys);
      size_.precompute(&key_);
      has_key_ = true;
      tls12_.reset();
    }
    record_ = Record::none;
    if (iv != nullptr && has_key_) {
      std::memcpy(iv_.data(), iv, kIv);
      beside_size_ = 0;
      record_ = Record::begun;
    }
    return true;
  }

  bool update(unsigned char* to, std::size_t* written, const unsigned char* text,
              std::size_t size) {
    if (tls12_) return update_tls12(to, written, text, size);
    *written = size;
    return to == nullptr ? authenticate(text, size) : crypt(to, text, size);
  }

  bool finish() {
    if (record_ == Record::begun) crypt(nullptr, nullptr, 0);  // there was no text
    if (std::exchange(record_, Record::none) == Record::none) return false;
    return encrypts_ || CRYPTO_memcmp(tag_.data(), expected_tag_.data(), kTag) == 0;
  }

  bool set(const OSSL_PARAM* params) {
    if (OSSL_PARAM_locate_const(params, OSSL_CIPHER_PARAM_AEAD_TLS1_IV_FIXED) != nullptr &&
        !become_tls12()) {
      return false;
    }
    if (tls12_) return EVP_CIPHER_CTX_set_params(tls12_.get(), params) == 1;
    for (const OSSL_PARAM* each = params; each->key != nullptr; ++each) {
      const std::string_view key = each->key;
      if (key == OSSL_CIPHER_PARAM_AEAD_TAG) {
        if (encrypts_ || each->data == nullptr || each->data_size != kTag) return false;
        std::memcpy(expected_tag_.data(), each->data, kTag);
      } else if (key == OSSL_CIPHER_PARAM_AEAD_IVLEN) {
        std::size_t size = 0;
        if (OSSL_PARAM_get_size_t(each, &size) != 1 || size != kIv) return false;
      }
    }
    return true;
  }

  bool get(OSSL_PARAM* params) const {
    if (tls12_) return EVP_CIPHER_CTX_get_params(tls12_.get(), params) == 1;
    for (OSSL_PARAM* each = params; each->key != nullptr; ++each) {
      const std::string_view key = each->key;
      int done = 1;
      if (key == OSSL_CIPHER_PARAM_AEAD_TAG) {
        done = OSSL_PARAM_set_octet_string(each, tag_.data(), kTag);
      } else if (key == OSSL_CIPHER_PARAM_IVLEN) {
        done = OSSL_PARAM_set_size_t(each, kIv);
      } else if (key == OSSL_CIPHER_PARAM_KEYLEN) {
        done = OSSL_PARAM_set_size_t(each, size_.bytes);
      } else if (key == OSSL_CIPHER_PARAM_AEAD_TAGLEN) {
        done = OSSL_PARAM_set_size_t(each, kTag);
      }
      if (done != 1) return false;
    }
    return true;
  }

 private:
  enum class Record { none, begun, crypted };

  bool authenticate(const unsigned char* beside, std::size_t size) {
    if (record_ != Record::begun || size > beside_.size() - beside_size_) return false;
    std::memcpy(beside_.data() + beside_size_, beside, size);
    beside_size_ += size;
    return true;
  }

  bool crypt(unsigned char* to, const unsigned char* text, std::size_t size) {
    if (record_ != Record::begun) return false;
    record_ = Record::crypted;
    const auto run = encrypts_ ? size_.encrypt : size_.decrypt;
    run(&key_, &scratch_, to, text, size, iv_.data(), beside_.data(), beside_size_, tag_.data(),
        kTag);
    return true;
  }

  /// TLS 1.2 has the cipher form IVs and records. Few speak it, and OpenSSL's own can.
  bool become_tls12() {
    const std::unique_ptr<EVP_CIPHER, FreeCipher> own(
        EVP_CIPHER_fetch(nullptr, size_.name, "provider=default"));
    tls12_.reset(EVP_CIPHER_CTX_new());
    // Expanded, a key begins with itself.
    const bool done = own && tls12_ && has_key_ &&
                      EVP_CipherInit_ex2(tls12_.get(), own.get(), key_.expanded_keys, nullptr,
                                         encrypts_ ? 1 : 0, nullptr) == 1;
    if (!done) tls12_.reset();
    return done;
  }

  bool update_tls12(unsigned char* to, std::size_t* written, const unsigned char* text,
                    std::size_t size) {
    int count = 0;
    if (EVP_CipherUpdate(tls12_.get(), to, &count, text, static_cast<int>(size)) != 1) return false;
    *written = static_cast<std::size_t>(count);
    return true;
  }

  const KeySize& size_;
  // The header aligns it only where LINUX is defined.
  alignas(64) gcm_key_data key_{};
  gcm_context_data scratch_{};
  std::array<unsigned char, kIv> iv_{};
  std::array<unsigned char, 16> beside_{};  // TLS 1.3: a record's five bytes of header
  std::size_t beside_size_ = 0;
  std::array<unsigned char, kTag> tag_{};
  std::array<unsigned char, kTag> expected_tag_{};
  bool encrypts_ = false;
  bool has_key_ = false;
  Record record_ = Record::none;
  std::unique_ptr<EVP_CIPHER_CTX, FreeCipher> tls12_;
};

AesGcm& cipher_of(void* context) { return *static_cast<AesGcm*>(context); }

template <bool kEncrypts>
int init(void* context, const unsigned char* key, std::size_t key_size, const unsigned char* iv,
         std::size_t iv_size, const OSSL_PARAM* params) {
  AesGcm& cipher = cipher_of(context);
  return cipher.init(kEncrypts, key, key_size, iv, iv_size) &&
         (params == nullptr || cipher.set(params));
}

int update(void* context, unsigned char* to, std::size_t* written, std::size_t room,
           const unsigned char* text, std::size_t size) {
  return (to == nullptr || room >= size) && cipher_of(context).update(to, written, text, size);
}

int finish(void* context, unsigned char*, std::size_t* written, std::size_t) {
  *written = 0;
  return cipher_of(context).finish();
}

template <const KeySize& kSize>
int describe(OSSL_PARAM* params) {
  const auto say = [params](const char* key, std::size_t value) {
    OSSL_PARAM* const param = OSSL_PARAM_locate(params, key);
    return param == nullptr || OSSL_PARAM_set_size_t(param, value) == 1;
  };
  return say(OSSL_CIPHER_PARAM_MODE, EVP_CIPH_GCM_MODE) &&
         say(OSSL_CIPHER_PARAM_KEYLEN, kSize.bytes) && say(OSSL_CIPHER_PARAM_IVLEN, kIv) &&
         say(OSSL_CIPHER_PARAM_BLOCK_SIZE, 1) && say(OSSL_CIPHER_PARAM_AEAD, 1) &&
         say(OSSL_CIPHER_PARAM_CUSTOM_IV, 1);
}

/// `Function`: OpenSSL's type of it.
template <class Function>
OSSL_DISPATCH entry(int id, Function* function) {
  return {id, reinterpret_cast<void (*)()>(function)};
}

template <const KeySize& kSize>
const OSSL_DISPATCH* functions() {
  static const std::array kFunctions = {
      entry<OSSL_FUNC_cipher_newctx_fn>(
          OSSL_FUNC_CIPHER_NEWCTX, [](void*) -> void* { return new (std::nothrow) AesGcm(kSize); }),
      entry<OSSL_FUNC_cipher_freectx_fn>(OSSL_FUNC_CIPHER_FREECTX,
                                         [](void* context) { delete &cipher_of(context); }),
      entry<OSSL_FUNC_cipher_encrypt_init_fn>(OSSL_FUNC_CIPHER_ENCRYPT_INIT, init<true>),
      entry<OSSL_FUNC_cipher_decrypt_init_fn>(OSSL_FUNC_CIPHER_DECRYPT_INIT, init<false>),
      entry<OSSL_FUNC_cipher_update_fn>(OSSL_FUNC_CIPHER_UPDATE, update),
      entry<OSSL_FUNC_cipher_final_fn>(OSSL_FUNC_CIPHER_FINAL, finish),
      entry<OSSL_FUNC_cipher_get_params_fn>(OSSL_FUNC_CIPHER_GET_PARAMS, describe<kSize>),
      entry<OSSL_FUNC_cipher_get_ctx_params_fn>(
          OSSL_FUNC_CIPHER_GET_CTX_PARAMS,
          [](void* context, OSSL_PARAM* params) -> int { return cipher_of(context).get(params); }),
      entry<OSSL_FUNC_cipher_set_ctx_params_fn>(OSSL_FUNC_CIPHER_SET_CTX_PARAMS,
                                                [](void* context, const OSSL_PARAM* params) -> int {
                                                  return cipher_of(context).set(params);
                                                }),
      OSSL_DISPATCH{0, nullptr},
  };
  return kFunctions.data();
}

const OSSL_ALGORITHM* algorithms(void*, int operation, int* no_cache) {
  static const std::array kAlgorithms = {
      OSSL_ALGORITHM{kAes128.names, kProperty, functions<kAes128>(), nullptr},
      OSSL_ALGORITHM{kAes256.names, kProperty, functions<kAes256>(), nullptr},
      OSSL_ALGORITHM{nullptr, nullptr, nullptr, nullptr},
  };
  *no_cache = 0;
  return operation == OSSL_OP_CIPHER ? kAlgorithms.data() : nullptr;
}

int init_provider(const OSSL_CORE_HANDLE*, const OSSL_DISPATCH*, const OSSL_DISPATCH** functions,
                  void** context) {
  static const std::array kFunctions = {
      entry<OSSL_FUNC_provider_query_operation_fn>(OSSL_FUNC_PROVIDER_QUERY_OPERATION, algorithms),
      OSSL_DISPATCH{0, nullptr},
  };
  static int nothing = 0;  // OpenSSL wants a context
  *context = &nothing;
  *functions = kFunctions.data();
  return 1;
}

bool processor_has_vaes() {
  return __builtin_cpu_supports("vaes") && __builtin_cpu_supports("vpclmulqdq") &&
         __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512bw") &&
         __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("bmi2");
}

struct UnloadProvider {
  void operator()(OSSL_PROVIDER* provider) const { OSSL_PROVIDER_unload(provider); }
};
using Provider = std::unique_ptr<OSSL_PROVIDER, UnloadProvider>;

Provider load() {
  constexpr int kBesideTheDefault = 1;
  // Whoever configures OpenSSL to do without its default provider has reasons to choose another.
  if (!processor_has_vaes() || OSSL_PROVIDER_available(nullptr, "default") != 1 ||
      OSSL_PROVIDER_add_builtin(nullptr, kProvider, init_provider) != 1) {
    return nullptr;
  }
  return Provider(OSSL_PROVIDER_try_load(nullptr, kProvider, kBesideTheDefault));
}

}  // namespace

const char* aes_gcm_properties() {
  static const Provider kLoaded = load();
  return kLoaded ? kPreferred : nullptr;
}

}  // namespace winadmit::server

#else

namespace winadmit::server {

const char* aes_gcm_properties() { return nullptr; }

}  // namespace winadmit::server

#endif
