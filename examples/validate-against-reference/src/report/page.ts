import { createHash } from 'node:crypto';
import type { Assessment, Remark } from '@headwater/accuracy';
import { type Html, reportBody, reportHeading, shownClasses } from '@headwater/accuracy/report';
import { html, raw } from 'hono/html';
import { figures, type Pictures } from './figures.ts';
import { STYLE } from './style.ts';

/** What a report is made of. */
export interface ReportFacts {
  readonly mapTitle: string;
  /** What was read, in the order shown: name and where it came from. */
  readonly sources: readonly (readonly [name: string, from: string])[];
  readonly assessment: Assessment;
  readonly remarks: readonly Remark[];
  readonly pictures: Pictures;
  /** Names of the legend's classes, in its order. */
  readonly legendNames: readonly string[];
  readonly made: Date;
}

// Made outside of the page's template: a formatter that touches white space inside the tag would break its hash.
const STYLE_TAG = raw(`<style>${STYLE}</style>`);
const POLICY = `default-src 'none'; img-src data:; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/** A self-contained HTML document: no script, nothing is loaded from anywhere. */
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

function bodyOf({ assessment, remarks, pictures, sources, legendNames, made }: ReportFacts): Html {
  const classes = shownClasses(assessment.classes, legendNames);
  const compared = [...sources, ['Made', `${made.toISOString().slice(0, 16).replace('T', ' ')} UTC`]] as const;
  return reportBody({ figures: assessment, classes, remarks, pictures: figures(pictures, classes), compared });
}
