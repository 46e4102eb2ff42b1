import type { AuditEntry } from '@headwater/identity';
import { html } from 'hono/html';
import type { Html } from '../../../pages/layout.ts';
import { sayIn } from '../../../pages/texts.ts';
import { momentText } from '../../../pages/words.ts';
import type { Reader } from '../../../screens/replies.ts';
import type { AdminResource } from '../../../seam/admin-resource.ts';
import { adminHref, textFor } from './admin-parts.ts';

/** Entries of the audit log for a page. */
export interface AuditFacts {
  readonly entries: readonly AuditEntry[];
  readonly resources: readonly AdminResource[];
  /** True for the history of one row, which does not repeat the name of the row. */
  readonly isOfRow: boolean;
}

/** Entries of the audit log as a table. */
export function auditTable(reader: Reader, { entries, resources, isOfRow }: AuditFacts): Html {
  const { say, language } = reader;
  const caption = say(isOfRow ? 'history' : 'latestChanges');
  const heading = isOfRow ? '' : html`<h2 id="latest">${caption}</h2>`;
  if (entries.length === 0)
    return html`${heading}
      <p class="empty">${say('noHistory')}</p>`;
  const rows = entries.map((entry) => {
    const resource = resources.find(({ name }) => name === entry.resource);
    return html`<tr>
      <td>${momentText(entry.at, language)}</td>
      <td>${entry.actorName}</td>
      <td>${actionLabel(reader, entry, resource)}</td>
      ${isOfRow ? '' : html`<td>${entryLink(reader, entry, resource)}</td>`}
      <td>${changeList(reader, entry, resource)}</td>
    </tr> `;
  });
  return html`${heading}
    <div class="scroll" tabindex="0" role="region" aria-label="${caption}">
      <table>
        <thead>
          <tr>
            <th scope="col">${say('when')}</th>
            <th scope="col">${say('actor')}</th>
            <th scope="col">${say('action')}</th>
            ${isOfRow ? '' : html`<th scope="col">${say('entry')}</th>`}
            <th scope="col">${say('changed')}</th>
          </tr>
        </thead>
        <tbody>
          ${rows}
        </tbody>
      </table>
    </div>`;
}

function actionLabel(reader: Reader, { action }: AuditEntry, resource: AdminResource | undefined): string {
  if (action === 'add') return reader.say('auditAdd');
  if (action === 'change') return reader.say('auditChange');
  const known = resource?.actions?.find(({ name }) => name === action);
  return known === undefined ? action : textFor(reader, known.label);
}

function entryLink(
  reader: Reader,
  { resource: name, rowId, title }: AuditEntry,
  resource: AdminResource | undefined,
): Html {
  const kind = resource === undefined ? name : textFor(reader, resource.title);
  return resource?.find === undefined
    ? html`${kind}: ${title}`
    : html`${kind}: <a href="${adminHref(reader, name, rowId)}">${title}</a>`;
}

/** A changed field with its label and texts. */
export interface ShownChange {
  readonly label: string;
  readonly before: string;
  readonly after: string;
}

/** Changes of an entry in the reader's language; `—` for no text. */
export function shownChanges(
  { language }: Pick<Reader, 'language'>,
  { changes }: AuditEntry,
  resource: AdminResource | undefined,
): readonly ShownChange[] {
  const say = sayIn(language);
  const fields = [
    ...(resource?.fields ?? []),
    ...(resource?.add?.fields ?? []),
    ...(resource?.actions ?? []).flatMap((action) => action.fields ?? []),
  ];
  return Object.entries(changes).map(([name, { before, after }]) => {
    const field = fields.find((each) => each.name === name);
    const shown = (text: string): string => {
      if (field?.kind === 'checkbox') return say(text === 'on' ? 'yes' : 'no');
      const choice = field?.choices?.find(({ value }) => value === text);
      if (choice !== undefined) return textFor({ language }, choice.label);
      return text === '' ? '—' : text;
    };
    const label = field === undefined ? name : textFor({ language }, field.label);
    return { label, before: shown(before), after: shown(after) };
  });
}

function changeList(reader: Reader, entry: AuditEntry, resource: AdminResource | undefined): Html {
  const lines = shownChanges(reader, entry, resource).map(
    ({ label, before, after }) => html`<li>${label}: ${before} → ${after}</li> `,
  );
  return lines.length === 0
    ? html`<span class="soft">—</span>`
    : html`<ul class="plain">
        ${lines}
      </ul>`;
}
