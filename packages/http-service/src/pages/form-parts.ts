import { html } from 'hono/html';
import type { Html } from './layout.ts';

/** An input of a form. */
export interface Field {
  readonly name: string;
  readonly label: string;
  /** Default: `text`. */
  readonly type?: 'text' | 'password' | 'email' | 'number' | 'checkbox' | 'select' | 'textarea' | 'file';
  readonly value?: string;
  readonly autocomplete: string;
  readonly isRequired?: boolean;
  /** Sentence below the label. */
  readonly hint?: string;
  /** Errors of the refused value. */
  readonly problems?: readonly string[];
  /** Values that the browser suggests. */
  readonly suggestions?: readonly string[];
  /** Maximum length of the value, characters. */
  readonly most?: number;
  /** Choices of a `select`. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
}

/** Input with label. Screen readers read its hint and errors with it. */
export function field(shown: Field): Html {
  const { name, label, hint, type, problems = [], suggestions = [] } = shown;
  const labelled = html`<label for="${name}">${label}</label>`;
  return html`<div class="field">
    ${type === 'checkbox' ? html`<span class="check">${input(shown)} ${labelled}</span>` : labelled}
    ${hint === undefined ? '' : html`<span class="soft" id="${name}-hint">${hint}</span>`}
    ${type === 'checkbox' ? '' : input(shown)}
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

const SECRET = new Set(['password', 'file']);

function input(shown: Field): Html {
  const { name, type = 'text', value, autocomplete, isRequired, hint, problems = [], suggestions = [], most } = shown;
  const about = [...(hint === undefined ? [] : [`${name}-hint`]), ...(problems.length === 0 ? [] : [`${name}-error`])];
  const more = [
    most === undefined || type === 'select' ? '' : html` maxlength="${most}"`,
    isRequired === true && type !== 'checkbox' ? html` required` : '',
    about.length === 0 ? '' : html` aria-describedby="${about.join(' ')}"`,
    problems.length === 0 ? '' : html` aria-invalid="true"`,
    suggestions.length === 0 ? '' : html` list="${name}-list"`,
  ];
  if (type === 'select')
    return html`<select id="${name}" name="${name}" ${more}>
      ${options(shown)}
    </select>`;
  // The HTML parser skips a line break directly after the tag. So one is added, and a line break at the start of the
  // value stays.
  if (type === 'textarea')
    return html`<textarea id="${name}" name="${name}" rows="6" ${more}>${`\n${value ?? ''}`}</textarea>`;
  if (type === 'checkbox')
    return html`<input
      id="${name}"
      name="${name}"
      type="checkbox"
      value="on"
      ${value === 'on' ? html` checked` : ''}
      ${more}
    />`;
  const sent = value === undefined || SECRET.has(type) ? '' : html` value="${value}"`;
  return html`<input id="${name}" name="${name}" type="${type}" autocomplete="${autocomplete}" ${sent} ${more} />`;
}

function options({ choices = [], value = '', isRequired }: Field): Html {
  const isChoice = (wanted: string): boolean => choices.some((choice) => choice.value === wanted);
  const empty = isChoice('') || (isRequired === true && value !== '') ? [] : [{ value: '', label: '—' }];
  const refused = value === '' || isChoice(value) ? [] : [{ value, label: value }];
  return html`${[...empty, ...refused, ...choices].map(
    (choice) =>
      html`<option value="${choice.value}" ${choice.value === value ? html` selected` : ''}>${choice.label}</option>`,
  )}`;
}

/** Sentences of the API are in English, so a sentence in plain ASCII is marked as English. */
function sentence(text: string): Html {
  return /^[ -~]*$/.test(text) ? html`<span lang="en">${text}</span> ` : html`${text} `;
}

/** A hidden field. */
export function hidden(name: string, value: string): Html {
  return html`<input type="hidden" name="${name}" value="${value}" />`;
}

/** Notices above a form, with links to the inputs that have errors. Screen readers read them immediately. */
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
