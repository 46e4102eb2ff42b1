import { html } from 'hono/html';
import type { Figure } from '../assess/assessment.ts';
import { amount, withInterval } from '../assess/reading.ts';
import { type Html, rateBar, rateText, type ShownClass, swatch } from './parts.ts';

/** Returns the table of precision and recall (bars with intervals) and F1 (a number) of each class. */
export function rateTable(classes: readonly ShownClass[]): Html {
  const hasIntervals = classes.some(({ precision, recall }) => (precision ?? recall)?.low !== null);
  return html`<table class="rates">
    <caption>
      From counts, with equal weight of all samples${hasIntervals ? '; lines with ends: 95 % intervals' : ''}.
    </caption>
    <thead>
      <tr>
        <th scope="col">Class</th>
        <th scope="col">Precision (user’s accuracy): share of the mapped class that is right</th>
        <th scope="col">Recall (producer’s accuracy): share of the class in the reference that was found</th>
        <th scope="col">F1</th>
      </tr>
    </thead>
    <tbody>
      ${classes.map(
        ({ title, shownColor, precision, recall, f1 }) =>
          html`<tr>
            <th scope="row">${swatch(shownColor)}${title}</th>
            ${rateCell('Precision', precision)}${rateCell('Recall', recall)}
            <td class="f1" data-name="F1"><span>${f1 === null ? '\u2013' : f1.value.toFixed(3)}</span></td>
          </tr> `,
      )}
    </tbody>
  </table>`;
}

function rateCell(name: string, figure: Figure | null, kind: '' | 'area' = ''): Html {
  return html`<td data-name="${name}">
    ${figure === null ? '' : rateBar(figure, kind)}<span>${rateText(figure)}</span>
  </td>`;
}

/** Returns the table of accuracies by area (Olofsson et al. 2014): estimates for the whole map. */
export function areaRateTable(classes: readonly ShownClass[]): Html {
  return html`<table class="rates">
    <caption>
      By area (Olofsson et al. 2014): each sample has the weight of the area that it represents.
    </caption>
    <thead>
      <tr>
        <th scope="col">Class</th>
        <th scope="col">Precision by area</th>
        <th scope="col">Recall by area</th>
      </tr>
    </thead>
    <tbody>
      ${classes.map(
        ({ title, shownColor, areaPrecision, areaRecall }) =>
          html`<tr>
            <th scope="row">${swatch(shownColor)}${title}</th>
            ${rateCell('Precision by area', areaPrecision, 'area')}${rateCell('Recall by area', areaRecall, 'area')}
          </tr> `,
      )}
    </tbody>
  </table>`;
}

/** Returns the table that compares mapped areas with the areas of the reference. */
export function areaTable(classes: readonly ShownClass[], isSample: boolean): Html {
  const most = Math.max(
    ...classes.map(({ mappedHa, referenceHa }) => Math.max(mappedHa, referenceHa?.high ?? referenceHa?.value ?? 0)),
    1e-9,
  );
  return html`<table class="areas">
    <caption>
      Hectares.
      ${isSample ? 'Bar: estimate from the sample, with its 95 % interval; vertical line: area on the map.' : 'Areas of the compared pixels. Bar: reference; vertical line: map.'}
    </caption>
    <thead>
      <tr>
        <th scope="col">Class</th>
        <th scope="col" class="num">On the map</th>
        <th scope="col" class="num">${isSample ? 'From the sample' : 'In the reference'}</th>
        <th scope="col"><span class="hidden">Both as bars</span></th>
      </tr>
    </thead>
    <tbody>
      ${classes.map(
        ({ title, shownColor, mappedHa, referenceHa }) =>
          html`<tr>
            <th scope="row">${swatch(shownColor)}${title}</th>
            <td class="num" data-name="On the map">${amount(mappedHa)}</td>
            <td class="num" data-name="${isSample ? 'From the sample' : 'In the reference'}">
              ${referenceHa === null ? '\u2013' : withInterval(referenceHa, amount)}
            </td>
            <td>${areaBar(mappedHa / most, referenceHa, most)}</td>
          </tr> `,
      )}
    </tbody>
  </table>`;
}

function areaBar(mapped: number, figure: Figure | null, most: number): Html {
  const at = (share: number): string => (100 * share).toFixed(2);
  const [low, high] = [figure?.low ?? null, figure?.high ?? null];
  return html`<svg class="bar" viewBox="0 0 100 16" preserveAspectRatio="none" aria-hidden="true">
    <rect class="track" y="3" width="100" height="10" />
    ${figure === null ? '' : html`<rect class="value area" y="3" width="${at(figure.value / most)}" height="10" />`}
    ${low === null || high === null ? '' : html`<rect class="range" x="${at(low / most)}" y="7.3" width="${at((high - low) / most)}" height="1.4" />`}
    <rect class="line" x="${at(Math.min(0.993, mapped))}" width="0.7" height="16" />
  </svg>`;
}
