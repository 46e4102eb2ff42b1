import type { Assessment, Remark } from '@headwater/accuracy';
import { type Html, REPORT_STYLE, reportBody, reportHeading, shownClasses } from '@headwater/accuracy/report';
import { html, raw } from 'hono/html';
import { createHash } from 'node:crypto';
import { figures, type Pictures } from './figures.ts';

/** Style of the report: contrast of at least 4.5:1 in light, dark and print. No part of it comes from data. */
const STYLE = `${REPORT_STYLE}
:root{--ink:#14262b;--soft:#4a5f66;--line:#d6e0e1;--paper:#f6f9f8;--card:#fff;--link:#0b5cad;--warn:#a1231d;color-scheme:light dark}
@media screen and (prefers-color-scheme:dark){:root{--ink:#e4eeee;--soft:#a5b8bc;--line:#2b3d42;--paper:#0f1a1d;--card:#162529;--link:#8cc4ff;--warn:#ff9d95}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.6 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",sans-serif}
main{max-width:66rem;margin:0 auto;padding:1.5rem 1.25rem 3rem}
h1{font-size:clamp(1.6rem,4vw,2.3rem);line-height:1.2;margin:.6rem 0;overflow-wrap:anywhere;text-wrap:balance}
h2{font-size:1.3rem;margin:2.4rem 0 .7rem}
p{max-width:48rem}.soft,figcaption,.facts dt{color:var(--soft);font-size:.93rem}
.notice{border:1px solid var(--line);border-left:5px solid var(--warn);background:var(--card);border-radius:10px;padding:.8rem 1.1rem;max-width:none}
.facts{display:grid;grid-template-columns:repeat(auto-fit,minmax(15rem,1fr));gap:.5rem 1.5rem;margin:0}.facts dd{margin:0;overflow-wrap:anywhere}
.scroll{overflow-x:auto;background:var(--card);border:1px solid var(--line);border-radius:12px;padding:.4rem .8rem}
.scroll:focus-visible{outline:3px solid #d98a00;outline-offset:2px}
figure,.key li,.facts div{min-width:0;overflow-wrap:anywhere}
.swatch{width:.9rem;height:.9rem;vertical-align:-.12rem;margin-right:.45rem}.swatch rect{stroke:var(--soft)}
.pictures>*{min-width:0}.pictures{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,24rem),1fr));gap:1rem}
figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:12px;padding:1rem}
figure>svg,figure>img{display:block;width:100%;height:auto;max-height:36rem;image-rendering:pixelated;background:#fff}
.right{fill:#fff;stroke:#08306b}.wrong{stroke:#000}.wrong-under{stroke:#fff}
.key{display:flex;flex-wrap:wrap;gap:.2rem 1rem;padding:0;margin:.6rem 0 0;list-style:none;font-size:.88rem}
.hidden{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media print{body{background:#fff;font-size:11pt}main{max-width:none;padding:0}.scroll{overflow:visible;padding:0;border:0}figure,tr,.notice{break-inside:avoid}h2{break-after:avoid}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`;

/** Data of a report. */
export interface ReportFacts {
  readonly mapTitle: string;
  readonly sources: readonly (readonly [name: string, from: string])[];
  readonly assessment: Assessment;
  readonly remarks: readonly Remark[];
  readonly pictures: Pictures;
  readonly legendNames: readonly string[];
  readonly createdAt: Date;
}

// The style is not in the template, because a formatter could change it and invalidate its hash in the
// Content-Security-Policy.
const STYLE_TAG = raw(`<style>${STYLE}</style>`);
const POLICY = `default-src 'none'; img-src data:; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/** Returns the report as one HTML document without script and external resources. */
export async function reportPage(facts: ReportFacts): Promise<string> {
  const { assessment, mapTitle } = facts;
  const heading = reportHeading(assessment.claim, mapTitle);
  const page = await html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta http-equiv="Content-Security-Policy" content="${POLICY}" />
        <title>${heading}</title>
        <link rel="icon" href="data:," />
        ${STYLE_TAG}
      </head>
      <body>
        <main>
          <h1>${heading}</h1>
          ${bodyOf(facts)}
        </main>
      </body>
    </html> `;
  return page.toString();
}

function bodyOf({ assessment, remarks, pictures, sources, legendNames, createdAt }: ReportFacts): Html {
  const classes = shownClasses(assessment.classes, legendNames);
  const compared = [...sources, ['Created', `${createdAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`]] as const;
  return reportBody({ figures: assessment, classes, remarks, pictures: figures(pictures, classes), compared });
}
