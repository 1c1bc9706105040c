#include "tests/server/transport/requests.hpp"

#include <fmt/format.h>

namespace winadmit::test {

std::string post_request(std::string_view body, std::string_view target, std::string_view fields) {
  return fmt::format(
      "POST {} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
      "Content-Length: {}\r\n{}\r\n{}",
      target, body.size(), fields, body);
}

std::string chunk(std::string_view bytes) {
  return fmt::format("{:x}\r\n{}\r\n", bytes.size(), bytes);
}

std::string review(std::string_view uid, std::size_t padding, std::string_view spec) {
  std::string text =
      R"({"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":")";
  text.append(uid).append(R"(","kind":{"kind":"Pod"},"operation":"CREATE","object":{"metadata":)");
  text.append(R"({"annotations":{"a":")").append(padding, 'x').append(R"("}},"spec":)");
  return text.append(spec).append("}}}");
}

std::string review_with_findings(std::string_view uid, int count) {
  std::string volumes;
  for (int i = 0; i < count; ++i) volumes.append(i == 0 ? "" : ",").append(R"({"nfs":{}})");
  return review(uid, 0,
                R"({"nodeSelector":{"kubernetes.io/os":"windows"},"volumes":[)" + volumes + "]}");
}

}  // namespace winadmit::test
