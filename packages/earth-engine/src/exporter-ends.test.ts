import { describe, expect, it } from 'vitest';
import { FOLDER, world } from './exporter.fixture.ts';
import type { FaultRule } from './testing/fake-google.ts';

describe('the end of an export, or of its process', () => {
  it.each([
    ['its import fails three times', async () => {}],
    ['its layer is computed again', async (add: (names: string[]) => Promise<unknown>) => await add(['a'])],
  ])('an export leaves no file in the bucket if %s, also if the bucket does not answer at first', async (_, change) => {
    let losses = 0;
    const fault: FaultRule = ({ method }) => (method === 'DELETE' && losses++ < 2 ? 503 : undefined);
    const { fake, publish: add, exporter, settle, stores, clock } = await world({ fault });
    const path = `${FOLDER}/nadi_pradesh/east_nadi/jal_gaon/a`;
    fake.importErrors.set(path, 'Unable to read the file');
    await add(['a']);
    await exporter.findNew();
    await exporter.runDue();
    expect(fake.objects.size).toBe(1);
    clock.ms += 60_000;
    await exporter.runDue();
    await change(add);
    await settle();
    const { rows } = await stores.eoExports.list({ limit: 1, offset: 0 });
    expect(rows).toMatchObject([{ state: 'failed', source: null }]);
    expect([fake.objects.size, losses > 2]).toEqual([0, true]);
  });

  it('a failed export names its file in the bucket if the account may not remove this file', async () => {
    const fault: FaultRule = ({ method, path }) => (method === 'DELETE' || path.endsWith(':import') ? 403 : undefined);
    const { publish: add, exporter, settle, stores } = await world({ fault });
    await add(['a']);
    await exporter.findNew();
    await settle();
    const [failed] = (await stores.eoExports.list({ limit: 1, offset: 0 })).rows;
    expect(failed).toMatchObject({ state: 'failed', source: `gs://staging/earth-engine/${failed?.id}.tif` });
    expect(failed?.problem).toContain(`The file ${failed?.source} may still be in the bucket; remove it there.`);
  });

  it.each([
    ['before the response to its upload', '/upload/'],
    ['before the response to its import', ':import'],
    ['before the response that makes its asset readable', ':setIamPolicy'],
  ])(
    'after a kill %s, another process continues the export within two minutes, and the file is imported once',
    async (_, at) => {
      const reached = Promise.withResolvers<void>();
      let isAlive = true;
      const fault: FaultRule = ({ path }) => {
        if (!isAlive || !path.includes(at)) return undefined;
        reached.resolve();
        return 'silent';
      };
      const { fake, publish: add, exporter, settle, stores, clock, otherProcess } = await world({ fault });
      await add(['a']);
      await exporter.findNew();
      const killed = settle();
      killed.catch(() => {});
      await reached.promise;
      isAlive = false;
      const kill = clock.ms;
      const other = otherProcess();
      expect(await other.runDue()).toBe(0);
      clock.ms = Date.parse((await stores.eoExports.nextDue()) ?? '');
      expect(clock.ms - kill).toBeLessThanOrEqual(120_000);
      for (let steps = 0; steps < 20; steps += 1) {
        await other.runDue();
        const due = await stores.eoExports.nextDue();
        if (due === null) break;
        clock.ms = Math.max(clock.ms, Date.parse(due));
      }
      expect((await stores.eoExports.list({ limit: 2, offset: 0 })).rows).toMatchObject([{ state: 'done' }]);
      expect([fake.operations.length, fake.objects.size]).toEqual([1, 0]);
    },
  );

  it('an export stays with its process during a long upload; no other process takes it over', async () => {
    const [reached, uploaded] = [Promise.withResolvers<void>(), Promise.withResolvers<undefined>()];
    const {
      publish: add,
      exporter,
      stores,
      clock,
      tick,
      otherProcess,
      fake,
    } = await world({
      fault: ({ path }) => {
        if (!path.startsWith('/upload/')) return undefined;
        reached.resolve();
        return uploaded.promise;
      },
    });
    await add(['a']);
    await exporter.findNew();
    const working = exporter.runDue();
    await reached.promise;
    const other = otherProcess();
    for (let beats = 0; beats < 10; beats += 1) {
      const before = await stores.eoExports.nextDue();
      clock.ms += 30_000;
      tick();
      await expect.poll(() => stores.eoExports.nextDue()).not.toBe(before);
      expect(await other.runDue()).toBe(0);
    }
    uploaded.resolve(undefined);
    expect(await working).toBe(1);
    expect(fake.requests.filter((each) => each.startsWith('POST /upload/')).length).toBe(1);
  });
});
