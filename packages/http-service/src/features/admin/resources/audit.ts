import { html } from 'hono/html';
import type { AuditEntry } from '@headwater/identity';
import type { AdminParts } from '../../../deps.ts';
import { momentText } from '../../../pages/words.ts';
import { localText } from '../../../pages/texts.ts';
import type { AdminResource, LocalText } from '../../../seam/admin-resource.ts';
import type { Html } from '../../../pages/layout.ts';
import { sayIn } from '../../../pages/texts.ts';
import type { Language } from '../../../wire/words.ts';
import { textFor } from '../page/admin-parts.ts';
import { shownChanges } from '../page/audit-parts.ts';

const TIME: LocalText = localText('when');
const ACTOR: LocalText = localText('actor');
const ACTION: LocalText = localText('action');
const KIND: LocalText = localText('kind');
const ENTRY: LocalText = localText('entry');

/** The audit log, which cannot be changed. `others`: the other resources, for its filters, labels and links. */
export function auditResource({ stores }: Pick<AdminParts, 'stores'>, others: readonly AdminResource[]): AdminResource {
  const actions = new Map<string, LocalText>([
    ['add', localText('auditAdd')],
    ['change', localText('auditChange')],
    ...others.flatMap((each) => (each.actions ?? []).map(({ name, label }) => [name, label] as const)),
  ]);
  const kindOf = (name: string): AdminResource | undefined => others.find((each) => each.name === name);
  return {
    name: 'audit',
    title: localText('auditLog'),
    one: localText('entryOfTheAuditLog'),
    section: 'service',
    lead: localText('everythingThatSuperusersDidIn'),
    columns: [
      { name: 'at', label: TIME, isSortable: true },
      { name: 'actor', label: ACTOR },
      { name: 'action', label: ACTION },
      { name: 'kind', label: KIND },
      { name: 'entry', label: ENTRY },
    ],
    filters: [
      { name: 'kind', label: KIND, choices: others.map(({ name, title }) => ({ value: name, label: title })) },
      { name: 'action', label: ACTION, choices: [...actions].map(([value, label]) => ({ value, label })) },
    ],
    search: localText('searchInNamesAndIds'),
    list: async ({ search, filters, sort, limit, offset }, { language }) => {
      const { kind, action } = filters;
      const narrowed = { ...(kind !== undefined && { resource: kind }), ...(action !== undefined && { action }) };
      const isAscending = sort?.isDescending === false;
      const { entries, total } = await stores.audit.list({ search, limit, offset, isAscending, ...narrowed });
      const rows = entries.map((entry) => ({
        id: String(entry.id),
        values: {
          at: momentText(entry.at, language),
          actor: entry.actorName,
          action: textFor({ language }, actions.get(entry.action) ?? { en: entry.action }),
          kind: textFor({ language }, kindOf(entry.resource)?.title ?? { en: entry.resource }),
          entry: linkOf(entry, kindOf(entry.resource)),
        },
      }));
      return { rows, total };
    },
    find: async (id, { language }) => {
      const entry = /^[1-9]\d{0,9}$/.test(id) ? await stores.audit.byId(Number(id)) : undefined;
      if (entry === undefined) return undefined;
      const action = textFor({ language }, actions.get(entry.action) ?? { en: entry.action });
      const kind = kindOf(entry.resource);
      return {
        title: `${action}: ${entry.title}`,
        texts: {},
        facts: [
          [TIME, momentText(entry.at, language)],
          [ACTOR, { text: entry.actorName, href: `/admin/users/${entry.actorId}/` }],
          [localText('addressOfTheClient'), entry.address],
          [ACTION, action],
          [KIND, textFor({ language }, kind?.title ?? { en: entry.resource })],
          [ENTRY, linkOf(entry, kind)],
        ],
        parts: [changesTable(entry, kind, language)],
      };
    },
  };
}

function linkOf({ resource, rowId, title }: AuditEntry, kind: AdminResource | undefined) {
  const href = `/admin/${encodeURIComponent(resource)}/${encodeURIComponent(rowId)}/`;
  return kind?.find === undefined ? title : { text: title, href };
}

const FIELD: LocalText = localText('field');
const BEFORE: LocalText = localText('before');
const AFTER: LocalText = localText('after');
const NOTHING: LocalText = localText('noFieldWasChanged');

function changesTable(entry: AuditEntry, kind: AdminResource | undefined, language: Language): Html {
  const lines = shownChanges({ language }, entry, kind);
  const say = (text: LocalText): string => textFor({ language }, text);
  if (lines.length === 0) return html`<p class="empty">${say(NOTHING)}</p>`;
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${sayIn(language)('changed')}">
    <table>
      <thead>
        <tr>
          <th scope="col">${say(FIELD)}</th>
          <th scope="col">${say(BEFORE)}</th>
          <th scope="col">${say(AFTER)}</th>
        </tr>
      </thead>
      <tbody>
        ${lines.map(
          ({ label, before, after }) =>
            html`<tr>
              <th scope="row">${label}</th>
              <td>${before}</td>
              <td>${after}</td>
            </tr> `,
        )}
      </tbody>
    </table>
  </div>`;
}
