import { DomainError, type ErrorCode } from '@headwater/core';
import { expect, it, onTestFinished } from 'vitest';
import { toFetchHandler } from '../hosts/fetch-handler.ts';
import { createHeadwater } from '../headwater.ts';
import type { Operation } from '../rows/operation.ts';

const throwing = (code: ErrorCode): Operation => ({
  id: code,
  method: 'GET',
  path: `/${code}/`,
  auth: 'public',
  tag: 'system',
  summary: 'Fails',
  responses: { 200: { description: 'Never' } },
  errors: [code],
  examples: [{ name: 'one', status: 200 }],
  handler: () => {
    throw new DomainError(code, 'no');
  },
});

it('does not look up the signed-in user for a page that says that the service is not available', async () => {
  let lookUps = 0;
  const userOf = (): undefined => void (lookUps += 1);
  const { service, close } = createHeadwater({
    baseUrl: 'http://localhost',
    secret: crypto.getRandomValues(new Uint8Array(32)),
    operations: [throwing('unavailable'), throwing('not_found')],
    pages: { userOf, signIn: '/sign-in' },
  });
  onTestFinished(() => close());
  const answer = toFetchHandler(service);
  const open = async (path: string): Promise<number> =>
    (await answer(new Request(`http://localhost${path}`, { headers: { accept: 'text/html' } }))).status;
  expect([await open('/unavailable/'), lookUps]).toEqual([503, 0]);
  expect([await open('/not_found/'), lookUps]).toEqual([404, 1]);
  await close();
  expect([await open('/not_found/'), lookUps]).toEqual([503, 1]);
});

it('names the missing role to a host user who may not compute, and does not say that an account is missing', async () => {
  const { service, close } = createHeadwater({
    baseUrl: 'http://localhost',
    secret: crypto.getRandomValues(new Uint8Array(32)),
    identity: { authenticate: async () => ({ id: 'asha-1', name: 'Asha', roles: [] }) },
  });
  onTestFinished(() => close());
  for (const language of ['en', 'hi']) {
    const headers = { accept: 'text/html', 'accept-language': language };
    const answer = await toFetchHandler(service)(new Request('http://localhost/api/export-asset', { headers }));
    const page = await answer.text();
    expect(answer.status).toBe(403);
    expect(page).toContain('Asha may not compute; ask the operator of this site for the role');
    expect(page).not.toMatch(/no active account|कोई चालू खाता नहीं/);
  }
});
