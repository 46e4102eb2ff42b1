import { afterAll, beforeAll, describe, expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import { SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase } from './harness.ts';
import { createScreenBrowser, hiddenFields } from './screen-browser.ts';
import { signInBrowser } from './screens.ts';
import { regionNextTo, startWorkHost, type WorkAnswer, type WorkHost } from './work-host.ts';

const API = '/api/v1';
const REGIONS = `${API}/regions/`;
const EXPORT = '/api/export-asset';

const Listed = z.object({
  next: z.string().nullable(),
  kept_days: z.number(),
  results: z.array(z.looseObject({ id: z.string(), bbox: z.array(z.number()), items: z.array(z.looseObject({})) })),
});

/** Test cases of regions: their own list, other lists without regions, and removal. */
export function regionCases(target: HttpTarget): void {
  describe('regions', () => {
    let work: WorkHost;
    beforeAll(async () => {
      work = await startWorkHost(target, { maxKm2: 100, waiting: 20, keepRegionsMs: 7 * 86_400_000 });
    });
    afterAll(() => work.close());

    const compute = (step: number, year = 2021): Promise<WorkAnswer> =>
      work.post(EXPORT, { region: regionNextTo(step), year });
    const nameOf = ({ body }: WorkAnswer): string => /region_[0-9a-f]{16}/.exec(String(body['asset_id']))?.[0] ?? '';
    const remove = async (id: string, who?: keyof typeof SAMPLE_USERS): Promise<number> => {
      const init = { method: 'DELETE', headers: who === undefined ? {} : await signedIn(who) };
      return (await fetch(`${work.host.url}${REGIONS}${id}/`, init)).status;
    };
    const signedIn = async (who: keyof typeof SAMPLE_USERS): Promise<Readonly<Record<'authorization', string>>> => {
      const { body } = await work.post(`${API}/auth/login/`, SAMPLE_USERS[who]);
      return { authorization: `Bearer ${String(body['access'])}` };
    };
    const list = async (path = REGIONS) => Listed.parse((await work.get(path)).body);
    const statusOf = async (address: unknown): Promise<number> =>
      (await fetch(work.host.url + String(address).replace('http://headwater.example', ''))).status;
    const pageAt = async (path: string): Promise<string> =>
      (await fetch(work.host.url + path, { headers: { accept: 'text/html' } })).text();

    defineCase(target, 'are listed page by page, newest first, with one entry per region', async () => {
      const names: string[] = [];
      for (let step = 0; step < 14; step += 1) names.unshift(nameOf(await compute(step)));
      const again = nameOf(await compute(13, 2020));
      expect(again).toBe(names[0]);
      const first = await list();
      expect(first).toMatchObject({ kept_days: 7 });
      expect(first.results[0]?.items).toHaveLength(2);
      expect(first.results[0]?.bbox).toHaveLength(4);
      const second = await list(first.next?.replace('http://headwater.example', ''));
      expect(second.next).toBeNull();
      expect([...first.results, ...second.results].map(({ id }) => id)).toEqual(names);
      const page = await pageAt(REGIONS);
      expect(page.replace(/\s+/g, ' ')).toContain('A region is removed 7 days after its last publication.');
      expect(page).toContain(`/stac/regions/custom/${names[1] ?? ''}/`);
      const older = /href="(\?before=[^"]+)"/.exec(page)?.[1] ?? '';
      const last = await pageAt(REGIONS + older);
      expect(last).toContain(names.at(-1));
      expect([last.includes(names[0] ?? ''), last.includes('rel="prev"')]).toEqual([false, true]);
    });

    defineCase(
      target,
      'are listed in the admin, with size and expiry, and removed there after a confirmation',
      async () => {
        const name = nameOf(await compute(30));
        const own = createScreenBrowser(work.host.url);
        await signInBrowser(own, SAMPLE_USERS.operator);
        const listed = await own.open('/admin/regions/');
        for (const part of [name, ' km²']) expect([part, listed.body.includes(part)]).toEqual([part, true]);
        expect((await own.open('/admin/regions/?q=nowhere')).body).not.toContain(name);
        const path = `/admin/regions/${name}/`;
        const shown = await own.open(path);
        expect(shown.body).toContain(`/stac/regions/custom/${name}/`);
        const { token = '' } = hiddenFields(shown.body);
        expect((await own.post(`${path}actions/remove/`, { token })).body).toContain(
          'layers with their tables and files',
        );
        expect((await own.open(path)).status).toBe(200);
        await own.post(`${path}actions/remove/`, { token, confirmed: 'yes' });
        expect([(await own.open(path)).status, (await own.open('/admin/regions/..%2Fx/')).status]).toEqual([404, 404]);
      },
    );

    defineCase(target, 'are in no list of tehsils or states, but are found by searches', async () => {
      const name = nameOf(await compute(20));
      const states = [`${API}/stac/`, `${API}/stac-api/`, `${API}/stac-api/children`, `${API}/proposed_blocks/`];
      for (const path of ['/', ...states]) {
        const [page, document] = [await pageAt(path), JSON.stringify(path === '/' ? '' : (await work.get(path)).body)];
        expect([
          path,
          page.includes(name),
          /regions[/_"]custom|stac\/regions|collections\/regions/.test(page + document),
        ]).toEqual([path, false, false]);
      }
      expect([await pageAt('/'), await pageAt(`${API}/stac/`)]).toEqual([
        expect.stringContaining(`href="${REGIONS}"`),
        expect.stringContaining(`href="${REGIONS}"`),
      ]);
      expect(await pageAt('/')).toContain('sample_tehsil');
      const found = await work.get(`${API}/stac-api/search?collections=regions_custom_${name}`);
      expect(found.body['features']).toHaveLength(1);
      expect((await work.get(`${API}/stac/regions/custom/${name}/`)).status).toBe(200);
    });

    defineCase(
      target,
      'are removed by superusers with their Items and files, and computed again on request',
      async () => {
        const answer = await compute(30);
        const [id, other] = [nameOf(answer), nameOf(await compute(31))];
        const { body } = await compute(30);
        const item = `${API}/stac/regions/custom/${id}/items/${String(body['asset_id'])}/`;
        const gone = [
          answer.body['destination'],
          body['destination'],
          item,
          `${API}/stac/regions/custom/${id}/`,
          `${API}/assets/latest/regions/custom/${id}/${String(body['asset_id'])}/data`,
          `${API}/stac-api/collections/regions_custom_${id}`,
          `/api/export-status?task_id=${String(body['task_id'])}`,
        ];
        for (const address of gone) expect([address, await statusOf(address)]).toEqual([address, 200]);
        expect([await remove(id), await remove(id, 'owner')]).toEqual([401, 403]);
        for (const unknown of ['region_0123456789abcdef', 'x', '..%2f..', '%F0%9F%92%A7', `${id}%20`, id.toUpperCase()])
          expect([unknown, await remove(unknown, 'operator')]).toEqual([unknown, 404]);
        expect(await statusOf(item)).toBe(200);
        const own = await work.get(`${REGIONS}${id}/`);
        expect([own.status, own.body]).toEqual([200, (await list()).results.find((each) => each.id === id)]);

        expect(await remove(id, 'operator')).toBe(204);
        const removed = await work.get(`${REGIONS}${id}/`);
        expect([removed.status, removed.body['detail']]).toEqual([
          404,
          `Region not found: ${id}; GET /api/v1/regions/ lists the existing ones.`,
        ]);
        for (const address of gone) expect([address, await statusOf(address)]).toEqual([address, 404]);
        const status = await work.get(`/api/export-status?task_id=${String(body['task_id'])}`);
        expect(status.body['detail']).toMatch(/result was removed; POST \/api\/export-asset computes it again/);
        const asset = await work.get(`/api/export-status?asset_id=${String(body['asset_id'])}`);
        expect(asset.body).toMatchObject({ done: false });
        const names = (await list()).results.map((each) => each.id);
        expect([names.includes(id), names.includes(other)]).toEqual([false, true]);
        expect(await remove(id, 'operator')).toBe(404);
        expect(
          (await work.post(`${EXPORT}?overwrite=false`, { region: regionNextTo(30), year: 2021 })).body,
        ).toMatchObject({
          asset_id: body['asset_id'],
          version: '1',
          reused: false,
        });
        expect(await statusOf(item)).toBe(200);
      },
    );

    defineCase(target, 'stay removed even if runs that compute them were in progress at the removal', async () => {
      const id = nameOf(await compute(40));
      const release = work.hold();
      onTestFinished(release);
      const began = work.began();
      const [again, another] = [compute(40), compute(41)];
      await expect.poll(() => work.began()).toBe(began + 2);
      const { runs } = await work.service.stores.runs.list({ state: 'running', limit: 9, offset: 0 });
      expect(runs).toHaveLength(2);
      expect(await remove(id, 'operator')).toBe(204);
      expect((await again).body).toMatchObject({ status: 'failed' });
      expect(await statusOf(`${API}/stac/regions/custom/${id}/`)).toBe(404);
      release();
      const other = nameOf(await another);
      expect(await statusOf(`${API}/stac/regions/custom/${other}/`)).toBe(200);
      expect(await statusOf(`${API}/stac/regions/custom/${id}/`)).toBe(404);
      expect((await compute(40)).body).toMatchObject({ version: '1' });
    });

    defineCase(target, 'can be removed before they are published; the removal cancels their runs', async () => {
      const id = nameOf(await compute(50));
      expect(await remove(id, 'operator')).toBe(204);
      const release = work.hold();
      onTestFinished(release);
      const began = work.began();
      const answer = compute(50);
      await expect.poll(() => work.began()).toBe(began + 1);
      expect(await remove(id, 'operator')).toBe(204);
      expect((await answer).body).toMatchObject({ status: 'failed' });
      expect(await remove(id, 'operator')).toBe(404);
    });
  });
}
