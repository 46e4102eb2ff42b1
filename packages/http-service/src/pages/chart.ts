import { html } from 'hono/html';
import type { Language } from '../wire/words.ts';
import type { Html } from './layout.ts';
import { type Say, sayIn, translated } from './texts.ts';
import { shareText } from './words.ts';

/** A class of a layer in a legend. */
export interface ShownClass {
  /** Value of the pixels of this class; undefined if the legend has no values. */
  readonly value?: number | undefined;
  readonly title: string;
  readonly description: string;
  /** `#rrggbb`; a class without colour is drawn as an outline. */
  readonly color: string | undefined;
  /** Percent of the area that has a class; undefined if it was not counted. */
  readonly share: number | undefined;
}

// Colours are SVG attributes, because the content security policy of the pages allows no inline styles.
const NO_COLOR = 'none';

/** The title of a class in the language of the reader, or marked as English. */
export function classTitle(title: string, language: Language): Html {
  const own = translated(title, language);
  return own === undefined ? html`<span lang="en">${title}</span>` : html`<span>${own}</span>`;
}

/** The colour of a class. */
export function swatch(color: string | undefined): Html {
  return html`<svg class="swatch" viewBox="0 0 16 16" aria-hidden="true">
    <rect width="16" height="16" rx="3" fill="${color ?? NO_COLOR}" />
  </svg>`;
}

/** Links of a legend to the layer's picture with one class alone. */
export interface ClassLinks {
  /** Address for a class; undefined if the class has no link in the legend. */
  readonly to: (value: number) => string | undefined;
  /** Value of the class that is shown alone. */
  readonly current: number | undefined;
}

/**
 * The legend of a page. If shares were counted, the legend shows the classes that occur, and in one line the names of all other
 * classes.
 */
export function legendChart(
  classes: readonly ShownClass[],
  caption: Html | string,
  { language, links }: { readonly language: Language; readonly links?: ClassLinks | undefined },
): Html {
  const here = classes.filter(({ share }) => share !== 0);
  const nameOf = ({ value, title }: ShownClass): Html => {
    const name = classTitle(title, language);
    const href = value === undefined ? undefined : links?.to(value);
    if (href === undefined) return name;
    return html`<a href="${href}" ${links?.current === value ? html` aria-current="true"` : ''}>${name}</a>`;
  };
  const rows = here.length === 0 ? classes : here;
  const chart = classChart(rows, caption, { say: sayIn(language), nameOf });
  if (rows.length === classes.length) return chart;
  const others = classes.filter(({ share }) => share === 0).map(({ title }) => title);
  return html`${chart}
    <p class="soft">
      ${sayIn(language)('notInLayer')}
      ${others.map((title, at) => html`${at === 0 ? '' : ', '}${classTitle(title, language)}`)}
    </p>`;
}

/** Legend and bar chart in one: colour, name, bar and share of each class. */
function classChart(
  classes: readonly ShownClass[],
  caption: Html | string,
  { say, nameOf }: { readonly say: Say; readonly nameOf: (shown: ShownClass) => Html },
): Html {
  const counted = classes.some(({ share }) => share !== undefined);
  const most = Math.max(1, ...classes.map(({ share = 0 }) => share));
  return html`<table class="chart">
    <caption>
      ${caption}
    </caption>
    <thead class="hidden">
      <tr>
        <th scope="col">${say('classWord')}</th>
        ${counted ? html`<th scope="col">${say('share')}</th>` : ''}
      </tr>
    </thead>
    <tbody>
      ${classes.map((shown) => {
        const { value, description, color, share } = shown;
        return html`<tr${value === undefined ? '' : html` data-class="${value}"`}>
            <th scope="row" title="${description}">${swatch(color)}${nameOf(shown)}</th>
            ${share === undefined ? (counted ? html`<td></td>` : '') : html`<td>${bar(share / most, color)}<span>${shareText(share)}</span></td>`}
          </tr> `;
      })}
    </tbody>
  </table>`;
}

/** A bar; `length` 1 is its full length. */
function bar(length: number, color: string | undefined): Html {
  return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    <rect width="${(100 * length).toFixed(2)}" height="10" fill="${color ?? '#888888'}" />
  </svg>`;
}

/** All shares in one bar, in the order of `classes`; `label` is its text alternative. */
export function stackedBar(classes: readonly ShownClass[], label: string): Html {
  let x = 0;
  const parts = classes.flatMap(({ color, share = 0 }) => {
    const part = { x, width: share, color };
    x += share;
    return share > 0 ? [part] : [];
  });
  return html`<svg class="stack" viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label="${label}">
    ${parts.map(
      (part) =>
        html`<rect
          x="${part.x.toFixed(2)}"
          width="${part.width.toFixed(2)}"
          height="8"
          fill="${part.color ?? '#888888'}"
        /> `,
    )}
  </svg>`;
}
