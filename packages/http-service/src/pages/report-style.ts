/** Style of reports, on the screen and on paper: there without what only leads elsewhere, in ink on white, no table row torn apart. */
export const REPORT_STYLE = `
.report figure{margin-bottom:.8rem}
.outlines{display:block;max-width:100%;height:auto;background:var(--paper);border:1px solid var(--line)}
.outlines .near{fill:none;stroke:var(--soft);stroke-width:1}.outlines .own{fill:var(--brand);fill-opacity:.35;stroke:var(--ink);stroke-width:2}
.lines{display:block;width:100%;max-width:44rem;margin:0 auto;height:auto}.lines text{fill:var(--ink);font-size:15px}.lines .grid{stroke:var(--line);stroke-width:1}
.yearbars{list-style:none;margin:0 0 1rem;padding:0}.yearbars li{display:grid;grid-template-columns:6.5rem 1fr;gap:.8rem;align-items:center;padding:.15rem 0}
@media print{
:root{--ink:#000;--soft:#333;--line:#bbb;--paper:#fff;--card:#fff;--brand:#0f5a60;--get:#000;color-scheme:light}
body{font-size:11pt;-webkit-print-color-adjust:exact;print-color-adjust:exact}
.top,.skip,.crumbs,.screen{display:none}.wrap{max-width:none;padding:0}.scroll{overflow:visible}
h1{margin-top:0}h2,caption,summary{break-after:avoid}tr,figure,.yearbars li{break-inside:avoid}
}
`;
