import type { AuditEntry, User } from '@headwater/identity';
import type { Ports } from '../deps.ts';

/** Superuser who performed an action, and the address of the client. */
export interface Actor {
  readonly user: Pick<User, 'id' | 'username'>;
  readonly remoteAddress: string | undefined;
}

/**
 * Writes an action of a superuser to the audit log. If the audit log cannot be written, the entry is logged as an error, and the
 * request does not fail, because the action is already done.
 */
export async function appendAudit(
  { stores, clock, logger }: Ports<'stores' | 'clock' | 'logger'>,
  { user, remoteAddress }: Actor,
  deed: Pick<AuditEntry, 'resource' | 'rowId' | 'title' | 'action' | 'changes'>,
): Promise<void> {
  const entry = {
    at: clock.now().toISOString(),
    actorId: user.id,
    actorName: user.username,
    ...deed,
    address: remoteAddress ?? null,
  };
  try {
    await stores.audit.append(entry);
  } catch (error) {
    logger.error({ ...entry, error: String(error) }, 'this change is missing in the audit log');
  }
}
