import { html } from 'hono/html';
import { createHash } from 'node:crypto';
import { hidden, notices } from '../../../pages/form-parts.ts';
import type { Html } from '../../../pages/layout.ts';
import { facts } from '../../../pages/parts.ts';
import type { Reader } from '../../../screens/replies.ts';
import type {
  AdminAction,
  AdminDetail,
  AdminField,
  AdminResource,
  AdminTexts,
  AdminValue,
} from '../../../seam/admin-resource.ts';
import { adminHref, adminTarget, adminPage, fieldForm, inputsOf, textFor, valueOf } from './admin-parts.ts';
import { ROW_PREFIX } from './list-page.ts';

/** Outcome of the last form. */
export interface FormOutcome {
  readonly notices: readonly string[];
  readonly problems: readonly string[];
  readonly fieldProblems: Readonly<Record<string, readonly string[]>>;
}

/** Outcome if no form was sent. */
export const NO_OUTCOME: FormOutcome = { notices: [], problems: [], fieldProblems: {} };

/** Data of the page of a row. */
export interface RowFacts {
  readonly resource: AdminResource;
  readonly id: string;
  readonly detail: AdminDetail;
  readonly token: string;
  /** Texts of the form: the typed texts, or the texts of the row. */
  readonly texts: AdminTexts;
  /** Hash of the texts with which the form was opened. Default: hash of the present texts. */
  readonly was?: string | undefined;
  readonly outcome: FormOutcome;
  readonly history: Html | undefined;
  readonly parts?: readonly Html[] | undefined;
}

/** Fields that the form of a row changes. */
export function changeable({ change, fields = [] }: AdminResource): readonly AdminField[] {
  return change === undefined ? [] : fields.filter(({ isReadOnly }) => isReadOnly !== true);
}

/** Actions that a row offers. */
export function offered({ actions = [] }: AdminResource, detail: AdminDetail): readonly AdminAction[] {
  return actions.filter(({ isOffered }) => isOffered?.(detail) ?? true);
}

/** The page of a row. */
export function rowPage(reader: Reader, shown: RowFacts): Html {
  const { say } = reader;
  const { resource, id, detail, token, outcome, texts, history, parts = [] } = shown;
  const fields = changeable(resource);
  const form = { token, fields, texts, problems: outcome.fieldProblems };
  const actions = offered(resource, detail);
  const body = html`${outcomeOf(reader, outcome, { ...form })} ${parts} ${detail.top ?? []} ${factsOf(reader, shown)}
  ${
    fields.length === 0
      ? ''
      : fieldForm(reader, form, {
          action: adminTarget(reader, resource.name, id),
          button: say('saveChanges'),
          more: hidden('was', shown.was ?? hashOf(fields, detail.texts)),
        })
  }
  ${
    actions.length === 0
      ? ''
      : html`<h2 id="actions">${say('actions')}</h2>
          <ul class="buttons">
            ${actions.map((action) => actionButton(reader, shown, action))}
          </ul>`
  }
  ${detail.parts ?? []}
  ${
    history === undefined
      ? ''
      : html`<h2 id="history">${say('history')}</h2>
          ${history}`
  }`;
  const title = `${detail.title} (${textFor(reader, resource.one)} ${id})`;
  return adminPage(reader, { heading: detail.title, title, below: resource, body });
}

/** Notices and problems of a form. */
export function outcomeOf(
  reader: Reader,
  outcome: FormOutcome,
  form: { readonly fields: readonly AdminField[]; readonly texts: AdminTexts },
): Html {
  const inputs = inputsOf(reader, { ...form, problems: outcome.fieldProblems });
  return html`${outcome.notices.map((text) => html`<p class="empty" role="status">${text}</p>`)}
  ${notices(outcome.problems, inputs)}`;
}

function factsOf(reader: Reader, { resource, detail }: RowFacts): Html {
  const open = new Set(changeable(resource).map(({ name }) => name));
  const own = (detail.facts ?? []).map(([label, value]) => [textFor(reader, label), value] as const);
  const labels = new Set(own.map(([label]) => label));
  // A fact replaces a field with the same label, because a fact may have a link.
  const closed = (resource.fields ?? [])
    .filter(({ name }) => !open.has(name) && detail.texts[name] !== undefined)
    .map((field) => [textFor(reader, field.label), shownText(reader, field, detail.texts)] as const);
  const all: (readonly [string, AdminValue])[] = [...own, ...closed.filter(([label]) => !labels.has(label))];
  return all.length === 0 ? html`` : facts(all.map(([label, value]) => [label, valueOf(reader, value)]));
}

/** Hash of a form's texts. If a row's hash differs from the sent hash, the row has changed in the meantime. */
export function hashOf(fields: readonly AdminField[], texts: AdminTexts): string {
  const present = fields.map(({ name }) => [name, texts[name] ?? '']);
  return createHash('sha256').update(JSON.stringify(present)).digest('base64url');
}

/** Text of a field for people; a choice is shown by its label. */
export function shownText(reader: Reader, { name, kind, choices = [] }: AdminField, texts: AdminTexts): string {
  const text = texts[name] ?? '';
  if (kind === 'checkbox') return reader.say(text === 'on' ? 'yes' : 'no');
  const choice = choices.find(({ value }) => value === text);
  return choice === undefined ? text : textFor(reader, choice.label);
}

function actionButton(reader: Reader, { resource, id, token }: RowFacts, { name, label }: AdminAction): Html {
  return html`<li>
    <form method="post" action="${adminTarget(reader, resource.name, id, 'actions', name)}">
      ${hidden('token', token)}
      <button class="button plainer" type="submit">${textFor(reader, label)}</button>
    </form>
  </li> `;
}

/** Data of the page with the form of a new row. */
export interface AddFacts {
  readonly resource: AdminResource;
  readonly add: NonNullable<AdminResource['add']>;
  readonly token: string;
  readonly texts: AdminTexts;
  readonly outcome: FormOutcome;
  readonly parts: readonly Html[];
}

/** The page with the form of a new row. */
export function addPage(reader: Reader, { resource, add, token, texts, outcome, parts }: AddFacts): Html {
  const { say } = reader;
  const form = { token, fields: add.fields, texts, problems: outcome.fieldProblems };
  const body = html`${outcomeOf(reader, outcome, form)} ${parts}
  ${fieldForm(reader, form, { action: adminTarget(reader, resource.name, 'add'), button: say('addButton') })}`;
  return adminPage(reader, { heading: say('addOne', { one: textFor(reader, resource.one) }), below: resource, body });
}

/** A row that an action concerns. */
export interface ActedRow {
  readonly id: string;
  readonly title: string;
  readonly consequences: readonly string[];
}

/** Data of the page on which the reader confirms an action. */
export interface AskFacts {
  readonly resource: AdminResource;
  readonly action: AdminAction;
  readonly rows: readonly ActedRow[];
  readonly isBulk: boolean;
  readonly token: string;
  readonly texts: AdminTexts;
  readonly outcome: FormOutcome;
}

/** The page on which the reader confirms an action, with its rows, their consequences and its fields. */
export function askPage(reader: Reader, shown: AskFacts): Html {
  const { say } = reader;
  const { resource, action, rows, isBulk, token, texts, outcome } = shown;
  const [first] = rows;
  const fields = action.fields ?? [];
  const form = { token, fields, texts, problems: outcome.fieldProblems };
  const id = first?.id ?? '';
  const target = isBulk
    ? adminTarget(reader, resource.name, 'actions')
    : adminTarget(reader, resource.name, id, 'actions', action.name);
  const back = isBulk ? adminHref(reader, resource.name) : adminHref(reader, resource.name, id);
  const label = textFor(reader, action.label);
  const sent = isBulk ? rows.map((row) => hidden(ROW_PREFIX + row.id, 'on')) : [];
  const more = html`${hidden('confirmed', 'yes')} ${isBulk ? hidden('action', action.name) : ''} ${sent}`;
  const body = html`${outcomeOf(reader, outcome, form)}
    <p class="lead">${say('confirmLead')}</p>
    <ul class="plain">
      ${rows.map(
        ({ title, consequences }) =>
          html`<li>
            <strong>${title}</strong>
            ${
              consequences.length === 0
                ? ''
                : html`<ul>
                    ${consequences.map((text) => html`<li>${text}</li>`)}
                  </ul>`
            }
          </li> `,
      )}
    </ul>
    ${fieldForm(reader, form, { action: target, button: label, more })}
    <p><a href="${back}">${say('cancel')}</a></p>`;
  const heading = isBulk || first === undefined ? label : `${label}: ${first.title}`;
  return adminPage(reader, {
    heading,
    below: resource,
    ...(isBulk || first === undefined ? {} : { row: first }),
    body,
  });
}

/** Result of an action for one of several rows. */
export interface RowResult {
  readonly id: string;
  readonly title: string;
  readonly isFailure: boolean;
  readonly sentence: string;
}

/** The page with the result of each chosen row. */
export function resultsPage(
  reader: Reader,
  resource: AdminResource,
  { action, results }: { readonly action: AdminAction; readonly results: readonly RowResult[] },
): Html {
  const { say } = reader;
  const done = String(results.filter(({ isFailure }) => !isFailure).length);
  const label = textFor(reader, action.label);
  const body = html`<p class="lead" role="status">${say('resultsOf', { done, total: String(results.length) })}</p>
    <div class="scroll" tabindex="0" role="region" aria-label="${label}">
      <table>
        <thead>
          <tr>
            <th scope="col">${say('entry')}</th>
            <th scope="col">${say('result')}</th>
          </tr>
        </thead>
        <tbody>
          ${results.map(
            ({ id, title, isFailure, sentence }) =>
              html`<tr>
                <td>
                  ${resource.find === undefined ? title : html`<a href="${adminHref(reader, resource.name, id)}">${title}</a>`}
                </td>
                <td><span class="${isFailure ? 'failing' : 'ok'}">${sentence}</span></td>
              </tr> `,
          )}
        </tbody>
      </table>
    </div>
    <p><a href="${adminHref(reader, resource.name)}">${say('backToList')}</a></p>`;
  return adminPage(reader, { heading: label, below: resource, body });
}
