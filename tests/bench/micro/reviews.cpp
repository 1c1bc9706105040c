#include "tests/bench/micro/reviews.hpp"

#include <fstream>
#include <iterator>
#include <stdexcept>

#include "admission/review_reader.hpp"

namespace winadmit::bench {

ParsedPod::ParsedPod(const std::filesystem::path& file, const Policy& policy) : name(file.stem()) {
  std::ifstream in(file, std::ios::binary);
  if (!in) throw std::runtime_error("cannot read " + file.string());
  bytes.assign(std::istreambuf_iterator<char>(in), {});
  size = bytes.size();
  bytes.resize(size + simdjson::SIMDJSON_PADDING);
  const server::ParsedReview parsed = server::parse_review(parser, {bytes.data(), size});
  if (parsed.bad_request || !parsed.review.object)
    throw std::runtime_error(name + ": not a review of a pod");
  review = parsed.review;
  const TargetSettings& signals = policy.settings().target;
  pod = read_pod(*review.object, *find_pod_kind(review.kind), signals.windows_labels);
  target = find_target(pod, signals);
}

}  // namespace winadmit::bench
