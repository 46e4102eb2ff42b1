import { createHash } from 'node:crypto';
import { amount, type Assessment, percent, type Remark } from '@headwater/accuracy';
import { html, raw } from 'hono/html';
import { areaRateTable, areaTable, rateTable } from './class-tables.ts';
import { figures, type Pictures } from './figures.ts';
import { matrixTable } from './matrix-table.ts';
import { type Html, rateText, shownClasses } from './parts.ts';
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

const HEADINGS = {
  accuracy: 'Accuracy of',
  agreement: 'Agreement with another map:',
  consistency: 'Consistency, not accuracy:',
} as const;
const UNITS = {
  points: 'points',
  polygons: 'polygons',
  'polygon-pixels': 'pixels of polygons',
  raster: 'pixels',
} as const;
// Made outside of the page's template: a formatter that touches white space inside the tag would break its hash.
const STYLE_TAG = raw(`<style>${STYLE}</style>`);
const POLICY = `default-src 'none'; img-src data:; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`;

/** A self-contained HTML document: no script, nothing is loaded from anywhere. */
export async function reportPage(facts: ReportFacts): Promise<string> {
  const { assessment, mapTitle } = facts;
  const heading = `${HEADINGS[assessment.claim]} ${mapTitle}`;
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
  const isSample = assessment.design !== 'raster';
  const of = (kind: Remark['kind']): readonly Remark[] => remarks.filter((remark) => remark.kind === kind);
  const [first, ...cautions] = of('caution');
  const isClaimed = assessment.claim !== 'accuracy';
  return html`${isClaimed && first !== undefined ? html`<p class="notice">${first.text}</p>` : ''}
    ${keyFigures(assessment)}
    <h2>In plain words</h2>
    ${list(of('finding'))}
    <h2>Mind when reading</h2>
    ${list(isClaimed ? cautions : of('caution'))}
    <h2>Pictures</h2>
    ${figures(pictures, classes)}
    <h2>Confusion matrix</h2>
    ${matrixTable(classes, assessment.matrix, UNITS[assessment.design])}
    <h2>Classes</h2>
    ${rateTable(classes)} ${isSample ? areaRateTable(classes) : ''}
    <h2>Areas</h2>
    ${areaTable(classes, isSample)}
    <h2>What was compared</h2>
    <dl class="facts">
      ${sources.map(
        ([name, from]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${from}</dd>
          </div> `,
      )}
      <div>
        <dt>Made</dt>
        <dd>${made.toISOString().slice(0, 16).replace('T', ' ')} UTC</dd>
      </div>
    </dl>
    <h2>How the figures are made</h2>
    <p class="soft">
      Kappa: Cohen (1960), its standard error: Fleiss, Cohen and Everitt (1969). Accuracies and areas by area with their
      standard errors: Olofsson et al. (2014, doi:10.1016/j.rse.2014.02.015, eq. 1 to 11). Intervals are 95 %: of
      counted shares Wilson’s (1927), else 1.96 standard errors; where all samples of a class agree, Wilson’s put
      together after Zou and Donner (2008).
    </p>`;
}

function list(remarks: readonly Remark[]): Html {
  return html`<ul class="remarks">
    ${remarks.map(({ text }) => html`<li>${text.replaceAll(' %', '\u00A0%')}</li> `)}
  </ul>`;
}

function keyFigures({ overall, areaOverall, kappa, samples, design }: Assessment): Html {
  const cell = (name: string, value: string, range: string): Html =>
    html`<li><span>${name}</span><b>${value}</b><span>${range}</span></li> `;
  const share = (name: string, figure: typeof overall): Html | '' =>
    figure === null
      ? ''
      : cell(name, percent(figure.value), figure.low === null ? '' : rateText(figure).replace(/^[^(]*/, ''));
  return html`<ul class="figures">
    ${design === 'raster' ? '' : share('The same, by area of the map', areaOverall)}
    ${share('The same, by count', overall)}
    ${kappa === null ? '' : cell('Kappa', kappa.value.toFixed(3), kappa.low === null ? '' : `(${kappa.low.toFixed(3)} to ${(kappa.high ?? 0).toFixed(3)})`)}
    ${cell('Compared', amount(samples), UNITS[design])}
  </ul>`;
}
