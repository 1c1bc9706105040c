#include "server/json_parser.hpp"

#include <memory>
#include <utility>

// Later versions of simdjson show the one kernel that a program is compiled for.
#if defined(SIMDJSON_HASWELL_H) && defined(SIMDJSON_ICELAKE_H) && SIMDJSON_IMPLEMENTATION_ICELAKE
#define WINADMIT_MIXES_KERNELS 1
#else
#define WINADMIT_MIXES_KERNELS 0
#endif

namespace winadmit::server {

#if WINADMIT_MIXES_KERNELS
namespace {

using Kernel = simdjson::internal::dom_parser_implementation;

/// Others' kernels were not measured.
constexpr bool kIsKnownVersion =
    simdjson::SIMDJSON_VERSION_MAJOR == 3 && simdjson::SIMDJSON_VERSION_MINOR == 0;

template <class Made>
std::unique_ptr<Made> make_kernel(const char* name) {
  std::unique_ptr<Kernel> made;
  const auto* const implementation = simdjson::get_available_implementations()[name];
  if (implementation->create_dom_parser_implementation(0, 0, made) != simdjson::SUCCESS) return {};
  return std::unique_ptr<Made>(static_cast<Made*>(made.release()));
}

/// simdjson 3.0 for AVX-512 ("icelake") finds where the values of a text begin, stage 1, in a third
/// of the time that its kernel for AVX2 ("haswell") takes. Stage 2, which checks the values and
/// keeps them, then takes a fifth longer than AVX2's: it copies strings in steps of 32 bytes, as
/// that one does, and stores 64 at each (simdjson.h, icelake::backslash_and_quote). So each does
/// what it does better: 17.7 to 15.9 us for 64 KB, 147 to 129 for 512 KB.
class MixedKernel final : public Kernel {
 public:
  /// Nothing if there is no memory.
  static std::unique_ptr<Kernel> make() {
    auto finds = make_kernel<simdjson::icelake::dom_parser_implementation>("icelake");
    auto keeps = make_kernel<simdjson::haswell::dom_parser_implementation>("haswell");
    if (!finds || !keeps) return {};
    std::unique_ptr<Kernel> made(new MixedKernel(std::move(finds), std::move(keeps)));
    if (made->set_max_depth(simdjson::DEFAULT_MAX_DEPTH) != simdjson::SUCCESS) return {};
    return made;
  }

  simdjson::error_code parse(const std::uint8_t* text, std::size_t size,
                             simdjson::dom::document& document) noexcept override {
    const auto error = stage1(text, size, simdjson::stage1_mode::regular);
    return error != simdjson::SUCCESS ? error : stage2(document);
  }

  simdjson::error_code stage1(const std::uint8_t* text, std::size_t size,
                              simdjson::stage1_mode mode) noexcept override {
    return finds_->stage1(text, size, mode);
  }

  simdjson::error_code stage2(simdjson::dom::document& document) noexcept override {
    keeps_->buf = finds_->buf;
    keeps_->len = finds_->len;
    keeps_->n_structural_indexes = finds_->n_structural_indexes;
    keeps_->structural_indexes.swap(finds_->structural_indexes);
    const auto error = keeps_->stage2(document);
    keeps_->structural_indexes.swap(finds_->structural_indexes);
    return error;
  }

  /// Streams of documents are not read here.
  simdjson::error_code stage2_next(simdjson::dom::document&) noexcept override {
    return simdjson::UNSUPPORTED_ARCHITECTURE;
  }

  std::uint8_t* parse_string(const std::uint8_t* from, std::uint8_t* to) const noexcept override {
    return keeps_->parse_string(from, to);
  }

  simdjson::error_code set_capacity(std::size_t capacity) noexcept override {
    const auto error = finds_->set_capacity(capacity);
    _capacity = finds_->capacity();
    return error;
  }

  simdjson::error_code set_max_depth(std::size_t depth) noexcept override {
    const auto error = keeps_->set_max_depth(depth);
    _max_depth = keeps_->max_depth();
    return error;
  }

 private:
  MixedKernel(std::unique_ptr<simdjson::icelake::dom_parser_implementation> finds,
              std::unique_ptr<simdjson::haswell::dom_parser_implementation> keeps)
      : finds_(std::move(finds)), keeps_(std::move(keeps)) {}

  std::unique_ptr<simdjson::icelake::dom_parser_implementation> finds_;
  std::unique_ptr<simdjson::haswell::dom_parser_implementation> keeps_;
};

}  // namespace
#endif

simdjson::dom::parser make_parser() {
  simdjson::dom::parser parser;
#if WINADMIT_MIXES_KERNELS
  // simdjson looks at the processor when a kernel is first asked for.
  const auto error = parser.allocate(0);
  if (kIsKnownVersion && error == simdjson::SUCCESS &&
      simdjson::get_active_implementation()->name() == "icelake") {
    if (auto mixed = MixedKernel::make()) parser.implementation = std::move(mixed);
  }
#endif
  return parser;
}

}  // namespace winadmit::server
