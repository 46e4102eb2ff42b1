import { html } from 'hono/html';
import type { Language } from '../../../wire/languages.ts';
import type { Html } from '../../../pages/layout.ts';
import { sayIn } from '../../../pages/texts.ts';
import { numberText } from './numbers.ts';
import { scrolling } from './section-tables.ts';
import type { RowsSection } from './sections.ts';

/** Rows below each other, and how many are left out. */
export function rowsTable({ title, titleParts, heads, rows, more }: RowsSection, language: Language): Html {
  const say = sayIn(language);
  const table = scrolling(
    say(title, titleParts),
    html`<table class="shares">
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${say(head)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => html`<td>${cellText(cell, language)}</td>`)}
            </tr> `,
        )}
      </tbody>
    </table>`,
  );
  return html`${table}${more === 0 ? '' : html`<p class="soft">${say('andMore', { count: numberText(more, language, 0) })}</p>`}`;
}

function cellText(cell: string | number | null, language: Language): string {
  return typeof cell === 'string' ? cell : numberText(cell, language, 2);
}
