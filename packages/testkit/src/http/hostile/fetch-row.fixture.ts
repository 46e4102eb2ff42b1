import { toFetchHandler, type Headwater, type Operation } from '@headwater/http-service';
import fc from 'fast-check';
import { expect } from 'vitest';
import { SAMPLE_USERS } from '../fixture/sample-service.ts';
import { seedOf } from '../suite/hostile.ts';
import { hostileRequest, type HostileRequest } from './request.ts';
import { judge } from '../suite/hostile.ts';

/** More of them, and others each time: `HEADWATER_FUZZ=5000 npm test -- packages/testkit/src/http/hostile`. */
const MORE = process.env['HEADWATER_FUZZ'];

/** The headers by which a user calls a row: whoever owns the sample, and whoever may do everything. */
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

/** Sends a row as many hostile requests, through the fetch handler. */
export async function expectHarmless(headwater: Headwater, row: Operation, usual: number): Promise<void> {
  const handler = toFetchHandler(headwater.service);
  const owners = await credentials(headwater, row);
  let asked = 0;
  const send = async (request: HostileRequest): Promise<void> => {
    asked += 1;
    const { method, target, body } = request;
    const headers = { ...request.headers, ...owners[asked % owners.length] };
    const init = { method, headers, ...(body === undefined ? {} : { body: Uint8Array.from(body) }) };
    // Of another address each time: sign-ins are limited by it.
    const context = { remoteAddress: `10.${asked >> 16}.${(asked >> 8) & 255}.${asked & 255}` };
    const answer = await handler(new Request(`http://headwater.example${target}`, init), context);
    expect(answer.headers.get('x-request-id')).not.toBeNull();
    judge(request, { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() });
  };
  const runs = MORE === undefined ? { numRuns: usual, seed: seedOf(row) } : { numRuns: Number(MORE) };
  await fc.assert(fc.asyncProperty(hostileRequest(row), send), runs);
  expect(asked).toBeGreaterThanOrEqual(runs.numRuns);
}
