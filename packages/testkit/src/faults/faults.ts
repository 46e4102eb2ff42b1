import { DomainError } from '@headwater/core';

/**
 * The failures of a database as the stores over PostgreSQL reject with them: a lost connection, an ended statement, and a transaction that
 * failed too often. `packages/postgres/src/errors.test.ts` has the driver's errors that become these.
 */
export const STORE_FAULTS: readonly (() => DomainError)[] = [
  () => new DomainError('unavailable', 'PostgreSQL does not answer (57P01): it is starting, stopping or was restarted'),
  () => new DomainError('took_too_long', 'PostgreSQL ended a statement that took longer than it may'),
  () =>
    new DomainError('unavailable', 'PostgreSQL gave up a transaction that met others too often (40001)', {
      details: { retryAfterSeconds: 1 },
    }),
];
