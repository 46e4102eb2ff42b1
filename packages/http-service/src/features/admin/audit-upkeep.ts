import { type Clock, type Logger, messageOf, type Timers } from '@headwater/core';
import type { AuditStore } from '@headwater/identity';

const DAY_MS = 86_400_000;
const KEPT_DAYS = 365;

/** Dependencies of `createAuditUpkeep`. */
export interface AuditUpkeepDeps {
  readonly audit: Pick<AuditStore, 'removeBefore'>;
  readonly days: number | undefined;
  readonly clock: Clock;
  readonly timers: Timers;
  readonly logger: Logger;
}

/** Removes old entries of the audit log. */
export interface AuditUpkeep {
  /** Removes old entries now, and again each day. May be called twice. */
  start(): void;
  /** Stops. Resolves when no removal is in progress. May be called twice. */
  close(): Promise<void>;
}

/**
 * Creates the removal of entries older than `days` (default 365). 0 keeps all entries. Nothing is removed before
 * `start`. Throws for an invalid number of days.
 */
export function createAuditUpkeep({ audit, days = KEPT_DAYS, clock, timers, logger }: AuditUpkeepDeps): AuditUpkeep {
  if (!Number.isInteger(days) || days < 0)
    throw new Error(`auditDays: ${days} is not a whole number from 0; use 0 to keep the audit log for ever`);
  const closing = new AbortController();
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      try {
        const entries = await audit.removeBefore(new Date(clock.now().getTime() - days * DAY_MS).toISOString());
        if (entries > 0) logger.info({ entries, days }, 'old entries of the audit log removed');
      } catch (error) {
        logger.error(
          { error: messageOf(error) },
          'old entries of the audit log could not be removed; retrying tomorrow',
        );
      }
      await timers.sleep(DAY_MS, closing.signal);
    }
  };
  return {
    start: () => {
      if (days > 0) running ??= run();
    },
    close: async () => {
      closing.abort();
      await running;
    },
  };
}
