import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { toFetchHandler } from '../../../hosts/fetch-handler.ts';
import { createHeadwater } from '../../../headwater.ts';

it('checks the passwords of 66 of 100 simultaneous sign-ins; the other sign-ins get 503 with Retry-After', async () => {
  const gate = Promise.withResolvers<void>();
  let running = 0;
  const hasher = {
    hash: async () => 'decoy',
    verify: async () => {
      running += 1;
      expect(running).toBeLessThanOrEqual(2);
      await gate.promise;
      running -= 1;
      return false;
    },
  };
  const { service } = createHeadwater({
    baseUrl: 'http://localhost',
    secret: 's3cret '.repeat(5),
    identity: { hasher },
  });
  const handler = toFetchHandler(service);
  const attempt = (index: number): Promise<Response> => {
    const body = JSON.stringify({ username: `name${index}`, password: 'x' });
    const headers = { 'content-type': 'application/json' };
    const request = new Request('http://localhost/api/v1/auth/login/', { method: 'POST', headers, body });
    return handler(request, { remoteAddress: `10.0.${index}.1` });
  };
  const crowd = Array.from({ length: 100 }, (_, index) => attempt(index));
  const refused = await Promise.race(crowd);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '5']);
  expect(await refused.json()).toMatchObject({
    code: 'unavailable',
    detail: expect.stringContaining('try again in 5 s'),
  });
  gate.resolve();
  const statuses = (await Promise.all(crowd)).map(({ status }) => status);
  expect(new Set(statuses)).toEqual(new Set([401, 503]));
  expect(statuses.filter((status) => status === 401)).toHaveLength(2 + 64);
});

it('does not refuse a user who has signed in from this address before, even while many unknown names try to sign in', async () => {
  const gate = Promise.withResolvers<void>();
  let isCrowded = false;
  const hasher = {
    hash: async (password: string) => `hash of ${password}`,
    verify: async (password: string, hash: string) => {
      if (isCrowded && password === 'x') await gate.promise;
      return hash === `hash of ${password}`;
    },
  };
  const { accounts } = createHeadwater({
    baseUrl: 'http://localhost',
    secret: 's3cret '.repeat(5),
    identity: { hasher },
  });
  const owner = { username: 'asha', password: 'tall-river-42' };
  await accounts.createUser(owner);
  await accounts.login(owner, '10.9.9.9');
  isCrowded = true;
  const crowd = Array.from({ length: 100 }, (_, index) =>
    accounts.login({ username: `name${index}`, password: 'x' }, `10.0.${index}.1`).catch((error: unknown) => error),
  );
  expect(await Promise.race(crowd)).toMatchObject({ code: 'unavailable' });
  const signedIn = accounts.login(owner, '10.9.9.9').then(({ user }) => user.username, String);
  // After one turn of the event loop the sign-in waits or was refused.
  await setImmediate();
  gate.resolve();
  expect(await signedIn).toBe('asha');
  await Promise.all(crowd);
});
