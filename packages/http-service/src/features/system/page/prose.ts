import { html } from 'hono/html';
import type { Html } from '../../../pages/layout.ts';

/** A text of the document as a page has it: what stands between backticks is code. */
export function prose(text: string): Html {
  return html`${text.split('`').map((part, at) => (at % 2 === 0 ? part : html`<code>${part}</code>`))}`;
}
