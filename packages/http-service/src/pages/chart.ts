import { html } from 'hono/html';
import type { Language } from '../wire/words.ts';
import type { Html } from './layout.ts';
import { type Say, sayIn, translated } from './texts.ts';
import { shareText } from './words.ts';

/** A class of a layer in a legend. */
export interface ShownClass {
  /** Value of the pixels of this class; undefined in a legend without values. */
  readonly value?: number | undefined;
  readonly title: string;
  readonly description: string;
  /** `#rrggbb`; without a colour, the swatch is an outline and the bar is grey. */
  readonly color: string | undefined;
  /** Percent of the area; undefined if the area was not measured. */
  readonly share: number | undefined;
}

// Value of `fill` without a colour. The content security policy of the pages allows no inline styles, so colours are
// SVG attributes.
const NO_COLOR = 'none';

/** Title of a class in the reader's language, or marked as English. */
export function classTitle(title: string, language: Language): Html {
  const own = translated(title, language);
  return own === undefined ? html`<span lang="en">${title}</span>` : html`<span>${own}</span>`;
}

/** Small square in the colour of a class, for a legend. */
export function swatch(color: string | undefined): Html {
  return html`<svg class="swatch" viewBox="0 0 16 16" aria-hidden="true">
    <rect width="16" height="16" rx="3" fill="${color ?? NO_COLOR}" />
  </svg>`;
}

/** Links of a legend to the picture of one class. */
export interface ClassLinks {
  /** Address for a class; undefined if the class has no link. */
  readonly to: (value: number) => string | undefined;
  /** The only class that the picture shows; undefined if it shows all classes. */
  readonly current: number | undefined;
}

/** Legend of a page. Classes with a share of 0 are listed in one line below the others. */
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

function bar(length: number, color: string | undefined): Html {
  return html`<svg class="bar" viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
    <rect width="${(100 * length).toFixed(2)}" height="10" fill="${color ?? '#888888'}" />
  </svg>`;
}

/** One bar with all shares, in the order of `classes`; `label` is its text alternative. */
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
