/**
 * Style of the output of `reportBody`: light, dark and for print. The page itself defines the colours `--ink`, `--soft`, `--line` and
 * `--card`, and styles headings, lists of facts, notices and scrolling parts. No part of the style comes from data.
 */
export const REPORT_STYLE = `
:root{--bar:#0f6a71;--area:#7a4a00;--same:15,106,113;--other:193,77,26}
@media screen and (prefers-color-scheme:dark){:root{--bar:#4fb3ba;--area:#f0bd6a;--same:64,160,168;--other:214,98,48}}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(12rem,1fr));gap:.8rem;margin:1.2rem 0;padding:0;list-style:none}
.figures li{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:.8rem 1rem}
.figures b{display:block;font-size:1.7rem;line-height:1.3;font-variant-numeric:tabular-nums}.figures span{display:block;color:var(--soft);font-size:.9rem}
ul.remarks{padding-left:1.2rem;max-width:50rem}ul.remarks li{margin:.35rem 0;overflow-wrap:anywhere}
:is(.matrix,.rates,.areas){border-collapse:collapse;width:100%;font-size:.9rem}:is(.matrix,.rates,.areas) caption{text-align:left;font-weight:400;color:var(--soft);padding:.4rem 0}
:is(.matrix,.rates,.areas) :is(th,td){padding:.3rem .5rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:middle}:is(.matrix,.rates,.areas) th{overflow-wrap:anywhere}
:is(.matrix,.rates,.areas) thead th{vertical-align:bottom;font-weight:600;color:var(--soft);hyphens:auto}
:is(.matrix,.rates,.areas) tbody th{font-weight:500;min-width:7rem;color:var(--ink)}.areas :is(th,td).num{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.matrix :is(th,td){padding:.3rem}.matrix thead th{font-size:.8rem;line-height:1.25;overflow-wrap:normal}.matrix thead th:not(:first-child){writing-mode:vertical-rl;white-space:nowrap}.matrix tbody td,.matrix tfoot td{white-space:nowrap;text-align:right;font-variant-numeric:tabular-nums}
.matrix .none{color:var(--soft)}.matrix .sum{color:var(--soft);border-left:1px solid var(--line)}.matrix tfoot th,.matrix tfoot td{color:var(--soft);text-align:right}.matrix tfoot th{text-align:left}
${heat('s', '--same')}${heat('o', '--other')}
.rates td{width:36%}.rates td.f1{width:4rem}.areas+.rates,.rates+.rates{margin-top:1.2rem}.rates .bar{display:block;width:100%;height:1rem}.rates td span{font-variant-numeric:tabular-nums;font-size:.85rem}
.bar .track{fill:var(--line)}.bar .value{fill:var(--bar)}.bar .value.area{fill:var(--area)}.bar .range{fill:var(--ink)}.bar .end{fill:var(--ink)}.bar .line{fill:var(--ink)}
.areas .bar{display:block;width:100%;min-width:7rem;height:1.6rem}
@media (max-width:40rem){.rates,.rates tbody,.rates tr,.rates caption,.areas,.areas tbody,.areas tr,.areas caption{display:block}.rates thead,.areas thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}.rates th,.rates td,.areas th,.areas td{display:block;width:auto;border:0;text-align:left!important;padding:.15rem .2rem;white-space:normal!important}.rates tr,.areas tr{border-bottom:1px solid var(--line);padding:.4rem 0}.rates td::before,.areas td[data-name]::before{content:attr(data-name);color:var(--soft);font-size:.82rem;margin-right:.5rem}}
@media print{.matrix{font-size:8pt}.figures li{break-inside:avoid}}
`;

/** Ten tints of one colour, light enough for readable text on them. */
function heat(name: string, color: string): string {
  return Array.from(
    { length: 10 },
    (_, i) => `.${name}${i}{background:rgba(var(${color}),${(0.04 + i * 0.04).toFixed(2)})}`,
  ).join('');
}
