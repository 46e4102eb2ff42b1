import fc from 'fast-check';
import { afterEach, assert, describe, expect, it, vi } from 'vitest';
import { sized } from '../../../../scripts/test-length.mjs';
import { tagOf } from '../scenes/scene-engines.ts';
import { type Fault, seriesOf } from '../testing/fake-google.ts';
import { computingTime } from './computing-time.ts';
import { READ_PAUSES_MS } from './usage-reader.ts';
import { COUNTS, tagOfRun, usageWorld } from './usage-world.fixture.ts';

const MATCH503: unknown = expect.stringMatching(/HTTP 503/);
const WEEK = 7 * 24 * 60;
const monitoring = (requests: readonly string[]): number =>
  requests.filter((each) => each.endsWith('/timeSeries')).length;

afterEach(() => vi.restoreAllMocks());

describe('the computing time of a run', () => {
  it('is read five minutes after the end of the run, and is final if a read finds the same value an hour or more after the end', async () => {
    const { run, readAfter, google } = await usageWorld();
    await run('a', 1.5, 2, 0.25);
    expect(await readAfter(4, 'a')).toMatchObject({ eecuSeconds: null, problem: null, reads: 0 });
    expect(monitoring(google.requests)).toBe(0);
    expect(await readAfter(1, 'a')).toMatchObject({ ...COUNTS, eecuSeconds: 3.75, problem: null, reads: 1 });
    await readAfter(10, 'a');
    expect(await readAfter(20, 'a')).toMatchObject({ eecuSeconds: 3.75, reads: 3, dueAt: expect.any(String) });
    expect(await readAfter(40, 'a')).toMatchObject({ eecuSeconds: 3.75, problem: null, reads: 4, dueAt: null });
    await readAfter(WEEK, 'a');
    expect(monitoring(google.requests)).toBe(4);
  });

  it('is read again until all data have arrived', async () => {
    const { run, readAfter, google, now } = await usageWorld({ usageDelayMs: 30 * 60_000, usagePageSize: 1 });
    await run('a', 1, 2, 4);
    expect(await readAfter(5, 'a')).toMatchObject({ eecuSeconds: null, problem: expect.stringMatching(/no data/) });
    google.usage.add(tagOfRun('a'), 8, now());
    expect(await readAfter(10, 'a')).toMatchObject({ eecuSeconds: null, reads: 2 });
    expect(await readAfter(20, 'a')).toMatchObject({ eecuSeconds: 15, problem: null, reads: 3 });
    expect(await readAfter(40, 'a')).toMatchObject({ eecuSeconds: 15, reads: 4, dueAt: null });
  });

  it('is unknown, with the reason, after the last read found no data', async () => {
    const { run, readAfter, google } = await usageWorld();
    await run('a');
    for (let read = 0; read < 2 * READ_PAUSES_MS.length; read += 1) await readAfter(24 * 60, 'a');
    expect(await readAfter(0, 'a')).toMatchObject({
      eecuSeconds: null,
      reads: READ_PAUSES_MS.length,
      dueAt: null,
      problem: expect.stringMatching(/Cloud Monitoring has no data of this run\./),
    });
    expect(monitoring(google.requests)).toBe(READ_PAUSES_MS.length);
  });

  it('is read once more if only the last planned read found it; it is not final if the additional read finds another time', async () => {
    const { run, readAfter, google, now, stores } = await usageWorld();
    await run('a');
    await run('b');
    for (let read = 1; read < READ_PAUSES_MS.length; read += 1) await readAfter(24 * 60, 'a');
    for (const id of ['a', 'b']) google.usage.add(tagOfRun(id), 2, now());
    const found = { eecuSeconds: 2, problem: null, reads: READ_PAUSES_MS.length, dueAt: expect.any(String) };
    expect(await readAfter(24 * 60, 'a')).toMatchObject(found);
    expect(await stores.sceneUses.ofRun('b')).toMatchObject(found);
    expect(await stores.sceneUses.measured(null, 9)).toBeUndefined();
    google.usage.add(tagOfRun('b'), 3, now());
    expect(await readAfter(60, 'a')).toMatchObject({ eecuSeconds: 2, problem: null, dueAt: null });
    expect(await stores.sceneUses.ofRun('b')).toMatchObject({
      eecuSeconds: 5,
      problem: expect.stringMatching(/different computing times/),
      dueAt: null,
    });
    expect(await stores.sceneUses.measured(null, 9)).toMatchObject({ runs: 1, eecuSeconds: 2 });
  });

  it('is read a ninth time if the eighth read finds it changed, and is not final if the ninth read fails', async () => {
    const { run, readAfter, useFaults, google, now, stores } = await usageWorld();
    await run('a', 2);
    await readAfter(5, 'a');
    useFaults(() => 503);
    for (let read = 2; read < READ_PAUSES_MS.length; read += 1) await readAfter(24 * 60, 'a');
    useFaults(undefined);
    google.usage.add(tagOfRun('a'), 3, now());
    const eighth = { eecuSeconds: 5, problem: null, reads: 8, dueAt: expect.any(String) };
    expect(await readAfter(24 * 60, 'a')).toMatchObject(eighth);
    useFaults(() => 503);
    const ninth = { eecuSeconds: 5, problem: MATCH503, reads: 9, dueAt: null };
    expect(await readAfter(60, 'a')).toMatchObject(ninth);
    useFaults(undefined);
    expect(await readAfter(WEEK, 'a')).toMatchObject(ninth);
    expect(await stores.sceneUses.measured(null, 9)).toBeUndefined();
  });

  it('waits for the end of the run, also if its process was killed', async () => {
    const { begin, note, fail, readAfter, google, now } = await usageWorld();
    const run = await begin('a');
    note('a');
    google.usage.add(tagOfRun('a'), 3, now());
    expect(await readAfter(WEEK, 'a')).toMatchObject({ eecuSeconds: null, reads: 0 });
    await fail(run);
    await readAfter(5, 'a');
    expect(await readAfter(5, 'a')).toMatchObject({ eecuSeconds: 3, isWhole: false });
  });

  it('is the sum of the computing times of all attempts', async () => {
    const { run, begin, stores, note, fail, readAfter, google, now } = await usageWorld();
    const first = await begin('a');
    google.usage.add(tagOfRun('a'), 3, now());
    await note('a')();
    await stores.runs.release('a', first.token);
    const second = await stores.runs.claim({ workerId: 'w', leaseMs: 1e9, maxAttempts: 3, pipelines: ['p'] });
    assert(second !== undefined);
    google.usage.add(tagOfRun('a'), 4, now());
    await note('a')();
    await fail(second);
    await run('b', 100);
    expect(await readAfter(10, 'a')).toMatchObject({ eecuSeconds: 7, requests: 8, isWhole: true });
  });

  it.each<readonly [Fault, RegExp]>([
    [403, /HTTP 403.*Monitoring Viewer \(permission monitoring\.timeSeries\.list\)/],
    [404, /HTTP 404/],
    [429, /HTTP 429/],
    [503, /HTTP 503/],
    ['rate', /HTTP 429/],
    ['lost', /sent no complete response/],
    ['half', /not JSON/],
    ['long', /too large/],
    ['html', /not JSON/],
    [{ json: [] }, /not JSON/],
    [{ json: { timeSeries: {} } }, /without a list of series/],
    [{ json: { timeSeries: [{}] } }, /data with another workload tag than that of this run/],
    [
      { json: { timeSeries: [seriesOf('headwater-run-b', 'online', [{ seconds: 5, atMs: 0 }])] } },
      /data with another workload tag/,
    ],
    [{ json: { timeSeries: [{ ...seriesOf(tagOfRun('a'), 'online', []), points: 'none' }] } }, /without points/],
    [{ json: { timeSeries: [{ ...seriesOf(tagOfRun('a'), 'online', []), points: [{ value: {} }] }] } }, /a number/],
    [{ json: { timeSeries: [seriesOf(tagOfRun('a'), 'online', [{ seconds: -1, atMs: 0 }])] } }, /a number/],
    [{ json: { timeSeries: [], executionErrors: [{ code: 4, message: 'deadline' }] } }, /only a part/],
    [{ json: { timeSeries: [], nextPageToken: 'for ever' } }, /only a part/],
  ])('is unknown, with the reason, after the fault %j, and is read when the fault has ended', async (fault, reason) => {
    const { run, readAfter, useFaults } = await usageWorld();
    await run('a', 2);
    useFaults(() => fault);
    const failed = await readAfter(5, 'a');
    expect(failed).toMatchObject({ eecuSeconds: null, problem: expect.stringMatching(reason), reads: 1 });
    expect(failed?.problem).not.toMatch(/token|https?:|Bearer/);
    useFaults(undefined);
    expect(await readAfter(24 * 60, 'a')).toMatchObject({ eecuSeconds: 2, problem: null });
  });

  it('stays known if a later read fails', async () => {
    const { run, readAfter, useFaults } = await usageWorld();
    await run('a', 2);
    await readAfter(5, 'a');
    useFaults(() => 503);
    expect(await readAfter(WEEK, 'a')).toMatchObject({ eecuSeconds: 2, problem: MATCH503, reads: 2 });
    useFaults(undefined);
    expect(await readAfter(WEEK, 'a')).toMatchObject({ eecuSeconds: 2, problem: null, reads: 3, dueAt: null });
  });

  it('is stored with the last failure if all later reads fail; no estimate uses it, because it may be incomplete', async () => {
    const { run, readAfter, useFaults, stores } = await usageWorld();
    await run('a', 2);
    await readAfter(5, 'a');
    useFaults(() => 503);
    for (let read = 1; read < READ_PAUSES_MS.length; read += 1) await readAfter(24 * 60, 'a');
    expect(await readAfter(0, 'a')).toMatchObject({ eecuSeconds: 2, problem: MATCH503, dueAt: null });
    expect(await stores.sceneUses.measured(null, 9)).toBeUndefined();
  });

  it('is not read, and no reason is stored, if all attempts ended without a request', async () => {
    const { begin, note, fail, readAfter, google } = await usageWorld();
    const run = await begin('a');
    await note('a', { requests: 0, pixels: 0, bytes: 0 })();
    await fail(run);
    expect(await readAfter(5, 'a')).toMatchObject({ eecuSeconds: null, problem: null, reads: 0, dueAt: null });
    expect(google.requests).toEqual([]);
  });

  it('is read again at the end of the lease after an error of the service itself; this error is not stored as the reason', async () => {
    const { run, readAfter, stores } = await usageWorld();
    await run('a', 2);
    const byId = vi.spyOn(stores.eoAccounts, 'byId').mockRejectedValue(new Error('password of the database'));
    await expect(readAfter(5, 'a')).rejects.toThrow('password of the database');
    expect(await stores.sceneUses.ofRun('a')).toMatchObject({ eecuSeconds: null, problem: null, reads: 0 });
    byId.mockRestore();
    expect(await readAfter(15, 'a')).toMatchObject({ eecuSeconds: 2, problem: null, reads: 1 });
  });

  it('is unknown, with a reason without details, if the credentials of the account cannot be used', async () => {
    const { run, readAfter, useProject } = await usageWorld();
    await run('a', 2);
    useProject(new Error('key of /secret/path'));
    const problem = 'The credentials of account 1 cannot be used. An administrator can test them.';
    expect(await readAfter(5, 'a')).toMatchObject({ problem, reads: 1 });
  });

  it.each(['a" OR metric.labels.workload_tag!="', 'A', '', '-a', 'a-', 'a'.repeat(64)])(
    'is not requested for the invalid workload tag %j, because the request has the tag in its filter',
    async (workloadTag) => {
      const request = vi.fn();
      const date = new Date(0);
      const reading = computingTime(
        { request },
        { project: 'project', workloadTag, from: date, until: date },
        AbortSignal.timeout(1000),
      );
      await expect(reading).rejects.toThrow(/workload tag of this run is not valid/);
      expect(request).not.toHaveBeenCalled();
    },
  );

  it('is read only from the project that was charged', async () => {
    const { run, readAfter, useProject, google } = await usageWorld();
    await run('a', 2);
    useProject('other');
    expect(await readAfter(5, 'a')).toMatchObject({ problem: expect.stringMatching(/now belongs to another project/) });
    expect(google.requests).toEqual([]);
  });

  it('is unknown if the account was removed, or the attempts were charged to several projects', async () => {
    const { begin, note, fail, run, readAfter, useProject, stores, account } = await usageWorld();
    const moved = await begin('a');
    await note('a')();
    useProject('other');
    await note('a')();
    await fail(moved);
    await run('b', 1);
    await stores.eoAccounts.remove(account.id);
    expect(await readAfter(5, 'a')).toMatchObject({ problem: expect.stringMatching(/to several projects/) });
    expect(await readAfter(0, 'b')).toMatchObject({
      problem: expect.stringMatching(/account of this run was removed/),
    });
  });

  it('has counts that are marked as incomplete after a killed attempt, even if the start of the next attempt cannot be stored', async () => {
    const { begin, note, stores } = await usageWorld();
    await begin('a');
    note('a');
    vi.spyOn(stores.sceneUses, 'begin').mockRejectedValueOnce(new Error('the database is away'));
    await note('a')();
    expect(await stores.sceneUses.ofRun('a')).toMatchObject({ requests: 0, isWhole: false });
  });

  it('is not stored if the use of the run cannot be stored, and the run continues', async () => {
    const { begin, note, stores } = await usageWorld();
    await begin('a');
    vi.spyOn(stores.sceneUses, 'begin').mockRejectedValue(new Error('the database is away'));
    await note('a')();
    expect(await stores.sceneUses.ofRun('a')).toBeUndefined();
  });
});

it('never includes the time of another run, in any order of runs, requests, reads and faults', async () => {
  const FAULTS = [undefined, undefined, 403, 429, 503, 'lost', 'half', 'html'] as const;
  const step = fc.record({
    run: fc.nat(4),
    seconds: fc.integer({ min: 1, max: 1000 }),
    minutes: fc.nat(30),
    fault: fc.constantFrom(...FAULTS),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), fc.nat(40), async (steps, delayMinutes) => {
      const world = await usageWorld({ usageDelayMs: delayMinutes * 60_000, usagePageSize: 1 });
      const ids = [0, 1, 2, 3, 4].map((n) => `00000000-0000-7000-8000-00000000000${n}`);
      const runs = [];
      for (const id of ids) {
        runs.push(await world.begin(id));
        await world.note(id)();
      }
      for (const { run, seconds, minutes, fault } of steps) {
        world.useFaults(() => fault);
        const open = runs[run % runs.length];
        if (open !== undefined) world.google.usage.add(tagOfRun(open.id), seconds, world.now());
        const [ended] = runs.length > 1 && minutes > 15 ? runs.splice(0, 1) : [];
        if (ended !== undefined) await world.fail(ended);
        for (const id of ids) {
          const use = await world.readAfter(minutes / 5, id);
          expect(use?.eecuSeconds ?? 0).toBeLessThanOrEqual(world.google.usage.secondsOf(tagOfRun(id)));
        }
      }
      for (const run of runs) await world.fail(run);
      world.useFaults(undefined);
      for (let day = 0; day < 9; day += 1) await world.readAfter(24 * 60, '');
      for (const id of ids) {
        const seconds = world.google.usage.secondsOf(tagOfRun(id));
        const use = await world.stores.sceneUses.ofRun(id);
        if (seconds > 0) expect(use).toMatchObject({ eecuSeconds: expect.closeTo(seconds, 6), dueAt: null });
        else expect(use?.eecuSeconds).toBeNull();
      }
    }),
    { numRuns: sized(10, 300) },
  );
});

it('tags the requests of each run by a valid label that contains the id of the run', () => {
  fc.assert(
    fc.property(fc.uuid(), (id) => {
      const tag = tagOf(`headwater-run-${id}`);
      expect(tag).toContain(id);
      expect(tag).toMatch(/^[a-z0-9][a-z0-9_-]{0,61}[a-z0-9]$/);
    }),
  );
});
