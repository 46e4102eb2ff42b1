import type { EoExport, EoExportStore, NewEoExport } from '@headwater/core/ports';
import { describe, expect, it } from 'vitest';

const at = (second: number): Date => new Date(Date.parse('2026-11-29T00:00:00Z') + second * 1000);
const idOf = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const exportOf = (n: number, second = n): NewEoExport => ({
  id: idOf(n),
  assetKey: `run/1/layer${n}.tif`,
  workspace: 'lulc',
  layerName: `layer${n}`,
  accountId: 7,
  createdAt: at(second).toISOString(),
});

/** Test cases of export records (Earth Engine). */
export function eoExportCases(get: () => { readonly eoExports: EoExportStore }): void {
  describe('exports to platforms', () => {
    it('stores only one export for a file', async () => {
      const { eoExports } = get();
      expect(await eoExports.add(exportOf(1))).toBe(true);
      expect(await eoExports.add({ ...exportOf(2), assetKey: exportOf(1).assetKey })).toBe(false);
      expect(await eoExports.byId(idOf(1))).toEqual({
        ...exportOf(1),
        assetPath: null,
        source: null,
        operation: null,
        state: 'waiting',
        attempts: 0,
        failures: 0,
        dueAt: at(1).toISOString(),
        problem: null,
        eecuSeconds: null,
      } satisfies EoExport);
      for (const id of [idOf(2), 'x', '']) expect(await eoExports.byId(id)).toBeUndefined();
    });

    it('leases each due export to only one process, beginning with the export that has been due for the longest time', async () => {
      const { eoExports } = get();
      expect([await eoExports.nextDue(), await eoExports.claim(at(9), 1000)]).toEqual([null, undefined]);
      for (const n of [3, 1, 2]) await eoExports.add(exportOf(n));
      expect([await eoExports.nextDue(), await eoExports.claim(at(0), 1000)]).toEqual([at(1).toISOString(), undefined]);
      const claims = await Promise.all([1, 2, 3, 4].map(() => eoExports.claim(at(5), 10_000)));
      const ids = claims.flatMap((claimed) => (claimed === undefined ? [] : [claimed.id]));
      expect(ids.toSorted()).toEqual([idOf(1), idOf(2), idOf(3)]);
      expect(await eoExports.nextDue()).toBe(at(15).toISOString());
      expect((await eoExports.claim(at(15), 1000))?.id).toBe(idOf(1));
    });

    it('changes an export only while its lease is held', async () => {
      const { eoExports } = get();
      await eoExports.add(exportOf(1));
      const first = await eoExports.claim(at(1), 1000);
      if (first === undefined) throw new Error('nothing was due');
      const extended = { leaseUntil: at(4).toISOString() };
      expect(await eoExports.save(first, { assetPath: 'projects/p/assets/a', source: 'gs://b/o' }, extended)).toBe(
        true,
      );
      expect(await eoExports.save(first, {}, extended)).toBe(false);
      expect([await eoExports.claim(at(3), 1), await eoExports.nextDue()]).toEqual([undefined, extended.leaseUntil]);
      const second = await eoExports.claim(at(4), 10_000);
      if (second === undefined) throw new Error('the lease did not end');
      expect(second).toMatchObject({ assetPath: 'projects/p/assets/a', source: 'gs://b/o' });
      expect(await eoExports.save(first, { state: 'failed' })).toBe(false);
      const change = {
        state: 'running',
        operation: 'op',
        failures: 2,
        problem: 'x',
        dueAt: at(8).toISOString(),
      } as const;
      expect(await eoExports.save(second, change)).toBe(true);
      expect(await eoExports.save(second, change)).toBe(false);
      expect(await eoExports.byId(idOf(1))).toMatchObject(change);
      expect([await eoExports.claim(at(7), 1), await eoExports.nextDue()]).toEqual([undefined, at(8).toISOString()]);
      const third = await eoExports.claim(at(8), 1000);
      expect(await eoExports.save(third ?? first, { state: 'done', problem: null, eecuSeconds: 1.5 })).toBe(true);
      expect(await eoExports.byId(idOf(1))).toMatchObject({
        state: 'done',
        problem: null,
        eecuSeconds: 1.5,
        operation: 'op',
      });
      expect([await eoExports.claim(at(99), 1), await eoExports.nextDue()]).toEqual([undefined, null]);
    });

    it('retries a failed export on request', async () => {
      const { eoExports } = get();
      await eoExports.add(exportOf(1));
      expect(await eoExports.retry(idOf(1), at(2))).toBeUndefined();
      const claimed = await eoExports.claim(at(1), 1000);
      if (claimed === undefined) throw new Error('nothing was due');
      await eoExports.save(claimed, {
        state: 'failed',
        source: 'gs://b/o',
        operation: 'op',
        attempts: 3,
        failures: 4,
        problem: 'denied',
      });
      const retried = {
        state: 'waiting',
        source: null,
        operation: null,
        attempts: 3,
        failures: 0,
        dueAt: at(5).toISOString(),
      };
      expect(await eoExports.retry(idOf(1), at(5))).toMatchObject(retried);
      expect((await eoExports.claim(at(5), 1000))?.id).toBe(idOf(1));
      for (const id of [idOf(2), 'x']) expect(await eoExports.retry(id, at(5))).toBeUndefined();
    });

    it('finds the unfinished exports of a layer, including exports of its earlier files', async () => {
      const { eoExports } = get();
      const { workspace, layerName } = exportOf(1);
      await eoExports.add(exportOf(1));
      await eoExports.add({ ...exportOf(2), layerName });
      await eoExports.add({ ...exportOf(3), layerName, workspace: 'other' });
      await eoExports.add(exportOf(4));
      const idsOf = async () => (await eoExports.openOf({ workspace, layerName })).map(({ id }) => id).toSorted();
      expect(await idsOf()).toEqual([idOf(1), idOf(2)]);
      const claimed = await eoExports.claim(at(1), 1000);
      if (claimed === undefined) throw new Error('nothing was due');
      await eoExports.save(claimed, { state: 'running' }, claimed);
      expect(await idsOf()).toEqual([idOf(1), idOf(2)]);
      await eoExports.save(claimed, { state: 'failed' });
      expect(await idsOf()).toEqual([idOf(2)]);
    });

    it('lists exports by state, newest first, and finds the exports of files', async () => {
      const { eoExports } = get();
      for (const n of [1, 2, 3]) await eoExports.add(exportOf(n));
      const claimed = await eoExports.claim(at(1), 1000);
      if (claimed === undefined) throw new Error('nothing was due');
      await eoExports.save(claimed, { state: 'done' });
      const page = await eoExports.list({ limit: 2, offset: 0 });
      expect([page.rows.map(({ id }) => id), page.total]).toEqual([[idOf(3), idOf(2)], 3]);
      const done = await eoExports.list({ state: 'done', limit: 2, offset: 0 });
      expect([done.rows.map(({ id }) => id), done.total]).toEqual([[idOf(1)], 1]);
      const files = await eoExports.ofFiles(['run/1/layer2.tif', 'other', 'run/1/layer1.tif']);
      expect(files.map(({ id }) => id).toSorted()).toEqual([idOf(1), idOf(2)]);
      expect(await eoExports.ofFiles([])).toEqual([]);
    });
  });
}
