// Fixed files in one stream of documents, as `helm template` prints them.
#pragma once

#include <string>
#include <vector>

#include "cli/fix/fix_file.hpp"
#include "manifests/document.hpp"

namespace winadmit::cli {

class FixStream {
 public:
  explicit FixStream(const manifests::Limits& limits) : limits_(limits) {}

  /// `is_named` as in ListedFile.
  void add(FixedFile file, bool is_named);

  /// One named file byte for byte. Others are told apart by comments, and are YAML.
  std::string text() const;

 private:
  const manifests::Limits& limits_;
  std::vector<FixedFile> files_;
  bool has_folder_ = false;
};

}  // namespace winadmit::cli
