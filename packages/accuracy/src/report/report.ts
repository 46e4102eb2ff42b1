import { html } from 'hono/html';
import type { Claim, Figures, Figure } from '../assess/assessment.ts';
import { amount, percent, type Remark, unitsOf } from '../assess/reading.ts';
import { areaRateTable, areaTable, rateTable } from './class-tables.ts';
import { type Html, rateText, type ShownClass, swatch } from './parts.ts';

const OVERALL_NAMES = { accuracy: 'Overall accuracy', agreement: 'Agreement', consistency: 'Consistency' } as const;

function keyFigures({ claim, overall, areaOverall, kappa, samples, design }: Figures): Html {
  const cell = (name: string, value: string, range: string): Html =>
    html`<li><span>${name}</span><b>${value}</b><span>${range}</span></li> `;
  const share = (name: string, figure: Figure | null): Html | '' =>
    figure === null
      ? ''
      : cell(name, percent(figure.value), figure.low === null ? '' : rateText(figure).replace(/^[^(]*/, ''));
  return html`<ul class="figures">
    ${design === 'raster' ? '' : share(`${OVERALL_NAMES[claim]}, by area of the map`, areaOverall)}
    ${share(`${OVERALL_NAMES[claim]}, by count`, overall)}
    ${kappa === null ? '' : cell('Kappa', kappa.value.toFixed(3), kappa.low === null ? '' : `(${kappa.low.toFixed(3)} to ${(kappa.high ?? 0).toFixed(3)})`)}
    ${cell('Compared', amount(samples), unitsOf(design, samples))}
  </ul>`;
}

/** Parts of the body of a report. */
export interface ReportParts {
  readonly figures: Figures;
  readonly classes: readonly ShownClass[];
  /** Remarks about the figures. If the claim is not accuracy, the first caution explains the claim. */
  readonly remarks: readonly Remark[];
  readonly pictures?: Html;
  /** Names and descriptions of the compared data, in display order. */
  readonly compared: readonly (readonly [name: string, description: Html | string])[];
}

const HEADINGS = {
  accuracy: 'Accuracy of',
  agreement: 'Agreement with another map:',
  consistency: 'Consistency, not accuracy:',
} as const;

/** Returns the heading of a report. */
export function reportHeading(claim: Claim, mapTitle: string): string {
  return `${HEADINGS[claim]} ${mapTitle}`;
}

/** Returns the body of a report, without heading, for a page with `REPORT_STYLE` and its colours. */
export function reportBody({ figures, classes, remarks, pictures, compared }: ReportParts): Html {
  const { claim, design, matrix } = figures;
  const isSample = design !== 'raster';
  const of = (kind: Remark['kind']): readonly Remark[] => remarks.filter((remark) => remark.kind === kind);
  const [first, ...cautions] = of('caution');
  const hasNotice = claim !== 'accuracy';
  return html`${hasNotice && first !== undefined ? html`<p class="notice">${first.text}</p>` : ''}
    ${keyFigures(figures)}
    <h2>In plain words</h2>
    ${list(of('finding'))}
    <h2>Limits of these figures</h2>
    ${list(hasNotice ? cautions : of('caution'))}
    ${
      pictures === undefined
        ? ''
        : html`<h2>Pictures</h2>
            ${pictures}`
    }
    <h2>Confusion matrix</h2>
    ${matrixTable(classes, matrix, unitsOf(design, 2))}
    <h2>Classes</h2>
    ${rateTable(classes)} ${isSample ? areaRateTable(classes) : ''}
    <h2>Areas</h2>
    ${areaTable(classes, isSample)}
    <h2>What was compared</h2>
    <dl class="facts">
      ${compared.map(
        ([name, description]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${description}</dd>
          </div> `,
      )}
    </dl>
    <h2>How the figures are made</h2>
    <p class="soft">
      Kappa: Cohen (1960), its standard error: Fleiss, Cohen and Everitt (1969). Accuracies by area of the map, areas
      and their standard errors: Olofsson et al. (2014, doi:10.1016/j.rse.2014.02.015, eq. 1 to 11). Intervals (95 %):
      Wilson (1927) for counted shares, otherwise 1.96 standard errors; if all samples of a class agree, Wilson’s
      intervals of the classes, combined by the method of Zou and Donner (2008).
    </p>`;
}

function list(remarks: readonly Remark[]): Html {
  return html`<ul class="remarks">
    ${remarks.map(({ text }) => html`<li>${text.replaceAll(' %', '\u00A0%')}</li> `)}
  </ul>`;
}

/** Table of the confusion matrix. Rows: map; columns: reference. A stronger tint shows a larger share of the row. */
function matrixTable(classes: readonly ShownClass[], matrix: readonly (readonly number[])[], units: string): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Confusion matrix">
    <table class="matrix">
      <caption>
        Number of ${units}. Rows: class on the map; columns: class in the reference. The stronger the tint, the larger
        the share of its row.
      </caption>
      <thead>
        <tr>
          <th scope="col">Map \\ reference</th>
          ${classes.map(({ title, shownColor }) => html`<th scope="col">${swatch(shownColor)}${title}</th> `)}
          <th scope="col" class="sum">All</th>
          <th scope="col">Precision</th>
        </tr>
      </thead>
      <tbody>
        ${classes.map((each, row) => matrixRow(each, matrix[row] ?? [], row))}
      </tbody>
      <tfoot>
        <tr>
          <th scope="row">All</th>
          ${classes.map(({ reference }) => html`<td>${amount(reference)}</td> `)}
          <td class="sum">${amount(classes.reduce((sum, { mapped }) => sum + mapped, 0))}</td>
          <td></td>
        </tr>
        <tr>
          <th scope="row">Recall</th>
          ${classes.map(({ recall }) => html`<td>${recall === null ? '\u2013' : percent(recall.value)}</td> `)}
          <td class="sum"></td>
          <td></td>
        </tr>
      </tfoot>
    </table>
  </div>`;
}

function matrixRow({ title, shownColor, mapped, precision }: ShownClass, counts: readonly number[], row: number): Html {
  return html`<tr>
    <th scope="row">${swatch(shownColor)}${title}</th>
    ${counts.map((count, col) => html`<td class="${tint(count / mapped, row === col)}">${amount(count)}</td> `)}
    <td class="sum">${amount(mapped)}</td>
    <td>${precision === null ? '\u2013' : percent(precision.value)}</td>
  </tr> `;
}

function tint(share: number, isSame: boolean): string {
  if (!(share > 0)) return 'none';
  // The square root makes rare errors visible.
  return `${isSame ? 's' : 'o'}${Math.min(9, Math.floor((isSame ? share : Math.sqrt(share)) * 10))}`;
}

/**
 * Style of `reportBody`. The page defines `--ink`, `--soft`, `--line` and `--card`, and styles headings, lists of
 * facts, notices and scrolling parts.
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

/** Ten tints of one colour, light enough for readable text. */
function heat(name: string, color: string): string {
  return Array.from(
    { length: 10 },
    (_, i) => `.${name}${i}{background:rgba(var(${color}),${(0.04 + i * 0.04).toFixed(2)})}`,
  ).join('');
}
