import { html } from 'hono/html';
import type { Html } from './layout.ts';

/** An input of a form. */
export interface Field {
  readonly name: string;
  readonly label: string;
  /** Default: `text`. */
  readonly type?: 'text' | 'password' | 'email' | 'number';
  readonly value?: string;
  /** Value of the attribute `autocomplete`. */
  readonly autocomplete: string;
  readonly isRequired?: boolean;
  /** Sentence below the label. */
  readonly hint?: string;
  /** Accepted values with their names: the input is a list to choose from. */
  readonly options?: readonly (readonly [value: string, name: string])[];
  /** Sentences about the value that was refused. */
  readonly problems?: readonly string[];
  /** Values that the browser suggests. */
  readonly suggestions?: readonly string[];
  /** Longest value, characters. */
  readonly most?: number;
}

/** A labelled input with its hint and its errors, which screen readers read with it. */
export function field(shown: Field): Html {
  const { name, label, hint, problems = [], suggestions = [] } = shown;
  return html`<div class="field">
    <label for="${name}">${label}</label>
    ${hint === undefined ? '' : html`<span class="soft" id="${name}-hint">${hint}</span>`}
    ${shown.options === undefined ? input(shown) : choice(shown, shown.options)}
    ${
      suggestions.length === 0
        ? ''
        : html`<datalist id="${name}-list">
            ${suggestions.map((each) => html`<option value="${each}"></option>`)}
          </datalist>`
    }
    ${problems.length === 0 ? '' : html`<span class="failing" id="${name}-error">${problems.map(sentence)}</span>`}
  </div>`;
}

/** A list to choose from. A value that was refused stays chosen. */
function choice(
  { name, value = '', hint, isRequired, problems = [] }: Field,
  options: NonNullable<Field['options']>,
): Html {
  const known = isRequired === true ? options : [['', ''] as const, ...options];
  const all = known.some(([each]) => each === value) ? known : [[value, value] as const, ...known];
  const about = describedBy({ name, hint, problems });
  return html`<select id="${name}" name="${name}" ${about} ${problems.length === 0 ? '' : html` aria-invalid="true"`}>
    ${all.map(([each, text]) => html`<option value="${each}" ${each === value ? 'selected' : ''}>${text}</option>`)}
  </select>`;
}

function describedBy({
  name,
  hint,
  problems = [],
}: Pick<Field, 'name' | 'problems'> & { readonly hint: string | undefined }): Html | '' {
  const about = [...(hint === undefined ? [] : [`${name}-hint`]), ...(problems.length === 0 ? [] : [`${name}-error`])];
  return about.length === 0 ? '' : html` aria-describedby="${about.join(' ')}"`;
}

function input({
  name,
  type = 'text',
  value,
  autocomplete,
  isRequired,
  hint,
  problems = [],
  suggestions = [],
  most,
}: Field): Html {
  const more = [
    // A password is never sent back.
    value === undefined || type === 'password' ? '' : html` value="${value}"`,
    most === undefined ? '' : html` maxlength="${most}"`,
    isRequired === true ? html` required` : '',
    describedBy({ name, hint, problems }),
    problems.length === 0 ? '' : html` aria-invalid="true"`,
    suggestions.length === 0 ? '' : html` list="${name}-list"`,
  ];
  return html`<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" ${more} />`;
}

/** A sentence of the API is English, also on a page in another language. */
function sentence(text: string): Html {
  return /^[ -~]*$/.test(text) ? html`<span lang="en">${text}</span> ` : html`${text} `;
}

/** A hidden field. */
export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}" />`;
}

/** Notices above a form, read by screen readers at once; `fields` are links to the inputs with errors. */
export function notices(sentences: readonly string[], fields: readonly Field[] = []): Html {
  const faulty = fields.filter(({ problems = [] }) => problems.length > 0);
  if (faulty.length === 0) return html`${sentences.map((text) => html`<p class="notice" role="alert">${text}</p> `)}`;
  return html`<div class="notice" role="alert">
    ${sentences.map((text) => html`<p>${text}</p>`)}
    <ul class="plain">
      ${faulty.map(({ name, label }) => html`<li><a href="#${name}">${label}</a></li> `)}
    </ul>
  </div>`;
}
