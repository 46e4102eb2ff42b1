import { DOCS_STYLE } from './docs-style.ts';

/** Style of every page: system fonts, light and dark, contrast of at least 4.5:1. No part of it comes from data. */
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
h1{font-size:clamp(1.8rem,4vw,2.6rem);line-height:1.15;letter-spacing:-.02em;margin:2.6rem 0 .8rem;text-wrap:balance}
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
.foot{color:var(--soft);font-size:.9rem;margin:3rem 0 2.5rem}
.toc{columns:3 14rem;padding:0;list-style:none;margin:0 0 1rem}.toc a{text-decoration:none}.toc a:hover{text-decoration:underline}
details{background:var(--card);border:1px solid var(--line);border-radius:10px;margin:.55rem 0}
summary{cursor:pointer;padding:.7rem 1rem;display:flex;flex-wrap:wrap;gap:.3rem .8rem;align-items:baseline;list-style:none}summary::-webkit-details-marker{display:none}
summary::after{content:"+";color:var(--soft);font-weight:700}details[open]>summary::after{content:"−"}
summary .path{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;font-size:.92rem;font-weight:600;overflow-wrap:anywhere}
summary .what{color:var(--soft);font-size:.93rem;flex:1 1 18rem}
.verb{font:700 .78rem/1.4 ui-monospace,Menlo,Consolas,monospace;min-width:3.2rem}.GET{color:var(--get)}.POST{color:var(--post)}
.lock{font-size:.75rem;border:1px solid var(--line);border-radius:99px;padding:.05rem .55rem;color:var(--soft)}
.inside{padding:0 1rem 1rem;border-top:1px solid var(--line)}
.scroll{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:.92rem}th,td{text-align:left;vertical-align:top;padding:.35rem .8rem .35rem 0;border-bottom:1px solid var(--line)}th{color:var(--soft);font-weight:600}
.layers{list-style:none;margin:0;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(12rem,1fr));gap:1rem}
.layers a{display:block;text-decoration:none}.layers img{display:block;width:100%;height:10rem;object-fit:contain;margin-bottom:.6rem;image-rendering:pixelated}
@media (max-width:40rem){.status li{grid-template-columns:1fr auto}.status .detail{grid-column:1/-1}}
`;
