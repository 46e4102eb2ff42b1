import type { AuthDeps, SessionPrincipal, User } from '@headwater/identity';
import { DomainError } from '@headwater/core';
import { createManualTime } from '@headwater/core/testing';
import { expect, it } from 'vitest';
import { endWithSession } from './session-watch.ts';

/** Dependencies whose database does not answer while `isAway` returns true. Otherwise the database has no session. */
function auth(isAway: () => boolean): AuthDeps {
  const gone = new DomainError('unavailable', 'the database does not answer');
  const refuse = async () => (isAway() ? Promise.reject(gone) : undefined);
  const claims = { userId: 1, familyId: 'f', sessionVersion: 0, signedInAt: 0, jti: 'a', expiresAt: '' };
  return {
    tokens: { verify: async () => ({ ok: true, claims }) },
    users: { byId: refuse, ofSession: refuse },
    apiKeys: { authenticate: () => Promise.reject(gone) },
  };
}

it('waits while the database does not answer, and ends the response when the session has ended', async () => {
  const timers = createManualTime();
  let isAway = true;
  const stop = new AbortController();
  const headers = { authorization: 'Bearer x' };
  const over = endWithSession(
    { headers, ends: stop.signal, stop: () => stop.abort() },
    { auth: auth(() => isAway), timers },
  );
  await timers.advance(60_000);
  expect(stop.signal.aborted).toBe(false);
  isAway = false;
  await timers.advance(3000);
  expect(stop.signal.aborted).toBe(true);
  await over;
  expect(timers.sleeping).toBe(0);
});

it('leaves no timer behind if the response ends', async () => {
  const timers = createManualTime();
  const stop = new AbortController();
  const response = { headers: {}, ends: stop.signal, stop: () => stop.abort() };
  const over = endWithSession(response, { auth: auth(() => true), timers });
  expect(timers.sleeping).toBe(1);
  stop.abort();
  await over;
  expect(timers.sleeping).toBe(0);
});

it('ends a response to a browser when the session that opened the response has ended', async () => {
  const timers = createManualTime();
  const stop = new AbortController();
  let isOpen = true;
  const user = { id: 1, mustChangePassword: false } as User;
  const session: SessionPrincipal = { kind: 'session', user, formKey: 'x' };
  const watches = new Set<boolean | undefined>();
  const sessions: AuthDeps['sessions'] = {
    of: async ({ isWatch }) => {
      watches.add(isWatch);
      return isOpen ? session : undefined;
    },
  };
  const response = { headers: {}, ends: stop.signal, stop: () => stop.abort(), policy: 'watch' as const };
  const over = endWithSession(response, { auth: { ...auth(() => false), sessions }, timers });
  await timers.advance(60_000);
  expect(stop.signal.aborted).toBe(false);
  isOpen = false;
  await timers.advance(3000);
  await over;
  // A check must not extend the session.
  expect([stop.signal.aborted, ...watches]).toEqual([true, true]);
});

it('checks again after an error that is not about the session; each check gets the address of the client', async () => {
  const timers = createManualTime();
  const stop = new AbortController();
  const addresses: (string | undefined)[] = [];
  const user = { id: 1, mustChangePassword: false } as User;
  const session: SessionPrincipal = { kind: 'session', user, formKey: 'x' };
  const sessions = {
    of: async ({ remoteAddress }: { readonly remoteAddress?: string | undefined }) => {
      addresses.push(remoteAddress);
      if (addresses.length === 1) throw new Error('connection reset');
      return addresses.length === 2 ? session : undefined;
    },
  };
  const response = { headers: {}, remoteAddress: '192.0.2.1', ends: stop.signal, policy: 'watch' as const };
  const over = endWithSession(
    { ...response, stop: () => stop.abort() },
    { auth: { ...auth(() => false), sessions }, timers },
  );
  await timers.advance(6000);
  expect([stop.signal.aborted, addresses]).toEqual([false, ['192.0.2.1', '192.0.2.1']]);
  await timers.advance(3000);
  await over;
  expect(stop.signal.aborted).toBe(true);
});
