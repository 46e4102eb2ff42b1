import { toFetchHandler, type Headwater, type Operation } from '@headwater/http-service';
import fc from 'fast-check';
import { expect } from 'vitest';
import { SAMPLE_USERS } from '../fixture/sample-service.ts';
import { seedOf } from '../suite/hostile.ts';
import { hostileRequest, type HostileRequest } from './request.ts';
import { judge } from '../suite/hostile.ts';

/** Number of random requests per operation, from the environment. If it is set, each run has a new seed. */
const FUZZ_RUNS = process.env['HEADWATER_FUZZ'];

async function credentials(
  { accounts, apiKeys }: Headwater,
  { auth }: Operation,
): Promise<readonly Readonly<Record<string, string>>[]> {
  if (auth === 'public') return [{}];
  const users = [SAMPLE_USERS.owner, SAMPLE_USERS.operator];
  return await Promise.all(
    users.map(async (user) => {
      const { access, user: known } = await accounts.login(user, undefined);
      if (auth !== 'apiKey') return { authorization: `Bearer ${access}` };
      return { 'x-api-key': (await apiKeys.generate({ kind: 'user', user: known })).text };
    }),
  );
}

/** Sends hostile requests through the fetch handler. Throws if a response shows harm. */
export async function expectHarmless(headwater: Headwater, row: Operation, usual: number): Promise<void> {
  const handler = toFetchHandler(headwater.service);
  const owners = await credentials(headwater, row);
  let sent = 0;
  const send = async (request: HostileRequest): Promise<void> => {
    sent += 1;
    const { method, target, body } = request;
    const headers = { ...request.headers, ...owners[sent % owners.length] };
    const init = { method, headers, ...(body === undefined ? {} : { body: Uint8Array.from(body) }) };
    // Each request has its own client address, because sign-ins are limited by address.
    const context = { remoteAddress: `10.${sent >> 16}.${(sent >> 8) & 255}.${sent & 255}` };
    const answer = await handler(new Request(`http://headwater.example${target}`, init), context);
    expect(answer.headers.get('x-request-id')).not.toBeNull();
    judge(request, { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() });
  };
  const runs = FUZZ_RUNS === undefined ? { numRuns: usual, seed: seedOf(row) } : { numRuns: Number(FUZZ_RUNS) };
  await fc.assert(fc.asyncProperty(hostileRequest(row), send), runs);
  expect(sent).toBeGreaterThanOrEqual(runs.numRuns);
}
