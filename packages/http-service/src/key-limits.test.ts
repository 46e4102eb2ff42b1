import type { UserPrincipal } from '@headwater/core';
import { createManualTime, type ManualTime } from '@headwater/core/memory';
import { z } from 'zod';
import { beforeEach, describe, expect, it } from 'vitest';
import { toFetchHandler } from './fetch-handler.ts';
import { createHeadwater, type Headwater } from './headwater.ts';
import { createKeyLimits } from './key-limits.ts';
import { operation } from './operation.ts';
import { json } from './reply.ts';

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

async function serve(perMinute?: number): Promise<void> {
  time = createManualTime();
  service = createHeadwater({
    baseUrl: 'http://headwater.example',
    secret: 'a key for this test only, for nothing else',
    operations: rows,
    clock: time,
    ...(perMinute === undefined ? {} : { apiKeyRequestsPerMinute: perMinute }),
  });
  const names = { email: '', firstName: '', lastName: '', contactNumber: null, passwordHash: 'x', isSuperuser: false };
  const user = await service.stores.users.create({
    ...names,
    username: 'asha',
    isActive: true,
    mustChangePassword: false,
  });
  principal = { kind: 'user', user };
}
const newKey = async (): Promise<string> => (await service.apiKeys.generate(principal)).text;
const ask = (key: string, path = '/read/apiKey/'): Promise<Response> =>
  toFetchHandler(service.service)(new Request(`http://headwater.example${path}`, { headers: { 'x-api-key': key } }));

/** Status with what the headers say: policy, allowance, when to come back. */
const told = ({ status, headers }: Response): readonly unknown[] => [
  status,
  ...['ratelimit-policy', 'ratelimit', 'retry-after'].map((name) => headers.get(name)),
];

describe('a limit of three requests a minute', () => {
  beforeEach(() => serve(3));

  it('tells what is left, refuses the fourth with 429 and the seconds to wait, and opens again after them', async () => {
    const key = await newKey();
    const policy = '"key";q=3;w=60';
    expect(told(await ask(key))).toEqual([200, policy, '"key";r=2;t=60', null]);
    await time.advance(20_500);
    expect(told(await ask(key))).toEqual([200, policy, '"key";r=1;t=40', null]);
    expect(told(await ask(key))).toEqual([200, policy, '"key";r=0;t=40', null]);
    const refused = await ask(key);
    expect(told(refused)).toEqual([429, policy, '"key";r=0;t=40', '40']);
    const body = await refused.text();
    expect(JSON.parse(body)).toMatchObject({ error: expect.stringContaining('3 times a minute; try again in 40 s') });
    expect(body).not.toContain(key);
    await time.advance(39_499);
    expect((await ask(key)).status).toBe(429);
    await time.advance(1);
    expect(told(await ask(key))).toEqual([200, policy, '"key";r=2;t=60', null]);
  });

  it('counts each key by itself, and no request that is refused as a stranger or asks for no key', async () => {
    const [one, other] = [await newKey(), await newKey()];
    for (let index = 0; index < 4; index += 1) {
      const stranger = await ask(`${one.slice(0, 9)}${'a'.repeat(32)}`);
      expect(told(stranger)).toEqual([401, null, null, null]);
      expect(told(await ask(one, '/read/public/'))).toEqual([200, null, null, null]);
      expect((await ask(other)).status).toBe(index < 3 ? 200 : 429);
    }
    expect((await ask(one)).status).toBe(200);
  });
});

it('without a setting there is no limit, and nothing is told of one', async () => {
  await serve();
  const key = await newKey();
  for (let index = 0; index < 50; index += 1) expect(told(await ask(key))).toEqual([200, null, null, null]);
});

it('is refused where it is no whole number above 0', async () => {
  for (const wrong of [0, -1, 1.5, Number.NaN]) await expect(serve(wrong)).rejects.toThrow(/apiKeyRequestsPerMinute/);
});

it('keeps nothing of keys whose minute is over', () => {
  let nowMs = 0;
  const limits = createKeyLimits(1, { now: () => new Date(nowMs) });
  expect(limits.take('a').isRefused).toBe(false);
  nowMs = 59_999;
  expect([limits.take('a').isRefused, limits.take('b').isRefused]).toEqual([true, false]);
  nowMs = 60_000;
  expect([limits.take('a').isRefused, limits.take('b').isRefused]).toEqual([false, true]);
});
