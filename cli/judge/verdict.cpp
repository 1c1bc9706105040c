#include "cli/judge/verdict.hpp"

#include "text/text.hpp"

namespace winadmit::cli {

manifests::FileError left_out_error(const manifests::Location& at, const Verdict& verdict) {
  return {.what = verdict.object.to_string() + " has too many findings: at least " +
                  format_count(verdict.left_out) + " left out",
          .location = at};
}

}  // namespace winadmit::cli
