import { html } from 'hono/html';
import type { Figure, Figures } from '../assess/assessment.ts';
import { amount, percent, unitsOf } from '../assess/reading.ts';
import { type Html, rateText } from './parts.ts';

const SAME = { accuracy: 'Overall accuracy', agreement: 'Agreement', consistency: 'Consistency' } as const;

/** The figures that stand first, with their intervals. */
export function keyFigures({ claim, overall, areaOverall, kappa, samples, design }: Figures): Html {
  const cell = (name: string, value: string, range: string): Html =>
    html`<li><span>${name}</span><b>${value}</b><span>${range}</span></li> `;
  const share = (name: string, figure: Figure | null): Html | '' =>
    figure === null
      ? ''
      : cell(name, percent(figure.value), figure.low === null ? '' : rateText(figure).replace(/^[^(]*/, ''));
  return html`<ul class="figures">
    ${design === 'raster' ? '' : share(`${SAME[claim]}, by area of the map`, areaOverall)}
    ${share(`${SAME[claim]}, by count`, overall)}
    ${kappa === null ? '' : cell('Kappa', kappa.value.toFixed(3), kappa.low === null ? '' : `(${kappa.low.toFixed(3)} to ${(kappa.high ?? 0).toFixed(3)})`)}
    ${cell('Compared', amount(samples), unitsOf(design, samples))}
  </ul>`;
}
