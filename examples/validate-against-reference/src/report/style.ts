/** Style of the report: light, dark and print, contrast of at least 4.5:1. No part of it comes from data. */
export const STYLE = `
:root{--ink:#14262b;--soft:#4a5f66;--line:#d6e0e1;--paper:#f6f9f8;--card:#fff;--link:#0b5cad;--bar:#0f6a71;--area:#7a4a00;--warn:#a1231d;--same:15,106,113;--other:193,77,26;color-scheme:light dark}
@media screen and (prefers-color-scheme:dark){:root{--ink:#e4eeee;--soft:#a5b8bc;--line:#2b3d42;--paper:#0f1a1d;--card:#162529;--link:#8cc4ff;--bar:#4fb3ba;--area:#f0bd6a;--warn:#ff9d95;--same:64,160,168;--other:214,98,48}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif}
main{max-width:66rem;margin:0 auto;padding:1.5rem 1.25rem 3rem}
h1{font-size:clamp(1.6rem,4vw,2.3rem);line-height:1.2;margin:.6rem 0;overflow-wrap:anywhere;text-wrap:balance}
h2{font-size:1.3rem;margin:2.4rem 0 .7rem}
p{max-width:48rem}.soft,figcaption,.facts dt{color:var(--soft);font-size:.93rem}
.notice{border:1px solid var(--line);border-left:5px solid var(--warn);background:var(--card);border-radius:10px;padding:.8rem 1.1rem;max-width:none}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(12rem,1fr));gap:.8rem;margin:1.2rem 0;padding:0;list-style:none}
.figures li{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:.8rem 1rem}
.figures b{display:block;font-size:1.7rem;line-height:1.3;font-variant-numeric:tabular-nums}.figures span{display:block;color:var(--soft);font-size:.9rem}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:.5rem 1.5rem;margin:0}.facts dd{margin:0;overflow-wrap:anywhere}
ul.remarks{padding-left:1.2rem;max-width:50rem}ul.remarks li{margin:.35rem 0;overflow-wrap:anywhere}
.scroll{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:12px;padding:.4rem .8rem}
.scroll:focus-visible{outline:3px solid #d98a00;outline-offset:2px}
table{border-collapse:collapse;width:100%;font-size:.9rem}caption{text-align:left;color:var(--soft);padding:.4rem 0}
figure,th,.key li,.facts div{min-width:0;overflow-wrap:anywhere}
th,td{padding:.3rem .5rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:middle}
thead th{vertical-align:bottom;font-weight:600;color:var(--soft);hyphens:auto}
tbody th{font-weight:500;min-width:7rem}td.num,th.num{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.matrix thead th{max-width:6.5rem;min-width:3.4rem;font-size:.8rem;line-height:1.25}.matrix td{white-space:nowrap;text-align:right;font-variant-numeric:tabular-nums}
.matrix .none{color:var(--soft)}.matrix .sum{color:var(--soft);border-left:1px solid var(--line)}.matrix tfoot th,.matrix tfoot td{color:var(--soft);text-align:right}.matrix tfoot th{text-align:left}
${heat('s', '--same')}${heat('o', '--other')}
.swatch{width:.9rem;height:.9rem;vertical-align:-.12rem;margin-right:.45rem}.swatch rect{stroke:var(--soft)}
.rates td{width:36%}.rates td.f1{width:4rem}.areas+.rates,.rates+.rates{margin-top:1.2rem}.rates .bar{display:block;width:100%;height:1rem}.rates td span{font-variant-numeric:tabular-nums;font-size:.85rem}
.bar .track{fill:var(--line)}.bar .value{fill:var(--bar)}.bar .value.area{fill:var(--area)}.bar .range{fill:var(--ink)}.bar .end{fill:var(--ink)}.bar .line{fill:var(--ink)}
.areas .bar{display:block;width:100%;min-width:7rem;height:1.6rem}
.pictures>*{min-width:0}.pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:1rem}
figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1rem}
figure>svg,figure>img{display:block;width:100%;height:auto;max-height:36rem;image-rendering:pixelated;background:#fff}
.right{fill:#fff;stroke:#08306b}.wrong{stroke:#000}.wrong-under{stroke:#fff}
.key{display:flex;flex-wrap:wrap;gap:.2rem 1rem;padding:0;margin:.6rem 0 0;list-style:none;font-size:.88rem}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (max-width:40rem){.rates,.rates tbody,.rates tr,.rates caption,.areas,.areas tbody,.areas tr,.areas caption{display:block}.rates thead,.areas thead{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}.rates th,.rates td,.areas th,.areas td{display:block;width:auto;border:0;text-align:left!important;padding:.15rem .2rem;white-space:normal!important}.rates tr,.areas tr{border-bottom:1px solid var(--line);padding:.4rem 0}.rates td::before,.areas td[data-name]::before{content:attr(data-name);color:var(--soft);font-size:.82rem;margin-right:.5rem}}
@media print{body{background:#fff;font-size:11pt}main{max-width:none;padding:0}.scroll{overflow:visible;padding:0;border:0}.matrix{font-size:8pt}.matrix thead th{min-width:0}figure,tr,.figures li,.notice{break-inside:avoid}h2{break-after:avoid}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`;

/** Ten tints of one colour, faint enough for the text on them. */
function heat(name: string, color: string): string {
  return Array.from(
    { length: 10 },
    (_, i) => `.${name}${i}{background:rgba(var(${color}),${(0.04 + i * 0.04).toFixed(2)})}`,
  ).join('');
}
