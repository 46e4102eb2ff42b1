import { html } from 'hono/html';
import { type Field, field, hidden, notices } from '../../../pages/form-parts.ts';
import { type Html, page } from '../../../pages/layout.ts';
import { addressWith, type ChosenLanguage, crumbs, inChosen } from '../../../pages/parts.ts';
import type { Reader } from '../../../screens/replies.ts';
import type { AdminField, AdminResource, AdminTexts, AdminValue, LocalText } from '../../../seam/admin-resource.ts';
import { wireName } from '../../../wire/names.ts';
import { paths } from '../../../wire/paths.ts';

/** A text in the reader's language. */
export function textFor({ language }: Pick<Reader, 'language'>, text: LocalText): string {
  return text[language] ?? text.en;
}

type AddressReader = Pick<Reader, 'prefix' | 'list'> & ChosenLanguage;

/**
 * Link to a page of the admin in the chosen language. A link to the list from which the reader came contains the query
 * of that list.
 */
export function adminHref(reader: AddressReader, ...parts: readonly string[]): string {
  const path = parts.map((part) => `${encodeURIComponent(part)}/`).join('');
  const address = inChosen(reader, reader.prefix + paths.admin + path);
  const { resource, query = '' } = reader.list ?? {};
  if (query === '' || parts[0] !== resource || parts.length > 1) return address;
  return addressWith(address, Object.fromEntries(new URLSearchParams(query)));
}

/**
 * Address to which a form is sent, or to which the reply to a form redirects. If it is below the list from which the
 * reader came, its parameter `list` is the query of that list.
 */
export function adminTarget(reader: AddressReader, ...parts: readonly string[]): string {
  const { resource, query = '' } = reader.list ?? {};
  const address = adminHref(reader, ...parts);
  return query === '' || parts[0] !== resource || parts.length < 2 ? address : addressWith(address, { list: query });
}

/** A page of the admin. */
export interface AdminShown {
  readonly heading: string;
  readonly title?: string;
  /** Resource whose list is above this page in the breadcrumbs. */
  readonly below?: AdminResource;
  /** Row whose page is above this page in the breadcrumbs. */
  readonly row?: { readonly id: string; readonly title: string };
  readonly body: Html;
}

/** A page of the admin with its breadcrumbs and its heading. */
export function adminPage(reader: Reader, { heading, title = heading, below, row, body }: AdminShown): Html {
  const { prefix, language, query, chosen, say, account } = reader;
  const above = [
    { title: say('admin'), href: adminHref(reader) },
    ...(below === undefined ? [] : [{ title: textFor(reader, below.title), href: adminHref(reader, below.name) }]),
    ...(below === undefined || row === undefined
      ? []
      : [{ title: row.title, href: adminHref(reader, below.name, row.id) }]),
  ];
  const whole = html`${crumbs(above, heading, say('breadcrumb'))}
    <h1>${heading}</h1>
    ${body}`;
  const full = `${title} - ${say('admin')}`;
  return page({ title: full, description: full, prefix, body: whole, language, query, chosen, account, script: true });
}

/** The page of something that does not exist, or that the reader may not open. */
export function adminProblemPage(reader: Reader, heading: string, sentence: string): Html {
  const { prefix, language, query, chosen, say, account } = reader;
  const body = html`<h1>${heading}</h1>
    ${notices([sentence])}
    <p><a href="${inChosen(reader, prefix + paths.dashboard)}">${say('toDashboard')}</a></p>`;
  return page({ title: heading, description: sentence, prefix, body, language, query, chosen, account });
}

/** A value in a list, or among the facts about a row. */
export function valueOf(reader: Reader, value: AdminValue | undefined): Html {
  if (value === undefined || value === null || value === '') return html`<span class="soft">—</span>`;
  if (typeof value === 'boolean') return html`${reader.say(value ? 'yes' : 'no')}`;
  if (typeof value !== 'object') return html`${String(value)}`;
  const { text, href, tone } = value;
  const shown = tone === undefined ? html`${text}` : html`<span class="${tone}">${text}</span>`;
  const target = href === undefined ? undefined : targetOf(reader, href);
  return target === undefined ? shown : html`<a href="${target}">${shown}</a>`;
}

/** Text of a value, for names of rows. */
export function plainText(value: AdminValue | undefined): string {
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? value.text : String(value);
}

// Target of a link: a path of this service or an http(s) address; otherwise undefined. A path must not begin with `//`
// or `/\`, which lead to another host.
function targetOf(reader: Reader, href: string): string | undefined {
  const isScreen = [paths.admin, paths.dashboard].some((path) => href.startsWith(path));
  if (isScreen) return inChosen(reader, reader.prefix + href);
  if (/^\/(?![/\\])/.test(href)) return reader.prefix + href;
  return /^https?:\/\//i.test(href) ? href : undefined;
}

/** A form of the admin. */
export interface AdminForm {
  readonly token: string;
  readonly fields: readonly AdminField[];
  readonly texts: AdminTexts;
  readonly problems: Readonly<Record<string, readonly string[]>>;
}

/** Inputs of the fields of a form. */
export function inputsOf(reader: Reader, { fields, texts, problems }: Omit<AdminForm, 'token'>): readonly Field[] {
  return fields.map(({ name, label, hint, kind = 'text', choices = [], isRequired = false, most, initial }) => ({
    name,
    label: textFor(reader, label),
    type: kind,
    isRequired,
    value: texts[name] ?? initial ?? '',
    autocomplete: kind === 'password' ? 'new-password' : 'off',
    choices: choices.map((choice) => ({ value: choice.value, label: textFor(reader, choice.label) })),
    problems: problems[wireName(name)] ?? [],
    ...(hint === undefined ? {} : { hint: textFor(reader, hint) }),
    ...(most === undefined ? {} : { most }),
  }));
}

/** A form with inputs for its fields, and one button. */
export function fieldForm(
  reader: Reader,
  form: AdminForm,
  { action, button, more = html`` }: { readonly action: string; readonly button: string; readonly more?: Html },
): Html {
  const isFile = form.fields.some(({ kind }) => kind === 'file');
  return html`<form class="form" method="post" action="${action}" ${isFile ? html` enctype="multipart/form-data"` : ''}>
    ${hidden('token', form.token)} ${more} ${inputsOf(reader, form).map(field)}
    <p><button class="button" type="submit">${button}</button></p>
  </form>`;
}
