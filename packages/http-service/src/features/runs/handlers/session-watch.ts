import { appliedPolicies, type AuthDeps, decide } from '@headwater/identity';
import { isDomainError, type Timers } from '@headwater/core';
import type { ServiceRequest } from '../../../seam/request.ts';

const CHECK_INTERVAL_MS = 3000;

/** A response that stays open. */
export interface OpenResponse {
  readonly headers: ServiceRequest['headers'];
  /** Path and query of the request, without the prefix of the mount. */
  readonly url?: string | undefined;
  /** Address of the client, for the sign-in of the host (`HostSignIn`). */
  readonly remoteAddress?: string | undefined;
  readonly ends: AbortSignal;
  /** Policy of the session: an access token (default), or the browser's session. */
  readonly policy?: 'bearer' | 'watch';
  readonly stop: () => void;
}

/**
 * Ends an open response when its credentials are no longer valid. While the credentials cannot be checked, the
 * response stays open. Never rejects.
 */
export async function endWithSession(
  { headers, url, remoteAddress, ends, stop, policy = 'bearer' }: OpenResponse,
  { auth, timers }: { readonly auth: AuthDeps; readonly timers: Timers },
): Promise<void> {
  for (;;) {
    await timers.sleep(CHECK_INTERVAL_MS, ends);
    if (ends.aborted) return;
    try {
      const { policy: deciding, credential } = decide(appliedPolicies(policy, auth), {
        headers,
        url,
        remoteAddress,
        method: 'GET',
      });
      await deciding.authenticate(credential, auth);
    } catch (error) {
      if (isDomainError(error) && error.code !== 'unavailable') return stop();
    }
  }
}
