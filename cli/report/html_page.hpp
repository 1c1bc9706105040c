// The parts of the HTML report that are the same in every report. All of it is in the page: it
// loads nothing.
#pragma once

#include <string>
#include <string_view>

namespace winadmit::cli {

/// From the doctype to the start of the body. Its content security policy lets only html_script()
/// run, so that nothing from a manifest can, whatever an escape may miss.
std::string html_head();

/// The body of the element `script`: filters the findings.
std::string_view html_script();

}  // namespace winadmit::cli
