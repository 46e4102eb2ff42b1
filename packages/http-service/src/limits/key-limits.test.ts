import { setImmediate } from 'node:timers/promises';
import type { Policy, Stores, UserPrincipal } from '@headwater/identity';
import { createManualTime, type ManualTime } from '@headwater/core/testing';
import { createMemoryStores } from '@headwater/identity/memory';
import { z } from 'zod';
import { beforeEach, describe, expect, it } from 'vitest';
import { toFetchHandler } from '../hosts/fetch-handler.ts';
import { createHeadwater, type Headwater } from '../headwater.ts';
import { createKeyLimits } from './key-limits.ts';
import { operation } from '../rows/operation.ts';
import { json } from '../seam/reply.ts';

const rows = (['apiKey', 'public'] as const).map((auth) =>
  operation({
    id: `read${auth}`,
    method: 'GET',
    path: `/read/${auth}/`,
    auth,
    tag: 'test',
    summary: 'Reads',
    responses: { 200: { description: 'Something', schema: z.unknown() } },
    errors: [],
    errorFormat: 'key',
    examples: [{ name: 'it', status: 200 }],
    handler: () => json(200, {}),
  }),
);

let time: ManualTime;
let service: Headwater;
let principal: UserPrincipal;

async function serve(perMinute?: number, perDay?: number, stores?: Stores): Promise<void> {
  time = createManualTime();
  service = createHeadwater({
    baseUrl: 'http://headwater.example',
    secret: 'a key for this test only, for nothing else',
    operations: rows,
    clock: time,
    ...(stores === undefined ? {} : { stores }),
    limits: {
      ...(perMinute === undefined ? {} : { apiKeyRequestsPerMinute: perMinute }),
      ...(perDay === undefined ? {} : { apiKeyRequestsPerDay: perDay }),
    },
  });
  principal = await createUser('asha');
}
async function createUser(username: string): Promise<UserPrincipal> {
  const names = { email: '', firstName: '', lastName: '', contactNumber: null, passwordHash: 'x', isSuperuser: false };
  const rights = { isActive: true, mayCompute: true, mustChangePassword: false };
  return { kind: 'user', user: await service.stores.users.create({ ...names, username, ...rights }) };
}
const newKey = async (owner = principal): Promise<string> => (await service.apiKeys.generate(owner)).text;
const send = (key: string, path = '/read/apiKey/'): Promise<Response> =>
  toFetchHandler(service.service)(new Request(`http://headwater.example${path}`, { headers: { 'x-api-key': key } }));

const statusAndHeaders = ({ status, headers }: Response): readonly unknown[] => [
  status,
  ...['ratelimit-policy', 'ratelimit', 'retry-after'].map((name) => headers.get(name)),
];

describe('a limit of three requests a minute', () => {
  beforeEach(() => serve(3));

  it('reports the remaining requests, refuses the fourth with 429 and the seconds to wait, and accepts requests after these seconds', async () => {
    const key = await newKey();
    const policy = '"key";q=3;w=60';
    expect(statusAndHeaders(await send(key))).toEqual([200, policy, '"key";r=2;t=60', null]);
    await time.advance(20_500);
    expect(statusAndHeaders(await send(key))).toEqual([200, policy, '"key";r=1;t=40', null]);
    expect(statusAndHeaders(await send(key))).toEqual([200, policy, '"key";r=0;t=40', null]);
    const refused = await send(key);
    expect(statusAndHeaders(refused)).toEqual([429, policy, '"key";r=0;t=40', '40']);
    const body = await refused.text();
    expect(JSON.parse(body)).toMatchObject({ error: expect.stringContaining('3 times a minute; try again in 40 s') });
    expect(body).not.toContain(key);
    await time.advance(39_499);
    expect((await send(key)).status).toBe(429);
    await time.advance(1);
    expect(statusAndHeaders(await send(key))).toEqual([200, policy, '"key";r=2;t=60', null]);
  });

  it('counts each account separately, and does not count requests that are unauthenticated or need no key', async () => {
    const [one, other] = [await newKey(), await newKey(await createUser('binod'))];
    for (let index = 0; index < 4; index += 1) {
      const unauthenticated = await send(`${one.slice(0, 9)}${'a'.repeat(32)}`);
      expect(statusAndHeaders(unauthenticated)).toEqual([401, null, null, null]);
      expect(statusAndHeaders(await send(one, '/read/public/'))).toEqual([200, null, null, null]);
      expect((await send(other)).status).toBe(index < 3 ? 200 : 429);
    }
    expect((await send(one)).status).toBe(200);
  });

  it('counts the keys of an account together', async () => {
    const keys = [await newKey(), await newKey(), await newKey(), await newKey()];
    const statuses: number[] = [];
    for (const key of keys) statuses.push((await send(key)).status);
    expect(statuses).toEqual([200, 200, 200, 429]);
  });
});

it('a quota of three requests a day reports the remaining requests, refuses the fourth, and resets at midnight (UTC)', async () => {
  await serve(undefined, 3);
  await time.advance(86_400_000 - 60_000);
  const [key, second, other] = [await newKey(), await newKey(), await newKey(await createUser('binod'))];
  const policy = '"day";q=3;w=86400';
  expect(statusAndHeaders(await send(key))).toEqual([200, policy, '"day";r=2;t=60', null]);
  await time.advance(30_000);
  for (const left of [1, 0])
    expect(statusAndHeaders(await send(left === 1 ? second : key))).toEqual([
      200,
      policy,
      `"day";r=${left};t=30`,
      null,
    ]);
  const refused = await send(key);
  expect(statusAndHeaders(refused)).toEqual([429, policy, '"day";r=0;t=30', '30']);
  expect(await refused.json()).toMatchObject({
    error: expect.stringContaining('3 times a day (UTC); try again in 30 s'),
  });
  await service.apiKeys.deactivate(principal, { userId: principal.user.id, text: second });
  expect([(await send(await newKey())).status, (await send(other)).status]).toEqual([429, 200]);
  await time.advance(30_000);
  expect(statusAndHeaders(await send(key))).toEqual([200, policy, '"day";r=2;t=86400', null]);
});

it('reports the limits per minute and per day together; a request is refused by the limit that is reached first', async () => {
  await serve(2, 3);
  const key = await newKey();
  expect(statusAndHeaders(await send(key))[1]).toBe('"key";q=2;w=60, "day";q=3;w=86400');
  await send(key);
  expect(statusAndHeaders(await send(key)).slice(0, 3)).toEqual([429, '"key";q=2;w=60', '"key";r=0;t=60']);
  await time.advance(60_000);
  expect(statusAndHeaders(await send(key)).slice(0, 3)).toEqual([
    429,
    '"key";q=2;w=60, "day";q=3;w=86400',
    '"key";r=1;t=60, "day";r=0;t=86340',
  ]);
});

it('without a setting there are no limits and no headers of limits', async () => {
  await serve();
  const key = await newKey();
  for (let index = 0; index < 50; index += 1)
    expect(statusAndHeaders(await send(key))).toEqual([200, null, null, null]);
});

it('createHeadwater refuses a limit that is not a whole number above 0', async () => {
  for (const wrong of [0, -1, 1.5, Number.NaN]) {
    await expect(serve(wrong)).rejects.toThrow(/apiKeyRequestsPerMinute/);
    await expect(serve(1, wrong)).rejects.toThrow(/apiKeyRequestsPerDay/);
  }
});

function limitsAt() {
  const clock = { ms: 0 };
  const limits = createKeyLimits(1, { now: () => new Date(clock.ms) });
  const take = (id: number): readonly [boolean, number] => {
    const { isRefused, resetSeconds } = limits.take('', { user: { id } });
    return [isRefused, resetSeconds];
  };
  return { clock, take };
}
const [ONE, TWO] = [1, 2];

it('removes the counts of accounts whose minute is over', () => {
  const { clock, take } = limitsAt();
  expect(take(ONE)).toEqual([false, 60]);
  clock.ms = 59_999;
  expect([take(ONE), take(TWO)]).toEqual([
    [true, 1],
    [false, 60],
  ]);
  clock.ms = 60_000;
  expect([take(ONE), take(TWO)]).toEqual([
    [false, 60],
    [true, 60],
  ]);
});

it('ends the minute of each account separately if the clock was set back between the starts of these minutes', () => {
  const { clock, take } = limitsAt();
  clock.ms = 600_000;
  expect(take(ONE)).toEqual([false, 60]);
  clock.ms = 0;
  expect(take(TWO)).toEqual([false, 60]);
  clock.ms = 90_000;
  // The minute of the second account ended at 60 s.
  expect(take(TWO)).toEqual([false, 60]);
  // The minute of the first account began before the clock was set back, and ends at 660 s. This is more than a minute
  // from now, so the minute counts as over.
  expect(take(ONE)).toEqual([false, 60]);
  expect(take(ONE)).toEqual([true, 60]);
});

it('a service closes its stores even if a count of uses cannot be read while it closes', async () => {
  const memory = createMemoryStores();
  const [reading, failure] = [Promise.withResolvers<void>(), Promise.withResolvers<never>()];
  const usesOn = (): Promise<never> => {
    reading.resolve();
    return failure.promise;
  };
  let isClosed = false;
  const close = async (): Promise<void> => {
    isClosed = true;
    await memory.close();
  };
  await serve(undefined, 100, { ...memory, apiKeys: { ...memory.apiKeys, usesOn }, close });
  const answer = send(await newKey());
  await reading.promise;
  const closed = service.close();
  await setImmediate();
  failure.reject(new Error('the connection broke'));
  expect((await answer).status).toBe(500);
  await closed;
  expect(isClosed).toBe(true);
});

it("requests that an embedder's policy accepts are counted by the limits of this policy", async () => {
  let used = 0;
  const partner: Policy = {
    name: 'partner',
    places: [{ in: 'header', name: 'x-partner' }],
    refusesFirst: 'method',
    limits: () => [
      {
        take: () => {
          used += 1;
          return { window: 'key', most: 1, left: Math.max(0, 1 - used), resetSeconds: 9, isRefused: used > 1 };
        },
      },
    ],
    authenticate: async ({ value }) => value,
  };
  const [row] = rows;
  const { service: own } = createHeadwater({
    baseUrl: 'http://headwater.example',
    secret: 'a key for this test only, for nothing else',
    operations: row === undefined ? [] : [{ ...row, id: 'readPartner', path: '/read/partner/', auth: partner }],
  });
  const request = (): Promise<Response> =>
    toFetchHandler(own)(new Request('http://headwater.example/read/partner/', { headers: { 'x-partner': 'p' } }));
  expect(statusAndHeaders(await request())).toEqual([200, '"key";q=1;w=60', '"key";r=0;t=9', null]);
  expect(statusAndHeaders(await request())).toEqual([429, '"key";q=1;w=60', '"key";r=0;t=9', '9']);
});
