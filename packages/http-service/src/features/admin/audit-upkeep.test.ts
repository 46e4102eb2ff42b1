import { SILENT, type Timers } from '@headwater/core';
import { createMemoryStores } from '@headwater/identity/memory';
import { expect, test } from 'vitest';
import { createAuditUpkeep } from './audit-upkeep.ts';

const DAY_MS = 86_400_000;
const START_MS = Date.parse('2026-06-01T00:00:00Z');

async function world(days: number | undefined) {
  const { audit } = createMemoryStores();
  let nowMs = START_MS;
  for (const age of [400, 366, 364, 0]) {
    const at = new Date(START_MS - age * DAY_MS).toISOString();
    const entry = {
      actorId: 1,
      actorName: 'a',
      action: 'add',
      resource: 'r',
      rowId: '1',
      title: `${age}`,
      changes: {},
    };
    await audit.append({ at, address: null, ...entry });
  }
  let slept = Promise.withResolvers<void>();
  let wake = (): void => {};
  const timers: Timers = {
    sleep: (_ms, signal) => {
      const night = Promise.withResolvers<void>();
      wake = night.resolve;
      signal?.addEventListener('abort', () => night.resolve(), { once: true });
      slept.resolve();
      return night.promise;
    },
  };
  const upkeep = createAuditUpkeep({ audit, days, clock: { now: () => new Date(nowMs) }, timers, logger: SILENT });
  const left = async (): Promise<readonly string[]> =>
    (await audit.list({ limit: 9, offset: 0 })).entries.map(({ title }) => title).toReversed();
  const night = async (): Promise<void> => {
    nowMs += 2 * DAY_MS;
    slept = Promise.withResolvers();
    wake();
    await slept.promise;
  };
  return { upkeep, left, night, asleep: () => slept.promise };
}

test('removes entries older than a year at the start, and again each day', async () => {
  const { upkeep, left, night, asleep } = await world(undefined);
  expect(await left()).toEqual(['400', '366', '364', '0']);
  upkeep.start();
  upkeep.start();
  await asleep();
  expect(await left()).toEqual(['364', '0']);
  await night();
  expect(await left()).toEqual(['0']);
  await upkeep.close();
  await upkeep.close();
});

test('keeps all entries if the number of days is 0, and refuses a number of days that is not valid', async () => {
  const { upkeep, left } = await world(0);
  upkeep.start();
  await upkeep.close();
  expect(await left()).toHaveLength(4);
  for (const days of [-1, 1.5, Number.NaN])
    await expect(world(days)).rejects.toThrow(/auditDays: .* is not a whole number/);
});
