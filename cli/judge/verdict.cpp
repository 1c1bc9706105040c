#include "cli/judge/verdict.hpp"

#include "text/text.hpp"

namespace winadmit::cli {

manifests::FileError left_out_error(const manifests::Manifest& manifest, const Verdict& verdict) {
  return manifests::error_at(manifests::location_of(manifest),
                             verdict.object.to_string() + " has too many findings: " +
                                 format_count(verdict.left_out) + " left out");
}

}  // namespace winadmit::cli
