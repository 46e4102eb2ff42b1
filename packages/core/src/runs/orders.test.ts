import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Run } from '../ports/runs.ts';
import { mapNeed, needsWorld, type NeedsWorld, pipelineOf } from './needs.fixture.ts';
import type { StartedOrder } from './types.ts';

const NEVER_ABORTED = new AbortController().signal;

function gate(): { readonly opened: Promise<void>; readonly open: () => void } {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

describe('orders', () => {
  let w: NeedsWorld;
  let begun: ReturnType<typeof gate>;
  let goOn: ReturnType<typeof gate>;
  /** A pipeline that reports its start, then waits until the test continues or stops it. */
  const slow = pipelineOf('slow', {
    dependsOn: ['lulc'],
    needs: (params) => [mapNeed(params)],
    execute: async (_, __, { signal }) => {
      begun.open();
      const stopped = new Promise<never>((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(new Error('stopped')));
      });
      await Promise.race([goOn.opened, stopped]);
      return { items: [], layers: [], timings: {} };
    },
  });
  beforeEach(() => {
    [begun, goOn] = [gate(), gate()];
    w = needsWorld([slow]);
  });
  afterEach(() => w.close());

  const node = (name: string, after: readonly string[] = []) => ({
    name,
    pipeline: w.pipelines.get(name) ?? pipelineOf(name),
    request: { tehsilId: 1, year: 2020 },
    after,
  });
  const order = (fingerprint: string, ...names: readonly (readonly [string, ...string[]])[]): Promise<StartedOrder> =>
    w.service.startOrder(w.owner, { fingerprint, nodes: names.map(([name, ...after]) => node(name, after)) });
  const ended = ({ id }: Pick<Run, 'id'>): Promise<Run> => w.service.waitFor(id, NEVER_ABORTED);
  const runs = async (): Promise<readonly Run[]> => (await w.stores.runs.list({ limit: 99, offset: 0 })).runs;

  it('cancelling an order cancels its queued and running runs; its ended runs stay unchanged', async () => {
    const started = await order('map', ['lulc'], ['slow', 'lulc'], ['areas', 'slow']);
    w.worker().start();
    await begun.opened;
    expect(await w.service.cancel(w.owner, started.run.id)).toMatchObject({ state: 'failed' });
    for (const { name, run } of started.nodes) {
      const wanted = name === 'lulc' ? { state: 'success' } : { state: 'failed', error: { code: 'cancelled' } };
      expect([name, await ended(run)]).toMatchObject([name, wanted]);
    }
  });

  it('a cancelled order does not end a run that another order waits for', async () => {
    const first = await order('first', ['lulc'], ['slow', 'lulc']);
    const second = await order('second', ['lulc'], ['areas', 'lulc']);
    await w.service.cancel(w.owner, first.run.id);
    w.worker().start();
    expect(await ended(second.run)).toMatchObject({ state: 'success' });
    expect(await ended(first.nodes[1]?.run ?? first.run)).toMatchObject({ error: { code: 'cancelled' } });
    expect(w.made).toEqual(['2020']);
  });

  it('equal concurrent orders share one run', async () => {
    const started = await Promise.all(['a', 'b', 'c'].map(() => order('map', ['lulc'], ['areas', 'lulc'])));
    expect(new Set(started.map(({ run }) => run.id)).size).toBe(1);
    expect(started.filter(({ joined }) => !joined)).toHaveLength(1);
    for (const name of [0, 1]) expect(new Set(started.map(({ nodes }) => nodes[name]?.run.id)).size).toBe(1);
    expect(await runs()).toHaveLength(3);
  });

  it('if two different orders have the same need, this need is computed once', async () => {
    const [first, second] = await Promise.all([order('first', ['areas']), order('second', ['slow'])]);
    w.worker().start();
    goOn.open();
    for (const { run } of [first, second]) expect(await ended(run)).toMatchObject({ state: 'success' });
    expect(w.made).toEqual(['2020']);
    expect((await runs()).filter(({ pipeline }) => pipeline === 'lulc')).toHaveLength(1);
  });

  it('an order continues after a restart', async () => {
    const { run, nodes } = await order('map', ['lulc'], ['slow', 'lulc'], ['areas', 'slow']);
    const before = w.worker();
    before.start();
    await begun.opened;
    await before.stop({ graceMs: 0 });
    expect(await w.stores.runs.get(nodes[1]?.run.id ?? '')).toMatchObject({ state: 'queued', attempt: 0 });
    goOn.open();
    w.worker().start();
    expect(await ended(run)).toMatchObject({ state: 'success' });
    expect(w.made).toEqual(['2020']);
  });

  it('a failed order reports which of its runs failed and why', async () => {
    const bad = pipelineOf('bad', { execute: async () => Promise.reject(new Error('no paper')) });
    const nodes = [{ ...node('lulc') }, { ...node('bad'), pipeline: bad }, node('areas', ['bad'])];
    await w.close();
    w = needsWorld([slow, bad]);
    const { run, nodes: made } = await w.service.startOrder(w.owner, { fingerprint: 'map', nodes });
    w.worker().start();
    const message = new RegExp(
      `^This run needs node bad, which is missing because run ${made[1]?.run.id ?? ''} failed\\.`,
    );
    for (const each of [run, made[2]?.run ?? run]) {
      expect((await ended(each)).error).toMatchObject({
        code: 'dependency_failed',
        message: expect.stringMatching(message),
      });
    }
    expect(await ended(made[0]?.run ?? run)).toMatchObject({ state: 'success' });
  });
});
