import { createMemoryStores } from '@headwater/identity/memory';
import { expect, it } from 'vitest';
import { checkPlatformChange } from './platform-change.ts';

const account = { id: 7, platform: 'earth_engine' } as const;

it('reads the open runs with one call of the store, so that a run that changes its state meanwhile is not missed', async () => {
  const { runs } = createMemoryStores();
  const calls: unknown[] = [];
  const openRunsOf = async (...call: readonly [number, number]) => {
    calls.push(call);
    return { ids: ['a', 'b'], total: 3 };
  };
  const list = () => Promise.reject(new Error('the pages of a list can miss a run'));
  const stores = { ...createMemoryStores(), runs: { ...runs, openRunsOf, list } };
  await expect(checkPlatformChange(account, 'local', { stores })).rejects.toThrow(/open: a, b and 1 more\. Wait/);
  expect(calls).toEqual([[7, 5]]);
});

it('refuses a change of the platform while runs with the account are open, and names these runs', async () => {
  const stores = createMemoryStores();
  const store = async (id: string, params: Readonly<Record<string, unknown>>): Promise<void> => {
    await stores.runs.enqueue({ id, pipeline: 'p', params, fingerprint: id, ownerId: 1 });
  };
  await store('other', { eoAccountId: 8 });
  await expect(checkPlatformChange(account, 'local', { stores })).resolves.toBeUndefined();
  await store('plain', { eoAccountId: 7 });
  await store('scope', { request: { eoAccountId: 7 } });
  await expect(checkPlatformChange(account, 'local', { stores })).rejects.toMatchObject({
    code: 'validation',
    fields: { platform: [{ message: expect.stringMatching(/open: scope, plain\. Wait/) }] },
  });
  await expect(checkPlatformChange(account, 'earth_engine', { stores })).resolves.toBeUndefined();
  await expect(checkPlatformChange(account, undefined, { stores })).resolves.toBeUndefined();
  for (let n = 0; n < 9; n += 1) await store(`more-${n}`, { eoAccountId: 7 });
  await expect(checkPlatformChange(account, 'local', { stores })).rejects.toThrow(/and 6 more\. Wait/);
  for (const id of ['plain', 'scope', ...Array.from({ length: 9 }, (_, n) => `more-${n}`)])
    await stores.runs.requestCancel(id);
  await expect(checkPlatformChange(account, 'local', { stores })).resolves.toBeUndefined();
});
