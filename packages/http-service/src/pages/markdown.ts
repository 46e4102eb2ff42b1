import { html } from 'hono/html';
import type { Html } from './layout.ts';

/**
 * Renders the Markdown of an Item's description: paragraphs, lists, tables, bold and code. Blocks after the first
 * `most` are in a collapsed section with the title `more`.
 */
export function markdown(text: string, most = Infinity, more: Html | string = ''): Html {
  const blocks = text
    .split(/\n[ \t]*\n/)
    .map((block) => block.split('\n').filter((line) => line.trim() !== ''))
    .filter((lines) => lines.length > 0);
  const rest = blocks.slice(most);
  return html`${blocks.slice(0, most).map(blockOf)}
  ${
    rest.length === 0
      ? ''
      : html`<details>
          <summary>${more}</summary>
          <div class="inside">${rest.map(blockOf)}</div>
        </details>`
  }`;
}

function blockOf(lines: readonly string[]): Html {
  if (lines.every((line) => line.startsWith('- '))) {
    return html`<ul>
      ${lines.map((line) => html`<li>${spans(line.slice(2))}</li> `)}
    </ul>`;
  }
  if (lines.length > 2 && lines.every((line) => line.startsWith('|')) && /^[\s|:-]+$/.test(lines[1] ?? '')) {
    return table(lines);
  }
  return html`<p>${spans(lines.join(' '))}</p> `;
}

function table([head = '', , ...rows]: readonly string[]): Html {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Table">
    <table>
      <thead>
        <tr>
          ${cells(head).map((cell) => html`<th scope="col">${spans(cell)}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${cells(row).map((cell) => html`<td>${spans(cell)}</td>`)}
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;
}

function cells(row: string): readonly string[] {
  return row
    .replace(/^\||\|\s*$/g, '')
    .split('|')
    .map((cell) => cell.trim());
}

function spans(text: string): readonly (Html | string)[] {
  return text.split(/(\*\*[^*]+\*\*|`[^`]+`)/).map((part) => {
    if (part.startsWith('**') && part.endsWith('**') && part.length > 4)
      return html`<strong>${part.slice(2, -2)}</strong>`;
    return part.startsWith('`') && part.endsWith('`') && part.length > 2
      ? html`<code>${part.slice(1, -1)}</code>`
      : part;
  });
}
