// What a text that cannot be parsed looks like.
#pragma once

#include <string_view>

namespace winadmit::manifests {

/// Of a document that cannot be read: whether it has the fields apiVersion and kind, one of them in
/// the outermost mapping. The other may be indented by mistake. In JSON and flow style any place
/// counts. Text that was too large to be kept is empty; UTF-16 has NULs.
bool may_be_object(std::string_view text);

}  // namespace winadmit::manifests
