#include "cli/report/html_page.hpp"

#include "bytes/base64.hpp"
#include "bytes/digest.hpp"

namespace winadmit::cli {
namespace {

constexpr std::string_view kStyle = R"css(
:root { color-scheme: light dark; --text: #1d2330; --faint: #5b6475; --page: #f6f7f9; --card: #fff;
  --line: #d9dde4; --deny: #b3261e; --warn: #8a5a00; --bar: #3b6fd4; }
@media (prefers-color-scheme: dark) { :root { --text: #e4e7ee; --faint: #a0a8b8; --page: #14171d;
  --card: #1d222b; --line: #363d4a; --deny: #ff8a80; --warn: #f5bf4f; --bar: #7aa2f7; } }
* { box-sizing: border-box; }
@media (prefers-reduced-motion: no-preference) { html { scroll-behavior: smooth; } }
body { margin: 0 auto; max-width: 72rem; padding: 1rem; font: 16px/1.5 system-ui, sans-serif;
  color: var(--text); background: var(--page); overflow-wrap: anywhere; }
h1 { font-size: 1.4rem; } h2 { font-size: 1.1rem; margin: 1.5rem 0 .5rem; }
.faint { color: var(--faint); } code { font-size: .9em; }
.charts { display: grid; gap: 1rem; grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); }
.card, article { background: var(--card); border: 1px solid var(--line); border-radius: .5rem;
  padding: .75rem 1rem; }
.card h2 { margin-top: 0; }
.bar { display: block; width: 100%; text-align: left; font: inherit; font-size: .875rem;
  color: inherit; background: none; border: 0; padding: .15rem 0; cursor: pointer; }
.bar:disabled { cursor: auto; } .bar[aria-pressed=true] { font-weight: 700; }
.bar span { display: flex; justify-content: space-between; gap: .5rem; } .bar b { flex: none; }
.bar i { display: block; height: .4rem; border-radius: .2rem; background: var(--bar);
  min-width: 2px; }
form { display: flex; flex-wrap: wrap; align-items: center; gap: .5rem; margin: 1rem 0;
  background: var(--page); padding: .5rem 0; }
form[hidden] { display: none; } output { flex: 1 1 100%; }
@media (min-width: 48rem) and (min-height: 40rem) {
  form { position: sticky; top: 0; } html { scroll-padding-top: 9rem; }
}
input, select, form button { font: inherit; padding: .35rem .5rem; border: 1px solid var(--line);
  border-radius: .35rem; background: var(--card); color: inherit; max-width: 100%; }
input { flex: 1 1 14rem; } input::placeholder { color: var(--faint); opacity: 1; }
summary { cursor: pointer; padding: .25rem 0; color: var(--faint); }
article { margin: .5rem 0; } h3 { font-size: 1rem; margin: 0; }
.finding { margin: .5rem 0; padding-left: .75rem; border-left: .3rem solid var(--warn); }
.finding[data-action=error] { border-left-color: var(--deny); }
.finding p, .finding ul { margin: .2rem 0; } .finding ul { padding-left: 1.25rem; }
article[hidden], .finding[hidden] { display: none; }
.action { font-weight: 600; color: var(--warn); }
[data-action=error] .action { color: var(--deny); }
)css";

constexpr std::string_view kScript = R"js(
const form = document.querySelector('form');
const objects = [...document.querySelectorAll('article')];
const bars = [...document.querySelectorAll('.bar')];
function filter() {
  const words = form.search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0, all = 0;
  const isChosen = (key, data) => !form[key].value || form[key].value === data[key];
  for (const object of objects) {
    const name = object.querySelector('h3').textContent;
    object.hidden = true;
    for (const row of object.querySelectorAll('.finding')) {
      const data = {...object.dataset, ...row.dataset};
      const text = (name + ' ' + row.textContent).toLowerCase();
      row.hidden = !['action', 'rule', 'namespace', 'workload'].every((key) => isChosen(key, data)) ||
        !words.every((word) => text.includes(word));
      all += Number(data.count);
      if (row.hidden) continue;
      shown += Number(data.count);
      object.hidden = false;
    }
  }
  form.count.value = shown + ' of ' + all + ' findings';
  for (const bar of bars) {
    bar.setAttribute('aria-pressed', form[bar.dataset.key].value === bar.dataset.value);
  }
}
function showFindings() {
  filter();
  document.querySelector('#findings').scrollIntoView();
}
form.addEventListener('input', showFindings);
form.addEventListener('reset', () => setTimeout(filter));
form.addEventListener('submit', (event) => event.preventDefault());
for (const bar of bars) {
  bar.disabled = false;
  bar.addEventListener('click', () => {
    const select = form[bar.dataset.key];
    select.value = select.value === bar.dataset.value ? '' : bar.dataset.value;
    showFindings();
  });
}
form.hidden = false;
document.querySelector('#charts').open = matchMedia('(min-width: 48rem)').matches;
filter();
)js";

}  // namespace

std::string html_head() {
  std::string head =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; form-action 'none'; base-uri 'none'; script-src 'sha256-";
  head += to_base64(sha256_bytes(kScript));
  head += "'\">\n<title>winadmit check</title>\n<style>";
  head += kStyle;
  head += "</style>\n</head>\n<body>\n";
  return head;
}

std::string_view html_script() { return kScript; }

}  // namespace winadmit::cli
