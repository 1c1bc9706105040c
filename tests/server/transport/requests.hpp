// Requests as bytes, for tests of the webhook port.
#pragma once

#include <string>
#include <string_view>

namespace winadmit::test {

/// A POST as the API server sends it. `fields`: more header lines, each with its CR and LF.
std::string post_request(std::string_view body, std::string_view target = "/validate?timeout=10s",
                         std::string_view fields = "");

/// The beginning of a POST to /validate; more fields and an empty line may follow.
inline const std::string kPostHeader =
    "POST /validate HTTP/1.1\r\nHost: h\r\nContent-Type: application/json\r\n";

/// The header of a POST with a chunked body.
inline const std::string kChunkedHeader = kPostHeader + "Transfer-Encoding: chunked\r\n\r\n";

/// One chunk of a body.
std::string chunk(std::string_view bytes);

/// A review of a pod with an annotation of `padding` bytes.
std::string review(std::string_view uid, std::size_t padding = 0,
                   std::string_view spec = R"({"nodeSelector":{"kubernetes.io/os":"windows"}})");

/// A review of a Windows pod that violates a rule `count` times.
std::string review_with_findings(std::string_view uid, int count);

}  // namespace winadmit::test
