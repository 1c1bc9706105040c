#include "admission/route.hpp"

#include <algorithm>

namespace winadmit::server {

const Route* find_route(std::string_view path) {
  const auto found = std::ranges::find(kRoutes, path, &Route::path);
  return found == kRoutes.end() ? nullptr : &*found;
}

}  // namespace winadmit::server
