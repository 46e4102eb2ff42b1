const REPORT_STYLE = `
.report figure{margin-bottom:.8rem}
.outlines{display:block;max-width:100%;height:auto;background:var(--paper);border:1px solid var(--line)}
.outlines .near{fill:none;stroke:var(--soft);stroke-width:1}.outlines .own{fill:var(--brand);fill-opacity:.35;stroke:var(--ink);stroke-width:2}.outlines .area{stroke:#14262b;stroke-width:.8}.outlines .around{fill:none;stroke:var(--ink);stroke-width:2}
.figures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,18rem),1fr));gap:1.2rem;align-items:start;scroll-margin-top:1rem}.breaks{list-style:none;margin:.5rem 0;padding:0}.report .name{font-weight:650;margin:.2rem 0}
.choices li{margin:.4rem 0}.choices li a{display:inline-block;min-width:1.5rem;min-height:1.5rem;margin-right:.5rem}.choices a[aria-current]{font-weight:700;text-decoration-thickness:3px}.choices ul{list-style:none;margin:0}
.lines{display:block;width:100%;max-width:44rem;margin:0 auto;height:auto}.lines text{fill:var(--ink);font-size:15px}.lines .grid{stroke:var(--line);stroke-width:1}
.yearbars{list-style:none;margin:0 0 1rem;padding:0}.yearbars li{display:grid;grid-template-columns:6.5rem 1fr;gap:.8rem;align-items:center;padding:.15rem 0}
@media print{
:root{--ink:#000;--soft:#333;--line:#bbb;--paper:#fff;--card:#fff;--brand:#0f5a60;--get:#000;color-scheme:light}
body{font-size:11pt;-webkit-print-color-adjust:exact;print-color-adjust:exact}
.top,.skip,.crumbs,.screen{display:none}.wrap{max-width:none;padding:0}.scroll{overflow:visible}
h1{margin-top:0}h2,caption,summary{break-after:avoid}tr,figure,.yearbars li{break-inside:avoid}
}
`;

const DOCS_STYLE = `
ul.toc a{text-decoration:underline}
pre.wraps{white-space:pre-wrap;overflow-wrap:anywhere}.wraps [data-status]{word-break:break-all}.try{margin:.8rem 0 .3rem}
.fields{margin:0}.fields>div{display:grid;grid-template-columns:minmax(12rem,1fr) 3fr;gap:.1rem 1rem;padding:.45rem 0;border-bottom:1px solid var(--line)}
.fields dt,.fields dd{margin:0;overflow-wrap:anywhere}.fields .note{color:var(--soft);font-size:.85rem}
.starting,.warning{color:var(--post);font-weight:650}
@media (max-width:40rem){.fields>div{grid-template-columns:1fr}details .inside{padding:0 .7rem .7rem}}
`;

const PLACES_STYLE = `
.placesmap{display:block;width:100%;max-width:46rem;height:auto;background:var(--card);border:1px solid var(--line);border-radius:12px}
.placesmap .grid path{stroke:var(--line);stroke-width:1.5;fill:none}.placesmap .grid text{fill:var(--soft);font-size:20px}
.placesmap .boxes{fill:var(--get);fill-opacity:.3;stroke:var(--get);stroke-width:2}.placesmap .points{fill:none;stroke:var(--get);stroke-opacity:.75;stroke-width:6;stroke-linecap:round}
.placesmap .name{fill:var(--ink);stroke:var(--card);stroke-width:6;paint-order:stroke;font-size:27px;font-weight:650;text-anchor:middle}
.placesmap a path{fill:var(--get);fill-opacity:.15;stroke:var(--get);stroke-width:2}.placesmap a:hover path{fill-opacity:.4}.placesmap a:focus-visible path{stroke:#d98a00;stroke-width:6}.placesmap a rect{fill:transparent;stroke:transparent;stroke-width:3;rx:6px}.placesmap a:hover rect{stroke:var(--ink);fill:var(--get);fill-opacity:.12}.placesmap a:focus{outline:none}.placesmap a:focus-visible rect{stroke:#d98a00;stroke-width:6}
.where{display:grid;grid-template-columns:minmax(0,1fr);gap:0 2rem;align-items:start}.where h2{margin-top:1.2rem}h2.small{font-size:1rem}
@media (min-width:60rem){.where{grid-template-columns:minmax(0,1.6fr) minmax(0,1fr)}.where h2{margin-top:0}.where .places{columns:2 8rem}}
.filters{list-style:none;display:flex;flex-wrap:wrap;gap:.4rem;padding:0;margin:0 0 1rem}.filters a{display:inline-block;min-height:1.75rem;border:1px solid var(--line);border-radius:99px;padding:.05rem .9rem;background:var(--card);text-decoration:none}.filters a[aria-current]{border-color:var(--get);box-shadow:0 0 0 1px var(--get);font-weight:650}
.search{display:flex;flex-wrap:wrap;gap:.5rem;align-items:end;margin:0 0 1.6rem;max-width:46rem}.search label{flex:1 1 100%;font-weight:650}
.search input{flex:1 1 14rem;min-width:0;font:inherit;color:var(--ink);background:var(--card);border:1px solid var(--soft);border-radius:10px;padding:.5rem .8rem}.search input:focus-visible{outline:3px solid #d98a00;outline-offset:2px}
.found{list-style:none;margin:0 0 1rem;padding:0}.found>li{padding:.7rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}.found a{font-weight:650;font-size:1.05rem}.found p{margin:.1rem 0 0;color:var(--soft);font-size:.95rem}
.computations{list-style:none;margin:0 0 1rem;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,20rem),1fr));gap:1rem}.computations>.card{display:flex;flex-direction:column;gap:.4rem;scroll-margin-top:1rem}.computations>.card:target{border-color:var(--get);box-shadow:0 0 0 2px var(--get)}
.computations h3{margin:0;font-size:1.1rem}.computations .card p{margin:0}.computations .card a{text-decoration:underline}.computations .picture img,.computations .sign{display:block;width:100%;height:7rem;object-fit:contain;margin:0 0 .3rem;border-radius:8px}.computations .sign{background:var(--code)}.computations details{margin:auto 0 0}
.computations .sign path{fill:none;stroke:var(--get);stroke-width:2.2;stroke-linecap:round;stroke-linejoin:round}.computations .facts{margin:0;grid-template-columns:1fr;gap:.3rem}
.ways .card{display:flex;flex-direction:column;gap:.5rem}.ways h3{margin:0;font-size:1.15rem}.ways .copy{flex-direction:column;align-items:stretch;margin:0}.ways .copy button{align-self:flex-start;padding:.35rem 0}.ways pre{padding:.6rem .8rem}.ways ul{margin:auto 0 0;padding:0;list-style:none}.places span{color:var(--soft)}
`;

/**
 * Style of every page: system fonts, light and dark, contrast of at least 4.5:1. It contains no data, because the
 * content security policy has its hash.
 */
export const STYLE = `${DOCS_STYLE}
:root{--ink:#14262b;--soft:#4a5f66;--line:#d6e0e1;--paper:#f6f9f8;--card:#fff;--brand:#0f5a60;--brand-ink:#fff;--get:#0b5cad;--post:#7a4a00;--ok:#1b6b3a;--bad:#a1231d;--off:#56656a;--code:#eef3f3;color-scheme:light dark}
@media (prefers-color-scheme:dark){:root{--ink:#e4eeee;--soft:#a5b8bc;--line:#2b3d42;--paper:#0f1a1d;--card:#162529;--brand:#12474c;--get:#8cc4ff;--post:#f0bd6a;--ok:#7fd6a1;--bad:#ff9d95;--off:#a3b1b5;--code:#0c1518}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif}
.wrap{max-width:68rem;margin:0 auto;padding:0 1.25rem}
.skip{position:absolute;left:-999px}.skip:focus{left:1rem;top:1rem;background:var(--card);color:var(--ink);padding:.5rem 1rem;z-index:2}
.top{background:var(--brand);color:var(--brand-ink)}
.top .wrap{display:flex;flex-wrap:wrap;gap:.5rem 2rem;align-items:center;justify-content:space-between;padding-top:.9rem;padding-bottom:.9rem}
.top a{color:inherit;text-decoration:none}.top nav{display:flex;flex-wrap:wrap;gap:.25rem 1.5rem}.top nav a:hover{text-decoration:underline}
.brand{font-weight:700;font-size:1.15rem;letter-spacing:.01em;display:inline-flex;gap:.6rem;align-items:center}
.mark{width:1.1rem;height:1.1rem;border-radius:0 55% 55% 55%;background:#8fd3c7;transform:rotate(45deg)}
a{color:var(--get)}a:focus-visible,summary:focus-visible{outline:3px solid #d98a00;outline-offset:2px;border-radius:3px}
h1{overflow-wrap:anywhere;font-size:clamp(1.8rem,4vw,2.6rem);line-height:1.15;letter-spacing:-.02em;margin:2.6rem 0 .8rem;text-wrap:balance}
h2{font-size:1.35rem;margin:2.6rem 0 .8rem;letter-spacing:-.01em}h3{font-size:1rem;margin:1.1rem 0 .3rem}
.lead{font-size:1.15rem;color:var(--soft);max-width:46rem;margin:0 0 1.6rem}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:1rem;padding:0;margin:0;list-style:none}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1.1rem 1.2rem}
.card p{margin:.25rem 0 0;color:var(--soft);font-size:.95rem}.card a{font-weight:650;text-decoration:none}.card a:hover{text-decoration:underline}
.status{list-style:none;margin:0;padding:0;border:1px solid var(--line);border-radius:12px;background:var(--card);overflow:hidden}
.status li{display:grid;grid-template-columns:7rem 6rem 1fr;gap:.5rem 1rem;padding:.65rem 1.2rem;border-top:1px solid var(--line)}.status li:first-child{border-top:0}
.status .detail{color:var(--soft);overflow-wrap:anywhere}
.ok{color:var(--ok);font-weight:650}.failing{color:var(--bad);font-weight:650}.off{color:var(--off);font-weight:650}
pre,code{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.88rem}
pre{background:var(--code);border:1px solid var(--line);border-radius:10px;padding:1rem;overflow-x:auto;margin:0 0 1rem;line-height:1.5}
.foot{color:var(--soft);font-size:.9rem;margin:3rem 0 2.5rem}.foot+.foot{margin-top:-2rem}
.toc{columns:3 14rem;padding:0;list-style:none;margin:0 0 1rem}.toc a{font-weight:600}
details{background:var(--card);border:1px solid var(--line);border-radius:10px;margin:.55rem 0}
summary{cursor:pointer;padding:.7rem 1rem;display:flex;flex-wrap:wrap;gap:.3rem .8rem;align-items:baseline;list-style:none}summary::-webkit-details-marker{display:none}
summary::after{content:"+";margin-left:auto;color:var(--soft);font-weight:700}details[open]>summary::after{content:"−"}
summary .path{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.92rem;font-weight:600;overflow-wrap:anywhere}
summary .what{color:var(--soft);font-size:.93rem;flex:1 1 18rem}
.verb{font:700 .78rem/1.4 ui-monospace,Menlo,Consolas,monospace;min-width:3.2rem}.GET{color:var(--get)}.POST{color:var(--post)}
.lock{font-size:.75rem;border:1px solid var(--line);border-radius:99px;padding:.05rem .55rem;color:var(--soft)}
.inside{padding:0 1rem 1rem;border-top:1px solid var(--line)}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.92rem}th,td{text-align:left;vertical-align:top;padding:.35rem .8rem .35rem 0;border-bottom:1px solid var(--line)}th{color:var(--soft);font-weight:600}
@media (max-width:40rem){.status li{grid-template-columns:1fr auto}.status .detail{grid-column:1/-1}}
.layers,.years{list-style:none;margin:0 0 1rem;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(15rem,1fr));gap:1rem}
.layers>.card,.years>.card{display:flex;flex-direction:column;gap:.35rem}.layers h3{font-size:1.2rem;margin:.2rem 0 0;overflow-wrap:anywhere}.layers .card p{margin:0}
.picture{display:block;overflow-wrap:anywhere}.picture img{display:block;width:100%;height:13rem;object-fit:contain;margin-bottom:.6rem;image-rendering:pixelated}
.publications{grid-template-columns:repeat(auto-fit,minmax(min(100%,29rem),1fr))}.publications>.card{display:grid;grid-template-columns:minmax(0,13rem) minmax(0,1fr);gap:1.2rem;align-items:start}
.publications .card div p{margin:.2rem 0 .7rem}.publications .picture img{margin:0}
.brief{display:grid;grid-template-columns:repeat(auto-fit,minmax(11rem,1fr))}.brief li{grid-template-columns:1fr auto;border-top:0}
.nopicture{display:grid;place-items:center;height:13rem;margin-bottom:.6rem;border:1px dashed var(--line);border-radius:8px;color:var(--soft);font-weight:400}
.chips{list-style:none;display:flex;flex-wrap:wrap;gap:.4rem;margin:.3rem 0 0;padding:0}
.card .chips a,.found .chips a{display:inline-block;text-decoration:none;min-height:1.75rem;border:1px solid var(--line);border-radius:99px;padding:.05rem .75rem;font-size:.9rem;font-weight:500}
.places{columns:4 12rem;padding:0;margin:0 0 1rem;list-style:none}.places li{padding:.2rem 0;break-inside:avoid;overflow-wrap:anywhere}
.large code{font-size:2rem;font-weight:700}.large p{margin:0 0 .3rem}p code{overflow-wrap:anywhere}.plain{padding-left:1.2rem}.plain li{margin:.25rem 0;overflow-wrap:anywhere}
.empty,.notice{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1rem 1.2rem}
.notice{border-left:4px solid var(--bad);overflow-wrap:anywhere;margin-bottom:1rem}
.crumbs ol{overflow-wrap:anywhere;list-style:none;display:flex;flex-wrap:wrap;gap:.2rem .5rem;padding:0;margin:1.4rem 0 -1.4rem;font-size:.93rem;color:var(--soft)}
.crumbs li+li::before{content:"/";margin-right:.5rem;color:var(--soft)}
.pager{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;align-items:center;margin:1rem 0}.pager span{color:var(--soft)}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(14rem,1fr));gap:.7rem 1.5rem;margin:0 0 1.2rem}
.facts dt{color:var(--soft);font-size:.88rem}.facts dd{margin:0;overflow-wrap:anywhere}
.copy{display:flex;gap:.5rem;align-items:flex-start;margin:0 0 1rem}.copy pre{flex:1;min-width:0;margin:0;white-space:pre-wrap;overflow-wrap:anywhere}
.copy button{flex:none;width:5.2rem;font:inherit;font-size:.9rem;color:var(--ink);background:var(--card);border:1px solid var(--line);border-radius:10px;padding:.7rem 0;cursor:pointer}
button:focus-visible,pre:focus-visible,.scroll:focus-visible{outline:3px solid #d98a00;outline-offset:2px}
.layer{display:grid;grid-template-columns:minmax(0,1.1fr) minmax(0,1fr);gap:1.5rem;align-items:start}
figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1.1rem 1.2rem}
figure img{display:block;max-width:100%;height:auto;max-height:34rem;object-fit:contain;image-rendering:pixelated}
.ground{position:relative;width:fit-content;max-width:100%}.ground svg{display:block;max-width:100%;height:auto}
figure .ground img{position:absolute;inset:0;width:100%;height:100%;max-height:none;object-fit:fill;image-rendering:auto}
.map{width:fit-content;max-width:100%;margin:0 auto}.scale{display:block;width:0;min-width:100%;height:.5rem;margin:.6rem 0 .15rem}.length{fill:var(--ink)}.gap{fill:var(--card)}
.scaletext{display:flex;flex-wrap:wrap;gap:0 1rem;justify-content:space-between;width:0;min-width:100%;margin:0;color:var(--soft);font-size:.93rem}
figcaption{color:var(--soft);font-size:.93rem;margin-top:.7rem}
caption{text-align:left;font-weight:650;padding-bottom:.5rem}
.chart th{color:var(--ink);font-weight:500;width:48%;padding-left:1.55rem;text-indent:-1.55rem}.chart td{white-space:nowrap;font-variant-numeric:tabular-nums}.chart td span{display:inline-block;width:4rem;text-align:right}
.chart [aria-current]{font-weight:700}.chart .bar{width:calc(100% - 4.4rem);height:.7rem;vertical-align:middle;border-radius:2px}
.chart th,.chart td,.shares th,.shares td{padding-top:.28rem;padding-bottom:.28rem}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.swatch{width:1rem;height:1rem;vertical-align:-.15rem;margin-right:.55rem}.swatch rect{stroke:var(--soft);stroke-width:1}
.stack{width:100%;height:.8rem;border-radius:3px}
.years{grid-template-columns:repeat(auto-fill,minmax(9.5rem,1fr))}.years .picture img{height:9rem}.shares tbody th{min-width:9rem;padding-left:1.55rem;text-indent:-1.55rem}.years .picture span{font-weight:650}
.shares th{color:var(--ink);font-weight:500}.shares thead th{font-weight:650}.num{text-align:right!important;font-variant-numeric:tabular-nums;white-space:nowrap}
.buttons{list-style:none;display:flex;flex-wrap:wrap;gap:.6rem;padding:0;margin:0 0 1rem}
.button{display:inline-block;overflow-wrap:anywhere;background:var(--brand);color:var(--brand-ink);text-decoration:none;font-weight:650;border-radius:10px;padding:.55rem 1.1rem}.button:hover{text-decoration:underline}.button small{font-weight:400;margin-left:.3rem}
.prose{max-width:52rem;overflow-wrap:anywhere}.prose table{font-size:.88rem}
main:has(>:last-child:not(.foot)){padding-bottom:2.5rem}.notice>:first-child{margin-top:0}.notice>:last-child{margin-bottom:0}.form .field{display:flex;flex-direction:column;gap:.2rem;margin:0 0 1rem;max-width:26rem}.field label{font-weight:650}.field .failing{font-size:.93rem}
.form :is(input:not([type=hidden],[type=checkbox]),select,textarea){font:inherit;color:var(--ink);background:var(--card);border:1px solid var(--soft);border-radius:10px;padding:.5rem .7rem;width:100%}.form [aria-invalid]{border:2px solid var(--bad)}.check{display:flex;gap:.6rem;align-items:center}.check input,td input[type=checkbox]{flex:none;width:1.5rem;height:1.5rem;margin:0;accent-color:var(--brand)}
.lead,.keys>.card,.made,.form{overflow-wrap:anywhere;min-width:0}.keys>.card{max-width:100%}h3.title{font-size:1.15rem;margin:1.6rem 0 .8rem}.keys{list-style:none;margin:0 0 1.5rem;padding:0;display:grid;gap:1rem}.keys h3{margin:0 0 .5rem;font-size:1.1rem;overflow-wrap:anywhere}.keys .facts{grid-template-columns:repeat(auto-fit,minmax(8rem,1fr));margin:0 0 .6rem}.keys details{margin:0}.made{margin:0 0 1.5rem;border-left:4px solid var(--ok)}.made h2{margin-top:0;overflow-wrap:anywhere}
input:focus-visible,select:focus-visible,textarea:focus-visible{outline:3px solid #d98a00;outline-offset:2px}button.button{font:inherit;font-weight:650;border:1px solid transparent;cursor:pointer}button.plainer{border-color:var(--line)}.top .account{max-width:16rem;overflow:hidden;text-overflow:ellipsis;white-space:nowrap;font-weight:650}
.log{max-height:20rem;overflow:auto;background:var(--code);border:1px solid var(--line);border-radius:10px;padding:.6rem .8rem;margin:0 0 1rem;font:.85rem/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace}.log p{margin:0;overflow-wrap:anywhere}.log:focus-visible{outline:3px solid #d98a00;outline-offset:2px}
.days{display:block;width:100%;max-width:30rem;height:auto;border-bottom:1px solid var(--soft);margin:0 0 .8rem}.days rect{fill:var(--get)}
progress{width:100%;height:1rem;accent-color:var(--get)}.live p{margin:.2rem 0}.soft{color:var(--soft);font-size:.93rem}
summary .name{font-weight:650;max-width:calc(100% - 2rem)}.plainer{background:var(--card);color:var(--ink);border:1px solid var(--line);padding:calc(.55rem - 1px) 1.1rem}.steps li{margin:.4rem 0}.steps .copy{margin:.4rem 0 .8rem}
@media (max-width:30rem){.publications>.card{grid-template-columns:minmax(0,1fr)}.copy{flex-direction:column;align-items:stretch}.copy button{align-self:flex-start;padding:.35rem 0}}
@media (max-width:48rem){.layer{grid-template-columns:minmax(0,1fr)}}
${PLACES_STYLE}${REPORT_STYLE}`;
