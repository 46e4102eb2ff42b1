import type { AuditEntry } from '@headwater/identity';
import type { Html } from '../../../pages/layout.ts';
import { appendAudit } from '../../../screens/audit-entry.ts';
import type { AdminAction, AdminDetail, AdminField, AdminResource, AdminTexts } from '../../../seam/admin-resource.ts';
import { auditTable } from '../page/audit-parts.ts';
import { type AdminView, isSecret } from './admin-request.ts';

/** Number of entries of the audit log that a page shows. */
const SHOWN = 20;

/** Latest changes of a row, as a table; undefined if the admin has no form or action that changes the row. */
export async function historyOf(
  { deps, reader }: AdminView,
  resource: AdminResource,
  rowId: string,
): Promise<Html | undefined> {
  if (resource.change === undefined && resource.add === undefined && resource.actions === undefined) return undefined;
  const entries = await deps.stores.audit.latest({ resource: resource.name, rowId, limit: SHOWN });
  return auditTable(reader, { entries, resources: deps.admin, isOfRow: true });
}

/** Latest changes of all rows, as a table. */
export async function latestEntries({ deps, reader }: AdminView): Promise<Html> {
  const entries = await deps.stores.audit.latest({ limit: SHOWN });
  return auditTable(reader, { entries, resources: deps.admin, isOfRow: false });
}

/** An action of a superuser. */
export interface Deed {
  readonly resource: AdminResource;
  readonly id: string;
  readonly title: string;
  /** `add`, `change` or the name of an action. */
  readonly action: string;
  readonly changes: AuditEntry['changes'];
}

/** Writes an action of a superuser to the audit log. */
export async function noteDeed({ deps, caller }: AdminView, { resource, id, ...deed }: Deed): Promise<void> {
  const actor = { user: caller.principal.user, remoteAddress: caller.remoteAddress };
  await appendAudit(deps, actor, { resource: resource.name, rowId: id, ...deed });
}

/**
 * Reads a row after an action; undefined if the row no longer exists. If the row cannot be read, returns `known`: the action is
 * already done, so the action must be written to the audit log, and the user must not be asked to repeat it.
 */
export async function detailAfter(
  { deps, caller }: AdminView,
  { find, name }: AdminResource,
  { id, known }: { readonly id: string; readonly known: AdminDetail },
): Promise<AdminDetail | undefined> {
  try {
    return await find?.(id, caller);
  } catch (error) {
    deps.logger.error(
      { resource: name, id, error: String(error) },
      'an entry of the admin could not be read after its change, so the audit log may lack new values',
    );
    return known;
  }
}

/** Differences of the texts of a row, by field. Fields of secrets are left out. */
export function changesOf(fields: readonly AdminField[], before: AdminTexts, after: AdminTexts): AuditEntry['changes'] {
  const secret = new Set(fields.filter(isSecret).map(({ name }) => name));
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const [old = '', next = ''] = [before[name], after[name]];
      return old === next || secret.has(name) ? [] : [[name, { before: old, after: next }]];
    }),
  );
}

/** Changes of a row by an action: the changed texts of the row, and the texts typed into the fields of the action. */
export function changesByAction(
  resource: AdminResource,
  { fields = [] }: AdminAction,
  {
    before,
    after,
    typed,
  }: { readonly before: AdminDetail; readonly after: AdminDetail | undefined; readonly typed: AdminTexts },
): AuditEntry['changes'] {
  const all = [...(resource.fields ?? []), ...fields];
  const asked = changesOf(all, {}, typed);
  // If the action removed the row, every text of the row is logged as changed to ''. So the log still has these texts.
  return { ...asked, ...changesOf(all, before.texts, after?.texts ?? {}) };
}
