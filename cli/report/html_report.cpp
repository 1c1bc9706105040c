// A page for a repository or a cluster: charts by rule, namespace and workload, and all findings by
// object, with filters. Findings are collected in memory, because the charts come before them.
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

std::string workload_of(const ManifestFinding& finding) {
  return or_none(finding.object.to_string());
}

/// Findings of one object that say the same of several fields.
struct Group {
  ManifestFinding first;
  std::vector<std::string> places = {};  // as list items

  bool holds(const ManifestFinding& finding) const {
    return finding.rule == first.rule && finding.is_denial == first.is_denial &&
           finding.reason == first.reason && finding.instead == first.instead;
  }
};

class HtmlReport final : public Report {
 public:
  explicit HtmlReport(std::ostream& out) : out_(out) {}

  void finding(const ManifestFinding& finding) override {
    ++rules_.counts[finding.rule];
    ++namespaces_.counts[namespace_of(finding)];
    ++workloads_.counts[workload_of(finding)];
    if (!is_of_this_object(finding)) end_object();
    auto group = std::ranges::find_if(groups_, [&](auto& each) { return each.holds(finding); });
    if (group == groups_.end()) group = groups_.insert(group, {.first = finding});
    group->places.push_back("<li><code>" + escape_markup(finding.field) +
                            "</code> <span class=\"faint\">" +
                            escape_markup(to_string(finding.location)) + "</span></li>\n");
  }

  void end(const Summary& summary) override {
    end_object();
    out_ << html_head() << "<h1>winadmit check</h1>\n";
    std::vector<std::string> lines = summary_lines(summary);
    if (!lines.empty()) {
      out_ << "<p>" << escape_markup(lines.front()) << "</p>\n";
      lines.erase(lines.begin());
    }
    write_list("Not read", summary.errors);
    out_ << "<details id=\"charts\" open><summary>Charts</summary>\n<div class=\"charts\">\n";
    for (const Facet* each : {&rules_, &namespaces_, &workloads_}) write_chart(*each);
    out_ << "</div>\n</details>\n";
    write_filters();
    out_ << "<main>\n" << objects_ << "</main>\n";
    write_list("Not judged, or left out", lines);
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

  bool is_of_this_object(const ManifestFinding& finding) const {
    if (groups_.empty()) return true;
    const ManifestFinding& first = groups_.front().first;
    return finding.location.file == first.location.file && finding.subject() == first.subject();
  }

  /// Findings of an object come one after another.
  void end_object() {
    if (groups_.empty()) return;
    const ManifestFinding& first = groups_.front().first;
    objects_ += "<article" + attribute("data-namespace", namespace_of(first)) +
                attribute("data-workload", workload_of(first)) + ">\n<h3>" +
                escape_markup(or_none(first.subject())) + "</h3>\n";
    for (const Group& each : groups_) add_group(each);
    objects_ += "</article>\n";
    groups_.clear();
  }

  void add_group(const Group& group) {
    const ManifestFinding& finding = group.first;
    const std::string action = finding.is_denial ? "error" : "warning";
    const std::size_t count = group.places.size();
    objects_ += "<section class=\"finding\"" + attribute("data-action", action) +
                attribute("data-rule", finding.rule) +
                attribute("data-count", std::to_string(count)) + ">\n<p><span class=\"action\">" +
                action + "</span> " + rule_link(finding) + ' ' + escape_markup(finding.reason) +
                "</p>\n";
    if (!finding.instead.empty())
      objects_ += "<p>Instead: " + escape_markup(finding.instead) + "</p>\n";
    constexpr std::size_t kMaxShown = 3;
    const bool is_folded = count > kMaxShown;
    if (is_folded) objects_ += "<details><summary>" + std::to_string(count) + " fields</summary>\n";
    objects_ += "<ul>\n";
    for (const std::string& each : group.places) objects_ += each;
    objects_ += is_folded ? "</ul>\n</details>\n</section>\n" : "</ul>\n</section>\n";
  }

  /// Folded, so that findings are on the first screen of a phone.
  void write_list(const std::string& title, const std::vector<std::string>& lines) {
    if (lines.empty()) return;
    out_ << "<details><summary>" << title << ": " << lines.size() << "</summary>\n<ul>\n";
    for (const std::string& line : lines) out_ << "<li>" << escape_markup(line) << "</li>\n";
    out_ << "</ul>\n</details>\n";
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
  std::vector<Group> groups_;  // of the object whose findings come
  std::string objects_;
};

}  // namespace

std::unique_ptr<Report> make_html_report(std::ostream& out, const ReportSettings&) {
  return std::make_unique<HtmlReport>(out);
}

}  // namespace winadmit::cli
