import { html } from 'hono/html';
import { classTitle, stackedBar, swatch, type ShownClass } from '../../../pages/chart.ts';
import type { Html } from '../../../pages/layout.ts';
import { type Say, sayIn } from '../../../pages/texts.ts';
import type { Language } from '../../../wire/words.ts';
import { shareText } from '../../../pages/words.ts';

const MOST_YEARS = 12;

/** The newest layers, at most 12, and always the layer of the page (`ownId`). `layers`: newest first. */
export function shownYears<T extends { readonly id: string }>(layers: readonly T[], ownId: string): readonly T[] {
  const at = layers.findIndex(({ id }) => id === ownId);
  if (at < MOST_YEARS) return layers.slice(0, MOST_YEARS);
  return [...layers.slice(0, MOST_YEARS - 1), ...layers.slice(at, at + 1)];
}

/** A layer in one of its years. */
export interface ShownYear {
  readonly label: string;
  readonly title: string;
  readonly href: string;
  readonly src: string | undefined;
  readonly classes: readonly ShownClass[];
  /** True for the year of the page itself. */
  readonly isThis: boolean;
}

/** Pictures of all years, with the shares of the classes. Empty for a single year. */
export function yearsBeside(years: readonly ShownYear[], language: Language): Html | '' {
  if (years.length < 2) return '';
  const say = sayIn(language);
  return html`<h2>${say('yearsBeside')}</h2>
    <ul class="years">
      ${years.map((year) => yearCard(year, say))}
    </ul>
    ${sharesByYear(years, language)}`;
}

function yearCard({ label, title, href, src, classes, isThis }: ShownYear, say: Say): Html {
  const picture =
    src === undefined
      ? ''
      : html`<img src="${src}" alt="${say('previewOf', { title })}" loading="lazy" width="300" height="300" />`;
  const name = html`<span>${isThis ? say('thisPage', { year: label }) : label}</span>`;
  const counted = classes.some(({ share }) => share !== undefined);
  return html`<li class="card">
    ${isThis ? html`<div class="picture" aria-current="page">${picture}${name}</div>` : html`<a class="picture" href="${href}">${picture}${name}</a>`}
    ${counted ? stackedBar(classes, say('sharesInYear', { year: label })) : ''}
  </li> `;
}

function sharesByYear(years: readonly ShownYear[], language: Language): Html | '' {
  const say = sayIn(language);
  const [first] = years;
  if (first === undefined || first.classes.every(({ share }) => share === undefined)) return '';
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${say('sharesByYear')}">
    <table class="shares">
      <caption>
        ${say('sharesByYear')}
      </caption>
      <thead>
        <tr>
          <th scope="col">${say('classWord')}</th>
          ${years.map(({ label }) => html`<th scope="col" class="num">${label}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${first.classes.map(
          ({ title, color }, index) =>
            html`<tr>
              <th scope="row">${swatch(color)}${classTitle(title, language)}</th>
              ${years.map(({ classes }) => html`<td class="num">${shareOf(classes[index])}</td>`)}
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;
}

function shareOf(shown: ShownClass | undefined): string {
  return shown?.share === undefined ? '' : shareText(shown.share);
}
