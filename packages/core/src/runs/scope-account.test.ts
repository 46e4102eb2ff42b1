import { describe, expect, it } from 'vitest';
import {
  AREA,
  broken,
  childrenOf,
  closeGate,
  coordinatorOver,
  end,
  keepWorking,
  made,
  setUpScopes,
  states,
  tiles,
  world,
} from './scopes.fixture.ts';

const LATER = '2999-01-01T00:00:00.000Z';

describe('a run over a district with an account', () => {
  setUpScopes();

  const startWith = async (eoAccountId: number) =>
    (
      await world.service.startScope(world.owner, {
        pipeline: tiles,
        area: AREA,
        request: { year: 2020, eoAccountId },
        options: {},
      })
    ).run;
  const newAccount = async (): Promise<number> =>
    (await world.stores.eoAccounts.create({ name: 'field', accountEmail: null, isVisible: true })).id;
  const begun = async (eoAccountId: number) => {
    closeGate();
    const run = await startWith(eoAccountId);
    coordinatorOver();
    await expect.poll(async () => (await states(run)).filter((each) => each === 'queued')).toHaveLength(4);
    return run;
  };
  const stepOf = async (id: string) => (await world.stores.runs.get(id))?.step;

  it.each([
    [
      'the quota of the account is spent',
      { change: { exhaustedUntil: LATER }, repair: { exhaustedUntil: null }, reason: /has spent/ },
    ],
    ['the account is disabled', { change: { isActive: false }, repair: { isActive: true }, reason: /is disabled/ }],
  ] as const)(
    'does not start or fail further tehsils while %s, and continues by itself afterwards',
    async (_, { change, repair, reason }) => {
      const id = await newAccount();
      const run = await begun(id);
      await world.stores.eoAccounts.change(id, change);
      closeGate().resolve();
      keepWorking();
      await expect.poll(() => stepOf(run.id)).toMatch(/^4 of 6 tehsils, waits: account 1 \(field\) /);
      expect(await stepOf(run.id)).toMatch(reason);
      expect(await states(run)).toEqual(['success', 'success', 'success', 'success', 'waiting', 'waiting']);
      expect(await childrenOf(run)).toHaveLength(4);
      const lines = await world.service.log(world.owner, run.id, { afterSeq: 0, limit: 99 });
      expect(lines.filter(({ message }) => reason.test(message))).toHaveLength(1);
      await world.stores.eoAccounts.change(id, repair);
      expect(await end(run)).toMatchObject({ state: 'success', progress: 1 });
      expect(made).toHaveLength(6);
    },
  );

  it('fails after the started tehsils have ended, if the account was removed; the error names the account', async () => {
    const id = await newAccount();
    const run = await begun(id);
    await world.stores.eoAccounts.remove(id);
    closeGate().resolve();
    keepWorking();
    const error = { code: 'validation', message: expect.stringContaining('account 1 does not exist') };
    expect(await end(run)).toMatchObject({ state: 'failed', error });
    expect(made).toHaveLength(4);
  });

  it.each([
    ['spent its quota', { exhaustedUntil: LATER }, /has spent its quota/],
    ['was hidden', { isVisible: false }, /does not exist/],
  ] as const)('is not retried if the account %s after the run failed', async (_, change, reason) => {
    const id = await newAccount();
    broken.add('T00');
    keepWorking();
    coordinatorOver();
    const run = await end(await startWith(id));
    expect(run.state).toBe('failed');
    await world.stores.eoAccounts.change(id, change);
    const count = async () => (await world.stores.runs.list({ limit: 99, offset: 0 })).total;
    const before = await count();
    await expect(world.service.retryFailed(world.owner, run.id)).rejects.toMatchObject({
      code: 'validation',
      fields: { eoAccountId: [{ message: expect.stringMatching(reason) }] },
    });
    expect(await count()).toBe(before);
    broken.clear();
    await world.stores.eoAccounts.change(id, { exhaustedUntil: null, isVisible: true });
    const again = await world.service.retryFailed(world.owner, run.id);
    expect(await end(again)).toMatchObject({ state: 'success' });
  });
});
