import type { AuditEntry, User } from '@headwater/identity';
import type { Ports } from '../deps.ts';

/** Superuser who performed an action, and the client's address. */
export interface Actor {
  readonly user: Pick<User, 'id' | 'username'>;
  readonly remoteAddress: string | undefined;
}

/** Writes a superuser's action to the audit log. A failure is only logged, because the action is already done. */
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
    logger.error(
      { ...entry, error: String(error) },
      'this change could not be written to the audit log, so the audit log lacks it',
    );
  }
}
