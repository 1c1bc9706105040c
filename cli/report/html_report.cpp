// A page for a repository or a cluster: charts by rule, namespace and workload, and all findings
// with filters. Findings are collected in memory, because the charts come before them.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "cli/report/escape.hpp"
#include "cli/report/formats.hpp"
#include "cli/report/html_page.hpp"

namespace winadmit::cli {
namespace {

/// The values that findings can be filtered by.
struct Facet {
  const char* key;
  const char* title;
  Counts counts = {};
};

std::string attribute(const std::string& name, const std::string& value) {
  return ' ' + name + "=\"" + escape_markup(value) + '"';
}

/// For a value that a finding has none of: an entry of .winadmit.yaml is about no object.
std::string or_none(std::string value) { return value.empty() ? "(none)" : std::move(value); }

std::string namespace_of(const ManifestFinding& finding) {
  return or_none(finding.object.name_space);
}

class HtmlReport final : public Report {
 public:
  explicit HtmlReport(std::ostream& out) : out_(out) {}

  void finding(const ManifestFinding& finding) override {
    const std::string action = finding.is_denial ? "error" : "warning";
    const std::string workload = or_none(finding.object.to_string());
    ++rules_.counts[finding.rule];
    ++namespaces_.counts[namespace_of(finding)];
    ++workloads_.counts[workload];
    findings_ +=
        "<article" + attribute("data-action", action) + attribute("data-rule", finding.rule) +
        attribute("data-namespace", namespace_of(finding)) + attribute("data-workload", workload) +
        ">\n<p><span class=\"action\">" + action + "</span> " + rule_link(finding) + " in " +
        escape_markup(or_none(finding.subject())) + "</p>\n<p><code>" +
        escape_markup(finding.field) + "</code> " + escape_markup(finding.reason) + "</p>\n";
    if (!finding.instead.empty())
      findings_ += "<p>Instead: " + escape_markup(finding.instead) + "</p>\n";
    findings_ +=
        "<p class=\"faint\">" + escape_markup(to_string(finding.location)) + "</p>\n</article>\n";
  }

  void end(const Summary& summary) override {
    out_ << html_head() << "<h1>winadmit check</h1>\n";
    for (const std::string& line : summary_lines(summary))
      out_ << "<p>" << escape_markup(line) << "</p>\n";
    write_list("Not read", summary.errors);
    out_ << "<div class=\"charts\">\n";
    for (const Facet* each : {&rules_, &namespaces_, &workloads_}) write_chart(*each);
    out_ << "</div>\n";
    write_filters();
    out_ << "<main>\n" << findings_ << "</main>\n";
    write_list("Skipped: no Kubernetes objects", summary.skipped);
    write_list("Skipped: templates of Helm charts", summary.skipped_charts);
    write_list("Skipped: other templates", summary.skipped_templates);
    out_ << "<script>" << html_script() << "</script>\n</body>\n</html>\n";
  }

 private:
  static std::string rule_link(const ManifestFinding& finding) {
    const std::string url = source_url(finding);
    const std::string name = "<b>" + escape_markup(finding.rule) + "</b>";
    if (url.empty()) return name;
    return "<a" + attribute("href", url) + " rel=\"noreferrer\">" + name + "</a>";
  }

  void write_list(const std::string& title, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    out_ << "<h2>" << title << "</h2>\n<ul>\n";
    for (const std::string& line : lines) out_ << "<li>" << escape_markup(line) << "</li>\n";
    out_ << "</ul>\n";
  }

  /// The most frequent values.
  void write_chart(const Facet& facet) {
    constexpr std::size_t kMaxBars = 12;
    std::vector<std::pair<std::string, std::size_t>> sorted(facet.counts.begin(),
                                                            facet.counts.end());
    std::ranges::stable_sort(sorted, std::greater(), &std::pair<std::string, std::size_t>::second);
    out_ << "<section class=\"card\"><h2>" << facet.title << "</h2>\n";
    for (std::size_t i = 0; i < std::min(sorted.size(), kMaxBars); ++i) {
      const auto& [value, count] = sorted[i];
      const std::size_t percent = 100 * count / sorted.front().second;
      out_ << "<button type=\"button\" class=\"bar\" disabled" << attribute("data-key", facet.key)
           << attribute("data-value", value) << "><span><span>" << escape_markup(value)
           << "</span><b>" << count << "</b></span><i style=\"width:" << percent
           << "%\"></i></button>\n";
    }
    if (sorted.size() > kMaxBars)
      out_ << "<p class=\"faint\">and " << sorted.size() - kMaxBars << " more</p>\n";
    out_ << "</section>\n";
  }

  void write_select(const std::string& key, const std::string& every, const Counts& values) {
    out_ << "<select" << attribute("name", key) << attribute("aria-label", key)
         << "><option value=\"\">" << every << "</option>";
    for (const auto& [value, count] : values) {
      out_ << "<option" << attribute("value", value) << '>' << escape_markup(value) << "</option>";
    }
    out_ << "</select>\n";
  }

  void write_filters() {
    out_ << "<h2 id=\"findings\">Findings</h2>\n<form hidden>\n<input name=\"search\" "
            "type=\"search\" "
            "placeholder=\"Search\" aria-label=\"search\">\n";
    write_select("action", "errors and warnings", {{"error", 0}, {"warning", 0}});
    write_select("rule", "all rules", rules_.counts);
    write_select("namespace", "all namespaces", namespaces_.counts);
    write_select("workload", "all workloads", workloads_.counts);
    out_ << "<button type=\"reset\">Reset</button>\n"
            "<output name=\"count\" class=\"faint\"></output>\n</form>\n";
  }

  std::ostream& out_;
  Facet rules_{.key = "rule", .title = "By rule"};
  Facet namespaces_{.key = "namespace", .title = "By namespace"};
  Facet workloads_{.key = "workload", .title = "By workload"};
  std::string findings_;
};

}  // namespace

std::unique_ptr<Report> make_html_report(std::ostream& out, const ReportSettings&) {
  return std::make_unique<HtmlReport>(out);
}

}  // namespace winadmit::cli
