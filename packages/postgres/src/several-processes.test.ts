import { once } from 'node:events';
import type { Run } from '@headwater/core';
import type { RunChange } from '@headwater/core/ports';
import type { Stores } from '@headwater/identity';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Connection } from './connection.ts';
import { openDatabase } from './database.ts';
import { textKey } from './guards.ts';
import { address, type Fresh, freshDatabase } from './migrate.fixture.ts';
import { createPostgresStores } from './stores.ts';

if (address === '')
  console.warn('skipped: stores of several processes: HEADWATER_TEST_PG is not set; `npm run test:postgres` sets it');

const NAME = 'headwater_several';
const RUN = { pipeline: 'p', params: {}, ownerId: 1 } as const;
const BLOCKED = `select pid from pg_stat_activity where datname = '${NAME}' and wait_event_type = 'Lock'`;
const HELD = `insert into headwater.runs (id, pipeline, params, fingerprint, fingerprint_key, owner_id) values ($1, 'p', '{}', $1, $2, 1)`;
const LISTENERS = `select pid from pg_stat_activity where datname = '${NAME}' and query ilike 'listen %'`;

/** Two sets of stores share only the database, like two processes. */
describe.skipIf(address === '')(
  'stores of several processes (needs HEADWATER_TEST_PG: `npm run test:postgres`)',
  () => {
    let fresh: Fresh;
    let connection: Connection;
    const opened: Stores[] = [];
    const open = async (): Promise<Stores> => {
      const stores = await createPostgresStores({ connection });
      opened.push(stores);
      return stores;
    };
    const script = async (text: string): Promise<void> => {
      const database = openDatabase(connection);
      await database.script(text);
      await database.close();
    };
    beforeAll(async () => {
      fresh = await freshDatabase(NAME);
      connection = fresh.connection;
    });
    afterEach(async () => {
      await Promise.all(opened.splice(0).map((stores) => stores.close()));
      await script('truncate headwater.runs cascade');
    });
    afterAll(async () => {
      await fresh.stop();
    });

    async function listener(stores: Stores): Promise<{ readonly received: RunChange[]; readonly end: () => void }> {
      const received: RunChange[] = [];
      const end = stores.changes.listen((change) => received.push(change));
      await expect.poll(() => received, { interval: 5 }).toEqual([{ kind: 'missed' }]);
      received.length = 0;
      return { received, end };
    }

    it('migrate only once if they start at the same moment', async () => {
      await script('drop schema if exists headwater cascade');
      await Promise.all([open(), open(), open()]);
      const [row] = await openRows<{ n: number; revisions: number }>(
        'select count(*)::int as n, count(distinct revision)::int as revisions from headwater.migrations',
      );
      expect(row?.n).toBe(row?.revisions);
      expect(row?.n).toBeGreaterThan(7);
    });

    async function openRows<T>(text: string): Promise<readonly T[]> {
      const database = openDatabase(connection);
      const rows = await database.rows<T>(text);
      await database.close();
      return rows;
    }

    it('receive the changes of a run from its start to its cancellation, or `missed` if its id is very long', async () => {
      const [a, b] = await Promise.all([open(), open()]);
      const { received } = await listener(b);
      const within = { interval: 5 };
      await a.runs.enqueue({ ...RUN, id: 'r1', fingerprint: 'f' });
      await expect.poll(() => received, within).toContainEqual({ kind: 'queued', runId: 'r1' });
      expect(received).toContainEqual({ kind: 'changed', runId: 'r1' });
      const run = await a.runs.claim({ workerId: 'w', leaseMs: 60_000, pipelines: ['p'], maxAttempts: 3 });
      await expect.poll(() => received, within).toHaveLength(3);
      received.length = 0;
      await a.runs.appendEvent('r1', { kind: 'log', data: { message: 'x'.repeat(20_000) } });
      await expect.poll(() => received, within).toEqual([{ kind: 'changed', runId: 'r1' }]);
      await a.runs.heartbeat('r1', run?.token ?? 0, { leaseMs: 60_000 });
      await a.runs.requestCancel('r1');
      await expect
        .poll(() => received, within)
        .toEqual([
          { kind: 'changed', runId: 'r1' },
          { kind: 'cancel', runId: 'r1' },
        ]);
      await a.runs.enqueue({ ...RUN, id: 'long'.repeat(3000), fingerprint: 'g' });
      await expect.poll(() => received, within).toContainEqual({ kind: 'missed' });
    });

    it('are notified of the end of a run only if another run waits for it', async () => {
      const [a, b] = await Promise.all([open(), open()]);
      const { received } = await listener(b);
      const claim = { workerId: 'w', leaseMs: 60_000, pipelines: ['p'], maxAttempts: 3 };
      const child = { ...RUN, id: 'child', fingerprint: 'c', after: ['first'], awaits: ['layer'] };
      await a.runs.enqueue(child, { dependencies: [{ ...RUN, id: 'first', fingerprint: 'f' }] });
      await a.runs.enqueue({ ...RUN, id: 'alone', fingerprint: 'a' });
      const [first, alone] = [await a.runs.claim(claim), await a.runs.claim(claim)];
      expect([first?.id, alone?.id]).toEqual(['first', 'alone']);
      await expect.poll(() => received.filter(({ kind }) => kind === 'queued'), { interval: 5 }).toHaveLength(3);
      received.length = 0;
      await a.runs.fail('alone', alone?.token ?? 0, { code: 'no_scenes', message: 'none' });
      await a.runs.publish('first', first?.token ?? 0, { items: [], layers: [], timings: {} });
      await expect.poll(() => received, { interval: 5 }).toContainEqual({ kind: 'queued', runId: 'first' });
      expect(received.filter(({ kind }) => kind === 'queued')).toHaveLength(1);
      expect((await b.runs.claim(claim))?.id).toBe('child');
    });

    it('do not end a cancelled run while another request starts to wait for it', async () => {
      const [a, b] = await Promise.all([open(), open()]);
      const shared = { ...RUN, id: 'shared', fingerprint: 'shared', parentId: 'order' };
      const order = { ...RUN, id: 'order', fingerprint: 'order', after: ['shared'], awaits: ['layer'] };
      await a.runs.enqueue(order, { dependencies: [shared] });
      const holder = openDatabase(connection);
      const { promise: ended, resolve: end } = Promise.withResolvers<void>();
      const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
      // Stops the other request after it has found the shared run, and before it stores its own run.
      const holding = holder.tx(async (sql) => {
        await sql.run(HELD, ['held', textKey('held')]);
        begin();
        await ended;
        await sql.run("delete from headwater.runs where id = 'held'");
      });
      await begun;
      const own = { ...RUN, id: 'own', fingerprint: 'held' };
      const other = { ...RUN, id: 'other', fingerprint: 'other', after: ['shared', 'own'], awaits: ['layer', 'more'] };
      const waits = b.runs.enqueue(other, { dependencies: [{ ...shared, id: 'again', parentId: 'other' }, own] });
      const blocked = async (): Promise<number> => (await openRows(BLOCKED)).length;
      await expect.poll(blocked, { interval: 5 }).toBe(1);
      let cancelled = 0;
      const cancelling = a.runs.requestCancel('order').then(() => (cancelled = 1));
      await expect.poll(async () => cancelled + (await blocked()), { interval: 5 }).toBe(2);
      end();
      await Promise.all([waits, cancelling, holding]);
      await holder.close();
      expect((await b.runs.get('other'))?.after).toEqual(['shared', 'own']);
      expect((await b.runs.get('shared'))?.state).toBe('queued');
      expect((await b.runs.get('order'))?.state).toBe('failed');
    });

    it('leave a waiting run for the next process after they have ended', async () => {
      const a = await open();
      const claim = { workerId: 'w', leaseMs: 1, pipelines: ['p'], maxAttempts: 3 };
      const child = { ...RUN, id: 'child', fingerprint: 'c', after: ['first'], awaits: ['layer'] };
      await a.runs.enqueue(child, { dependencies: [{ ...RUN, id: 'first', fingerprint: 'f' }] });
      expect((await a.runs.claim(claim))?.id).toBe('first');
      await Promise.all(opened.splice(0).map((stores) => stores.close()));
      const b = await open();
      expect(await b.runs.get('child')).toMatchObject({ state: 'queued', step: 'waits for layer', after: ['first'] });
      const claimed = await vi.waitFor(
        async () => (await b.runs.claim(claim)) ?? Promise.reject(new Error('none yet')),
        30_000,
      );
      expect([claimed.id, claimed.attempt]).toEqual(['first', 2]);
      await b.runs.publish('first', claimed.token, { items: [], layers: [], timings: {} });
      expect((await b.runs.claim(claim))?.id).toBe('child');
    });

    it('reconnect after their connection was ended, and report that changes may have been missed', async () => {
      const [a, b] = await Promise.all([open(), open()]);
      const { received, end } = await listener(b);
      const [pid] = await openRows<{ pid: number }>(LISTENERS);
      await openRows(`select pg_terminate_backend(${pid?.pid ?? 0})`);
      await expect.poll(() => received, { interval: 5 }).toEqual([{ kind: 'missed' }]);
      await a.runs.enqueue({ ...RUN, id: 'r2', fingerprint: 'f' });
      await expect.poll(() => received, { interval: 5 }).toContainEqual({ kind: 'queued', runId: 'r2' });
      end();
    });

    it('do exclusive work one at a time, share one value, and detect a process with another value until it has ended', async () => {
      const [a, b] = await Promise.all([open(), open()]);
      const values = await Promise.all([a, b].map(({ installation }, n) => installation.getOrCreate('key', `of ${n}`)));
      expect(values[0]).toBe(values[1]);
      let running = 0;
      let most = 0;
      const work = async (): Promise<void> => {
        running += 1;
        most = Math.max(most, running);
        await openRows('select 1');
        running -= 1;
      };
      await Promise.all([a, b, a, b].map(({ installation }) => installation.withLock('work', work)));
      expect(most).toBe(1);
      expect(await a.installation.agree('folder', 'one')).toBe(true);
      expect(await b.installation.agree('folder', 'one')).toBe(true);
      expect(await b.installation.agree('folder', 'two')).toBe(false);
      await a.close();
      expect(await b.installation.agree('folder', 'two')).toBe(true);
    });

    it('reject exclusive work if the lock was lost with the connection', async () => {
      const a = await open();
      const work = a.installation.withLock('lost', async (signal) => {
        const [holder] = await openRows<{ pid: number }>(
          `select pid from pg_locks where locktype = 'advisory' and objsubid = 2 and mode = 'ExclusiveLock'`,
        );
        await openRows(`select pg_terminate_backend(${holder?.pid ?? 0})`);
        if (!signal.aborted) await once(signal, 'abort');
        return 'done';
      });
      await expect(work).rejects.toMatchObject({ code: 'unavailable' });
    });

    it('publish the first Items of one Collection at the same time without a conflict', async () => {
      const servers = await Promise.all([open(), open()]);
      const claim = { workerId: 'w', leaseMs: 60_000, pipelines: ['p'], maxAttempts: 3 };
      for (let round = 0; round < 30; round += 1) {
        const runs: (Run | undefined)[] = [];
        // The claims are made in sequence, because a claim may find no run while other claims lock the rows.
        for (let n = 0; n < 8; n += 1) {
          const id = `round ${round}, run ${n}`;
          await servers[0].runs.enqueue({ ...RUN, id, fingerprint: id });
          runs.push(await servers[0].runs.claim(claim));
        }
        const item = { id: 'i', collectionPath: `state_${round}/district/block`, item: { id: 'i', geometry: null } };
        const publication = { items: [item], layers: [], timings: {} };
        const outcomes = await Promise.all(
          runs.map((run, n) =>
            (servers[n % 2] ?? servers[0]).runs.publish(run?.id ?? '', run?.token ?? 0, publication),
          ),
        );
        expect(new Set(outcomes)).toEqual(new Set(['ok']));
      }
    });

    it('take over a run according to the clock of the database, whatever the clocks of the machines show', async () => {
      const [a, b] = await Promise.all([open(), open()]);
      const claim = { leaseMs: 60_000, pipelines: ['p'], maxAttempts: 3 };
      await a.runs.enqueue({ ...RUN, id: 'r3', fingerprint: 'f' });
      const run = await a.runs.claim({ ...claim, workerId: 'a' });
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 86_400_000 });
      try {
        expect(await b.runs.claim({ ...claim, workerId: 'b' })).toBeUndefined();
        await a.runs.heartbeat('r3', run?.token ?? 0, { leaseMs: 0 });
        vi.setSystemTime(0);
        expect(await b.runs.claim({ ...claim, workerId: 'b' })).toMatchObject({ id: 'r3', attempt: 2 });
      } finally {
        vi.useRealTimers();
      }
      expect(await a.runs.publish('r3', run?.token ?? 0, { items: [], layers: [], timings: {} })).toBe('lost');
    });

    it('remove old runs once, also if several processes do it at the same time', async () => {
      const [a, b] = await Promise.all([open(), open()]);
      for (const id of ['1', '2', '3', '4', '5']) {
        await a.runs.enqueue({ ...RUN, id, fingerprint: id });
        await a.runs.requestCancel(id);
      }
      let removed = 0;
      const ages = { eventsMs: 1, runsMs: 1, most: 1 };
      await expect
        .poll(async () => {
          const steps = await Promise.all([a, b, a, b].map(({ runs }) => runs.removeOld(ages)));
          removed += steps.reduce((sum, { runs }) => sum + runs, 0);
          return (await a.runs.list({ limit: 10, offset: 0 })).total;
        })
        .toBe(0);
      expect(removed).toBe(5);
    });

    it('report a process with another value that started while they had no connection', async () => {
      const a = await open();
      const rival = Promise.withResolvers<string>();
      expect(await a.installation.agree('folder', 'one', () => rival.resolve('reported'))).toBe(true);
      const other = openDatabase(connection);
      const [session] = await other.rows<{ pid: number; name: number }>(
        `select pid, classid::int8::int4 as name from pg_locks where locktype = 'advisory' and objsubid = 2 and mode = 'ShareLock'`,
      );
      await other.rows(`select pg_advisory_lock_shared(${session?.name ?? 0}, 7)`);
      await other.rows(`select pg_terminate_backend(${session?.pid ?? 0})`);
      expect(await rival.promise).toBe('reported');
      await other.close();
    });

    it('still detect a different value after their connections were ended', async () => {
      const [a, b] = await Promise.all([open(), open()]);
      const { received } = await listener(a);
      expect(await a.installation.agree('folder', 'one')).toBe(true);
      const [pid] = await openRows<{ pid: number }>(
        `select pid from pg_locks where locktype = 'advisory' and objsubid = 2 and mode = 'ShareLock'`,
      );
      await openRows(`select pg_terminate_backend(${pid?.pid ?? 0})`);
      await expect.poll(() => received, { interval: 5 }).toEqual([{ kind: 'missed' }]);
      expect(await b.installation.agree('folder', 'two')).toBe(false);
    });
  },
);
