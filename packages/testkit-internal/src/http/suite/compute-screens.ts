import type { AnyPipeline } from '@headwater/core';
import { describe, expect, onTestFinished } from 'vitest';
import { outlinePipeline } from '../../pipelines/outline-pipeline.ts';
import { wetnessPipeline } from '../../pipelines/wetness-pipeline.ts';
import { SAMPLE_PLACE } from '../fixture/sample-place.ts';
import { createSampleService, SAMPLE_PIPELINES, SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, useHarness } from './harness.ts';
import {
  createScreenBrowser,
  type Fields,
  formFields,
  hiddenFields,
  type ScreenBrowser,
  type Shown,
} from './screen-browser.ts';
import { type SignInFields, signedInBrowser } from './screens.ts';

const COMPUTE = '/dashboard/compute/';
const PLACE = { state: 'Sample State', district: 'Sample District', tehsil: 'Sample Tehsil' };
const [{ name: LAYER }] = SAMPLE_PIPELINES;
const YEARS = { start_year: '2021', end_year: '2021', eo_account_id: '1' };
const WHOLE = { ...PLACE, layer: LAYER, ...YEARS };

const at = (fields: Fields): string => `${COMPUTE}?${new URLSearchParams(fields).toString()}`;
const linksOf = ({ body }: Shown): readonly string[] =>
  [...body.matchAll(/href="(\/dashboard\/compute\/[^"]*)"/g)].map(([, href = '']) => href.replaceAll('&amp;', '&'));
const linkWith = (page: Shown, fields: Fields): string =>
  linksOf(page).find((href) => {
    const query = new URL(href, 'http://x').searchParams;
    return Object.entries(fields).every(([name, value]) => query.get(name) === value);
  }) ?? `no link with ${JSON.stringify(fields)}`;
const startFields = (page: Shown): Fields => formFields(page, 'check', false);
const estimateFields = (page: Shown): Fields => formFields(page, 'check', true);

/** Test cases of the form that starts a computation. */
export function computeScreenCases(target: HttpTarget): void {
  describe('the form that starts a computation', () => {
    const harness = useHarness(target);
    const signedIn = (user: SignInFields = SAMPLE_USERS.owner): Promise<ScreenBrowser> =>
      signedInBrowser(harness().host.url, user);

    defineCase(target, 'leads from the choice of a state, district and tehsil to the page of the run', async () => {
      const own = await signedIn();
      const states = await own.open(linkWith(await own.open('/dashboard/'), {}));
      expect(states.body).toContain('<svg');
      const districts = await own.open(linkWith(states, { state: PLACE.state }));
      const tehsils = await own.open(linkWith(districts, { district: PLACE.district }));
      expect(tehsils.body).toMatch(/<a href="[^"]*tehsil=Sample\+Tehsil"[^>]*aria-label="Sample Tehsil">[^]*<path/);
      const layers = await own.open(linkWith(tehsils, PLACE));
      expect(layers.body).toMatch(/Sample Tehsil, Sample District, Sample State \(\d+\.\d km²\)/);
      const parameters = await own.open(linkWith(layers, { layer: LAYER }));
      expect(parameters.body).toMatch(/<label for="start_year">First year<\/label>/);
      expect(parameters.body).toMatch(/<select id="eo_account_id"[^]*<option value="1"\s*selected>\s*1: sample data/);
      const last = await own.open(at({ ...WHOLE, check: '1' }));
      expect(last.body).toContain('Before the start');
      expect(last.body).toMatch(/Expected time[^]*(Unknown: no run|The newest run of this layer took)/);
      const started = await own.post(COMPUTE, startFields(last));
      expect([started.status, started.location]).toEqual([
        303,
        expect.stringMatching(/^\/api\/v1\/runs\/[0-9a-f-]{36}\/$/),
      ]);
      const run = await harness().service.stores.runs.get(/runs\/([^/]+)/.exec(started.location ?? '')?.[1] ?? '');
      expect(run).toMatchObject({ pipeline: LAYER, params: { startYear: 2021, endYear: 2021, eoAccountId: 1 } });
      expect((await own.open(started.location ?? '')).status).toBe(200);
      await harness().service.runs.waitFor(run?.id ?? '', AbortSignal.timeout(10_000));
      const next = await own.open(at({ ...WHOLE, start_year: '2022', end_year: '2023', check: '1' }));
      expect(next.body).toMatch(/The newest run of this layer took \d+\.\d s for \d+\.\d sq\. km \(years: 1\)/);
      expect(next.body).toMatch(/Files to publish<\/dt>\s*<dd>about \d+/);
    });

    defineCase(target, 'estimates the work before the start, in Hindi too, and stores no run', async () => {
      const own = await signedIn();
      const { stores } = harness().service;
      const count = async (): Promise<number> => (await stores.runs.list({ limit: 1, offset: 0 })).total;
      const before = await count();
      const last = await own.open(at({ ...WHOLE, check: '1' }));
      expect(last.body).toMatch(/name="check" value="estimate"[^]*Estimate first/);
      const fields = estimateFields(last);
      expect(fields).toMatchObject({ ...WHOLE, check: 'estimate' });
      const estimate = await own.post(COMPUTE, fields);
      expect([estimate.status, startFields(estimate)]).toEqual([200, startFields(last)]);
      expect(estimate.body).not.toMatch(/Expected time|Estimate first|hreflang/);
      const names = [...estimate.body.matchAll(/<th scope="row">([^<]+)<\/th>\s*<td>[^<]+<\/td>/g)];
      expect(names.map(([, name]) => name)).toEqual([
        'Tehsils',
        'Area',
        'Satellite scenes to read',
        'Data to read',
        'HTTP requests',
        'Time of one worker',
        'Memory of the worker',
        'Disk space',
      ]);
      const hindi = await own.open(at({ ...WHOLE, check: '1', lang: 'hi' }));
      const action = /method="post" action="([^"]*)"/.exec(hindi.body)?.[1] ?? '';
      expect((await own.post(action, estimateFields(hindi))).body).toMatch(/<th scope="row">HTTP अनुरोध<\/th>/);
      expect((await own.post(COMPUTE, { ...fields, end_year: 'soon' })).status).toBe(400);
      expect((await own.post(COMPUTE, { ...fields, check: 'estimated' })).status).toBe(400);
      expect((await own.post(COMPUTE, { ...fields, layer: 'unknown' })).status).toBe(400);
      expect(await count()).toBe(before);
    });

    defineCase(target, 'estimates nothing for a link, a form that another site sends, or a wrong token', async () => {
      const own = await signedIn();
      const fields = estimateFields(await own.open(at({ ...WHOLE, check: '1' })));
      const shown = [
        await own.open(at({ ...WHOLE, check: 'estimate' })),
        await own.post(COMPUTE, fields, { origin: 'https://other.example' }),
        await own.post(COMPUTE, { ...fields, token: 'another' }),
      ];
      expect(shown.map(({ status }) => status)).toEqual([400, 403, 403]);
      for (const { body } of shown) expect(body).not.toContain('id="estimate"');
    });

    defineCase(
      target,
      'keeps the facts of the earlier check, and shows the time to wait, if an estimate is refused',
      async () => {
        const [entered, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const slow: AnyPipeline = {
          ...wetnessPipeline,
          dependsOn: [],
          needs: async () => {
            entered.resolve();
            await gate.promise;
            return [];
          },
        };
        const service = await createSampleService({ pipelines: [slow, { ...outlinePipeline, aliases: [] }] });
        const host = await target.start({ mounts: [{ service: service.service, prefix: '' }] });
        onTestFinished(async () => {
          await service.close();
          await host.close();
        });
        const own = await signedInBrowser(host.url, SAMPLE_USERS.owner);
        const last = await own.open(at({ ...PLACE, layer: outlinePipeline.name, eo_account_id: '1', check: '1' }));
        const fields = estimateFields(last);
        const running = own.post(COMPUTE, { ...fields, layer: slow.name });
        await entered.promise;
        const refused = await own.post(COMPUTE, fields);
        expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '10']);
        expect(refused.body).toMatch(/<p lang="en">Other estimates are still running. Try again in 10 seconds\.<\/p>/);
        expect(refused.body).toMatch(/Expected time[^]*Estimate first[^]*Start the computation/);
        expect(startFields(refused)).toEqual(startFields(last));
        gate.resolve();
        expect((await running).status).toBe(200);
        expect((await own.post(COMPUTE, estimateFields(refused))).status).toBe(200);
      },
    );

    defineCase(target, 'finds a place by a part of its name, in Hindi too', async () => {
      const own = await signedIn();
      const found = await own.open(at({ q: 'sample teh', layer: LAYER }));
      expect(await own.open(linkWith(found, { ...PLACE, layer: LAYER }))).toMatchObject({ status: 200 });
      expect((await own.open(at({ q: 'nowhere' }))).body).toContain('class="empty"');
      const hindi = await own.open(at({ ...WHOLE, check: '1', lang: 'hi' }));
      expect(hindi.body).toContain('गणना शुरू करें');
      expect(linkWith(hindi, { lang: 'hi', layer: LAYER, start_year: '2021' })).toContain('end_year=2021');
    });

    defineCase(target, 'marks wrong parameters, and keeps the typed texts', async () => {
      const own = await signedIn();
      const wrong = { ...WHOLE, start_year: '1999', eo_account_id: '2' };
      for (const [fields, name, text] of [
        [{ ...WHOLE, start_year: '1999' }, 'start_year', '1999 is too early'],
        [{ ...WHOLE, end_year: 'soon' }, 'end_year', ''],
        [{ ...WHOLE, eo_account_id: '2' }, 'eo_account_id', 'account 2 does not exist'],
        [{ ...WHOLE, end_year: '' }, 'end_year', ''],
      ] as const) {
        const refused = await own.open(at({ ...fields, check: '1' }));
        expect([name, refused.status]).toEqual([name, 400]);
        expect(refused.body).toMatch(new RegExp(`id="${name}-error">[^]*${text}`));
        expect(refused.body).toContain('href="#' + name);
        expect(refused.body).not.toContain('Before the start');
      }
      expect((await own.open(at({ ...WHOLE, scope: 'country', check: '1' }))).status).toBe(400);
      const { token = '' } = hiddenFields((await own.open('/dashboard/')).body);
      const posted = await own.post(COMPUTE, { ...wrong, token });
      expect([posted.status, posted.body]).toEqual([400, expect.stringMatching(/name="start_year"[^>]*value="1999"/)]);
      const unknown = await own.open(at({ ...WHOLE, tehsil: 'Sample Tehsi', check: '1' }));
      expect(unknown.body).toMatch(/Sample Tehsi.*Sample Tehsil/);
      expect((await own.open(at({ ...PLACE, layer: '<b>no</b>' }))).body).toContain('&lt;b&gt;no&lt;/b&gt;');
    });

    defineCase(
      target,
      'offers to compute missing layers first; if no pipeline computes a layer, it shows the remedy instead',
      async () => {
        const orphan: AnyPipeline = {
          ...wetnessPipeline,
          name: 'orphan',
          route: 'generate_orphan',
          aliases: [],
          dependsOn: [],
          needs: () => [
            { kind: 'layer', workspace: 'soil', layerName: 'map', tehsilId: 1, remedy: 'Import a soil map.' },
          ],
        };
        const service = await createSampleService({ pipelines: [outlinePipeline, wetnessPipeline, orphan] });
        const host = await target.start({ mounts: [{ service: service.service, prefix: '' }] });
        onTestFinished(async () => {
          await service.close();
          await host.close();
        });
        const own = await signedInBrowser(host.url, SAMPLE_USERS.owner);
        const wanted = { ...PLACE, eo_account_id: '1', check: '1' };
        const none = await own.open(at({ ...wanted, layer: 'orphan' }));
        expect([none.status, none.body]).toEqual([200, expect.stringContaining('Import a soil map.')]);
        expect([startFields(none), startFields(await own.post(COMPUTE, estimateFields(none)))]).toEqual([{}, {}]);
        const page = await own.open(at({ ...wanted, layer: wetnessPipeline.name }));
        expect(page.body).toMatch(/They can be computed first:[^]*<li lang="en">tehsil outline<\/li>/);
        const estimate = await own.post(COMPUTE, estimateFields(page));
        expect(estimate.body).toMatch(/They can be computed first:[^]*<li lang="en">tehsil outline<\/li>/);
        expect(startFields(estimate)).toEqual(startFields(page));
        const alone = await own.post(COMPUTE, { ...startFields(page), with_dependencies: '' });
        expect([alone.status, alone.body]).toEqual([409, expect.stringContaining('is missing')]);
        const started = await own.post(COMPUTE, startFields(page));
        const run = await service.stores.runs.get(/runs\/([^/]+)/.exec(started.location ?? '')?.[1] ?? '');
        expect(run).toMatchObject({ pipeline: wetnessPipeline.name, after: [expect.any(String)] });
      },
    );

    defineCase(target, 'says that a place has no boundary', async () => {
      await harness().service.stores.places.saveBundle({
        state: 'Bare State',
        district: 'Bare District',
        tehsil: 'Bare Tehsil',
        geometry: null,
        mws: [],
        villages: [],
      });
      const own = await signedIn();
      const bare = { state: 'Bare State', district: 'Bare District', tehsil: 'Bare Tehsil' };
      expect((await own.open(at(bare))).body).toContain('Bare Tehsil has no boundary');
      const refused = await own.open(at({ ...WHOLE, ...bare, check: '1' }));
      expect([refused.status, refused.body]).toEqual([400, expect.stringContaining('has no boundary')]);
    });

    defineCase(target, 'contains the place or the layer of the page from which it was opened', async () => {
      const place = { state: 'New State', district: 'New District', tehsil: 'New Tehsil' };
      const { geometry } = SAMPLE_PLACE;
      await harness().service.stores.places.saveBundle({ ...place, geometry, mws: [], villages: [] });
      const visitor = createScreenBrowser(harness().host.url);
      const known = await visitor.open('/api/v1/stac/new_state/new_district/new_tehsil/');
      expect([known.status, linksOf(known)]).toEqual([200, [at(place)]]);
      expect(linksOf(await visitor.open('/computations/'))).toContain(at({ layer: LAYER }));
      const own = await signedIn();
      expect((await own.open(at({ layer: LAYER }))).body).toContain('<svg');
      expect((await own.open(at(place))).body).toContain('New Tehsil, New District, New State');
    });

    defineCase(
      target,
      'shows a user without the permission to compute whom to ask for it, and starts no run',
      async () => {
        const { stores, accounts } = harness().service;
        const user = { username: 'reader_only', password: 'tall-river-42' };
        const { id } = await accounts.createUser(user);
        await stores.people.change(id, { mayCompute: false });
        const own = await signedIn(user);
        const page = await own.open(at({ ...WHOLE, check: '1' }));
        expect([page.status, page.body]).toEqual([200, expect.stringContaining('Ask a superuser of this service')]);
        expect(page.body).not.toContain('<form');
        const before = (await stores.runs.list({ limit: 1, offset: 0 })).total;
        const { token = '' } = hiddenFields((await own.open('/dashboard/')).body);
        const refused = await own.post(COMPUTE, { ...WHOLE, token });
        expect([refused.status, refused.body]).toEqual([403, expect.stringContaining('Ask a superuser')]);
        expect((await stores.runs.list({ limit: 1, offset: 0 })).total).toBe(before);
      },
    );

    defineCase(target, 'contains the typed texts again if the user signs in after the session ended', async () => {
      const own = await signedIn();
      const last = await own.open(at({ ...WHOLE, start_year: '2022', end_year: '2022', check: '1' }));
      own.cookies.delete('headwater_session');
      const sent = await own.post(COMPUTE, startFields(last));
      expect(sent.status).toBe(303);
      const done = await own.submit(sent.location ?? '', SAMPLE_USERS.owner);
      expect(done.location).toContain('start_year=2022');
      expect(startFields(await own.open(done.location ?? ''))).toMatchObject({
        ...PLACE,
        layer: LAYER,
        start_year: '2022',
      });
      const visitor = createScreenBrowser(harness().host.url);
      // The redirect omits a field that would make the header too long.
      const long = await visitor.post(COMPUTE, {
        ...startFields(last),
        start_year: '9'.repeat(2000),
        end_year: '8'.repeat(2000),
      });
      expect(decodeURIComponent(long.location ?? '')).toMatch(/tehsil=Sample\+Tehsil&[^9]*end_year=8{2000}[^9]*$/);
      expect((await visitor.open(at(PLACE))).location).toBe(`/login/?next=${encodeURIComponent(at(PLACE))}`);
    });
  });
}
