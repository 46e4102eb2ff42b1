import { authenticate, type AuthDeps } from '@headwater/identity';
import { isDomainError, type Timers } from '@headwater/core';
import type { ServiceRequest } from '../../../seam/request.ts';

/** Pause between two looks whether the session of an open answer lasts, ms. */
const LOOK_MS = 3000;

/** An answer that stays open. */
export interface OpenAnswer {
  /** What it was asked for with. */
  readonly headers: ServiceRequest['headers'];
  /** Aborts when the answer is over. */
  readonly ends: AbortSignal;
  /** Ends the answer. */
  readonly stop: () => void;
}

/**
 * Ends an open answer whose bearer token does not do any more: it expired, or its session ended, here or at another server on the same
 * database. The token is looked at as it is for every request. While the database is away the answer goes on. Never rejects.
 */
export async function endWithSession(
  { headers, ends, stop }: OpenAnswer,
  { auth, timers }: { readonly auth: AuthDeps; readonly timers: Timers },
): Promise<void> {
  for (;;) {
    await timers.sleep(LOOK_MS, ends);
    if (ends.aborted) return;
    try {
      await authenticate('bearer', headers, auth);
    } catch (error) {
      if (!isDomainError(error) || error.code !== 'unavailable') return stop();
    }
  }
}
