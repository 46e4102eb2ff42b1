import type { AuditEntry } from '@headwater/identity';
import type { Html } from '../../../pages/layout.ts';
import { appendAudit } from '../../../screens/audit-entry.ts';
import type { AdminAction, AdminDetail, AdminField, AdminResource, AdminTexts } from '../../../seam/admin-resource.ts';
import { auditTable } from '../page/audit-parts.ts';
import { type AdminView, isSecret } from './admin-request.ts';

const SHOWN = 20;

/** Table of the latest changes of a row; undefined if the admin cannot change the row. */
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
 * Reads a row after an action; undefined if the row was removed. Returns `known` if the read fails, because the action
 * has succeeded.
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

/** Differences of the texts of a row, by field, without secrets. */
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

/** Changes of a row by an action: the row's changed texts, and the texts of the action's form. */
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
  // If the action has removed the row, the log states that all its texts changed to ''.
  return { ...asked, ...changesOf(all, before.texts, after?.texts ?? {}) };
}
