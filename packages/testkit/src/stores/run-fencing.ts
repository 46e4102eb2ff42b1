import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { abandoned, claimed, claimedLater, deliverable, newRun, stacItem, worker } from './sample.ts';

/** Errors by field. Version 0.1 stored plain texts, so stores must also return plain texts unchanged. */
const FIELDS = { tehsil: [{ rule: 'too_long', message: 'is too long.', limit: 5 }], block: ['no'] } as const;

const PATH = 'jharkhand/west_singhbhum/chaibasa';

/** Test cases of writes with a fencing token (heartbeat, fail, release, park, publish), and of published results. */
export function runFencingCases(get: Get): void {
  describe('the fencing token', () => {
    it('a heartbeat extends the lease and stores the progress', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('r1'));
      const run = await claimed(runs, worker('w1', 1000));
      expect(await runs.heartbeat('r1', run.token, { leaseMs: 3_600_000, progress: 0.25, step: 'read scenes' })).toBe(
        'ok',
      );
      const renewed = await runs.get('r1');
      expect(renewed).toMatchObject({ progress: 0.25, step: 'read scenes' });
      expect(Date.parse(renewed?.leaseUntil ?? '')).toBeGreaterThan(Date.parse(run.leaseUntil ?? '') + 1_000_000);
      expect(await runs.heartbeat('r1', run.token, { leaseMs: 1000 })).toBe('ok');
      expect(await runs.get('r1')).toMatchObject({ progress: 0.25, step: 'read scenes' });
    });

    it('refuses the writes of a worker whose run was taken over', async () => {
      const { runs, catalog } = get();
      const old = await abandoned(runs, 'r1');
      const current = await claimedLater(runs);
      expect(await runs.heartbeat('r1', old.token, { leaseMs: 60_000, progress: 0.9 })).toBe('lost');
      expect(await runs.fail('r1', old.token, { code: 'internal', message: 'late' })).toBe('lost');
      expect(await runs.release('r1', old.token)).toBe('lost');
      expect(await runs.publish('r1', old.token, deliverable())).toBe('lost');
      expect(await runs.get('r1')).toEqual(current);
      expect(await catalog.collections()).toEqual([]);
      expect(await runs.publish('r1', current.token, deliverable())).toBe('ok');
    });

    it('an ended run accepts no more writes', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('r1'));
      const { token } = await claimed(runs);
      expect(await runs.fail('r1', token, { code: 'input_data', message: 'bad', fields: FIELDS })).toBe('ok');
      const ended = await runs.get('r1');
      expect(ended).toMatchObject({
        state: 'failed',
        error: { code: 'input_data', message: 'bad', fields: FIELDS },
      });
      expect(await runs.heartbeat('r1', token, { leaseMs: 1000 })).toBe('lost');
      expect(await runs.fail('r1', token, { code: 'internal', message: 'again' })).toBe('lost');
      expect(await runs.release('r1', token)).toBe('lost');
      expect(await runs.publish('r1', token, deliverable())).toBe('lost');
      expect(await runs.get('r1')).toEqual(ended);
    });

    it('a released run is queued again and loses no attempt; its old token is invalid', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('r1'));
      const { token } = await claimed(runs);
      expect(await runs.release('r1', token)).toBe('ok');
      expect(await runs.get('r1')).toMatchObject({ state: 'queued', attempt: 0, workerId: null, leaseUntil: null });
      expect(await runs.heartbeat('r1', token, { leaseMs: 1000 })).toBe('lost');
      const again = await claimed(runs, worker('w2'));
      expect(again.attempt).toBe(1);
      expect(again.token).toBeGreaterThan(token);
      expect(await runs.publish('r1', token, deliverable())).toBe('lost');
    });

    it('a parked run, which waits for its next attempt, has no worker: it is claimed after its pause, and can be cancelled immediately', async () => {
      const { runs } = get();
      for (const id of ['r1', 'r2']) await runs.enqueue(newRun(id, { ownerId: null }));
      const [first, second] = [await claimed(runs), await claimed(runs)];
      expect(await runs.park('r1', first.token + 1, 1)).toBe('lost');
      expect(await runs.park('r1', first.token, 1)).toBe('ok');
      const parked = { state: 'running', attempt: 1, workerId: null, leaseUntil: expect.any(String) };
      expect(await runs.get('r1')).toMatchObject(parked);
      expect(await claimedLater(runs)).toMatchObject({ id: 'r1', attempt: 2, workerId: 'w2' });
      expect(await runs.park('r2', second.token, 600_000)).toBe('ok');
      expect(await runs.claim(worker('w2'))).toBeUndefined();
      expect(await runs.queueState('nrm')).toMatchObject({ working: 1 });
      await runs.enqueue(newRun('r3', { ownerId: null }));
      expect(await runs.claim({ ...worker('w3'), mostUnowned: 2 })).toMatchObject({ id: 'r3' });
      expect(await runs.requestCancel('r2')).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
      expect(await runs.park('r2', second.token, 600_000)).toBe('lost');
    });

    it('a run ends if it is parked after it was cancelled', async () => {
      const { runs } = get();
      await runs.enqueue(newRun('r1'));
      const { token } = await claimed(runs);
      await runs.requestCancel('r1');
      expect(await runs.park('r1', token, 600_000)).toBe('cancelled');
      expect(await runs.get('r1')).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
    });

    it('refuses writes to an unknown run', async () => {
      const { runs } = get();
      expect(await runs.heartbeat('unknown', 1, { leaseMs: 1000 })).toBe('lost');
      expect(await runs.publish('unknown', 1, deliverable())).toBe('lost');
    });
  });

  describe('publishing', () => {
    it('stores Items and layers and ends the run', async () => {
      const { runs, catalog } = get();
      await runs.enqueue(newRun('r1'));
      const { token } = await claimed(runs);
      expect(await runs.publish('r1', token, deliverable())).toBe('ok');
      const run = await runs.get('r1');
      expect(run).toMatchObject({ state: 'success', progress: 1, itemIds: ['lulc_2020', 'lulc_vector'], error: null });
      expect(run).toMatchObject({ timings: { read: 1.5, publish: 0 } });
      expect(run?.finishedAt).not.toBeNull();
      expect(await catalog.item(PATH, 'lulc_2020')).toEqual({
        id: 'lulc_2020',
        collectionPath: PATH,
        item: stacItem('lulc_2020', 'first'),
        version: 1,
        runId: 'r1',
      });
    });

    it('if a run is published several times concurrently with one token, only one publication takes effect', async () => {
      const { runs, catalog } = get();
      await runs.enqueue(newRun('r1'));
      const { token } = await claimed(runs);
      const outcomes = await Promise.all([1, 2, 3, 4].map(() => runs.publish('r1', token, deliverable())));
      expect([...outcomes].sort()).toEqual(['lost', 'lost', 'lost', 'ok']);
      expect((await catalog.item(PATH, 'lulc_2020'))?.version).toBe(1);
    });

    it('a later run replaces Items and layers and increments their versions', async () => {
      const { runs, catalog } = get();
      for (const [id, note] of [
        ['r1', 'first'],
        ['r2', 'second'],
      ] as const) {
        await runs.enqueue(newRun(id, { fingerprint: 'same' }));
        const { token } = await claimed(runs);
        await runs.publish(id, token, deliverable(['lulc_2020', `only_${note}`], note));
      }
      expect(await catalog.item(PATH, 'lulc_2020')).toMatchObject({
        version: 2,
        runId: 'r2',
        item: { properties: { title: 'second' } },
      });
      expect(await catalog.item(PATH, 'only_second')).toMatchObject({ version: 1, runId: 'r2' });
      expect(await catalog.layer('LULC_level_3', 'LULC_20_21_chaibasa_level_3')).toMatchObject({
        version: 2,
        assetKey: 'second/1/lulc.tif',
      });
    });

    it('concurrent publications of the same Items all take effect, one after the other', async () => {
      const { runs, catalog } = get();
      const tokens: [string, number][] = [];
      for (const id of ['r1', 'r2', 'r3', 'r4']) {
        await runs.enqueue(newRun(id));
        tokens.push([id, (await claimed(runs)).token]);
      }
      const names = ['a', 'b', 'c', 'd'];
      const outcomes = await Promise.all(
        tokens.map(([id, token], index) =>
          runs.publish(id, token, deliverable(index % 2 === 0 ? names : names.toReversed(), id)),
        ),
      );
      expect(outcomes).toEqual(['ok', 'ok', 'ok', 'ok']);
      expect((await catalog.itemsOf(PATH)).map(({ version }) => version)).toEqual([4, 4, 4, 4]);
      expect((await catalog.layersOf(1)).map(({ version }) => version)).toEqual([4]);
    });

    it('nothing is stored if the run was cancelled before its publication', async () => {
      const { runs, catalog } = get();
      await runs.enqueue(newRun('r1'));
      const { token } = await claimed(runs);
      await runs.requestCancel('r1');
      expect(await runs.publish('r1', token, deliverable())).toBe('cancelled');
      expect(await catalog.item(PATH, 'lulc_2020')).toBeUndefined();
      expect((await runs.get('r1'))?.itemIds).toEqual([]);
    });

    it('lists the attempts whose files are in use', async () => {
      const { runs } = get();
      for (const id of ['done', 'broken', 'working', 'waiting']) await runs.enqueue(newRun(id));
      const done = await claimed(runs);
      await runs.publish('done', done.token, deliverable());
      const broken = await claimed(runs);
      await runs.fail('broken', broken.token, { code: 'internal', message: 'broke' });
      const working = await claimed(runs);
      const live = [...(await runs.liveAttempts())].sort((a, b) => (a.id < b.id ? -1 : 1));
      expect(live).toEqual([
        { id: 'done', token: done.token },
        { id: 'working', token: working.token },
      ]);
    });

    it('lists an attempt for a given time after all of its Items were replaced', async () => {
      const { runs } = get();
      for (const id of ['r1', 'r2', 'r3']) {
        await runs.enqueue(newRun(id));
        const { token } = await claimed(runs);
        await runs.publish(id, token, deliverable(id === 'r1' ? ['lulc_2020', 'only_r1'] : ['lulc_2020'], id));
      }
      const live = async (keepMs?: number): Promise<readonly string[]> =>
        (await runs.liveAttempts(keepMs)).map(({ id }) => id).sort();
      const day = 86_400_000;
      // Run r1 still has a current Item; all Items of r2 were replaced.
      expect(await live(day)).toEqual(['r1', 'r2', 'r3']);
      expect(await live(day)).toEqual(['r1', 'r2', 'r3']);
      expect(await live(0)).toEqual(['r1', 'r3']);
      await expect.poll(() => live(1), { interval: 2 }).toEqual(['r1', 'r3']);
    });

    it('lists an attempt that has a current layer, even if its Items were replaced', async () => {
      const { runs } = get();
      for (const id of ['r1', 'r2']) {
        await runs.enqueue(newRun(id));
        const { token } = await claimed(runs);
        const published = deliverable(['lulc_2020'], id);
        const layers = published.layers.map((layer) => ({
          ...layer,
          layerName: `layer of ${id}`,
          assetKey: `${id}/${token}/lulc.tif`,
        }));
        await runs.publish(id, token, { ...published, layers });
      }
      expect((await runs.liveAttempts(0)).map(({ id }) => id).sort()).toEqual(['r1', 'r2']);
    });

    it('stores which file each run has published for a layer', async () => {
      const { runs, catalog } = get();
      for (const id of ['r1', 'r2']) {
        await runs.enqueue(newRun(id));
        const { token } = await claimed(runs);
        await runs.publish(id, token, deliverable(['lulc_2020'], id));
      }
      const of = (id: string): unknown => catalog.layerOfRun(id, 'LULC_level_3', 'LULC_20_21_chaibasa_level_3');
      expect(await of('r1')).toEqual({ layerType: 'raster', assetKey: 'r1/1/lulc.tif' });
      expect(await of('r2')).toEqual({ layerType: 'raster', assetKey: 'r2/1/lulc.tif' });
      expect(await of('r3')).toBeUndefined();
      expect(await catalog.layerOfRun('r1', 'LULC_level_3', 'another')).toBeUndefined();
    });

    it('lists a run whose Items were replaced by Items with the same content, because its result can still be reused', async () => {
      const { runs } = get();
      const publish = async (id: string, sameContentAs?: string): Promise<void> => {
        await runs.enqueue(newRun(id, { fingerprint: id }));
        const { token } = await claimed(runs);
        const published = deliverable(['vector'], id);
        const items = published.items.map((item) => (sameContentAs === undefined ? item : { ...item, sameContentAs }));
        await runs.publish(id, token, { ...published, items, inputs: 'scenes' });
      };
      const live = async () => (await runs.liveAttempts(0)).map(({ id }) => id).sort();
      await publish('r1');
      await publish('r2', 'r1');
      expect(await runs.resultOf('r1')).toMatchObject({ id: 'r1' });
      expect(await live()).toEqual(['r1', 'r2']);
      await publish('r3');
      expect(await runs.resultOf('r1')).toBeUndefined();
      expect(await live()).toEqual(['r3']);
    });
  });
}
