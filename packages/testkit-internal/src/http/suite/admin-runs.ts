import type { NewRun } from '@headwater/core/ports';
import { EXAMPLE_LAYERS, EXAMPLE_RUN } from '@headwater/http-service';
import { lulcPipeline } from '@headwater/land-cover';
import { describe, expect, onTestFinished } from 'vitest';
import { createSampleService, publishAsSample, SAMPLE_USERS } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase } from './harness.ts';
import { createScreenBrowser, hiddenFields, type ScreenBrowser } from './screen-browser.ts';
import { actOn, signedInBrowser } from './screens.ts';

const RUNS = '/admin/runs/';
const LAYERS = '/admin/layers/';
const LULC = lulcPipeline.name;
const MARKUP = '<img src=x onerror=alert(1)>';

const runId = (last: number): string => `0190a000-0000-7000-8000-${String(9000 + last).padStart(12, '0')}`;
const nameOf = ({ workspace, name }: { readonly workspace: string; readonly name: string }): string =>
  `${workspace}:${name}`;
const pageOf = (layer: { readonly workspace: string; readonly name: string }): string =>
  `${LAYERS}${encodeURIComponent(nameOf(layer))}/`;

type Sample = Awaited<ReturnType<typeof createSampleService>>;

/** Test cases of the admin's runs, layers and tables. */
export function adminRunCases(target: HttpTarget): void {
  /** Starts a service without a worker, and the browsers of a superuser and of a visitor. */
  const start = async (
    options: Parameters<typeof createSampleService>[0] = {},
  ): Promise<{
    readonly sample: Sample;
    readonly own: ScreenBrowser;
    readonly visitor: ScreenBrowser;
  }> => {
    const sample = await createSampleService(options);
    const host = await target.start({ mounts: [{ service: sample.service, prefix: '' }] });
    onTestFinished(async () => {
      await sample.close();
      await host.close();
    });
    const own = await signedInBrowser(host.url);
    return { sample, own, visitor: createScreenBrowser(host.url) };
  };
  const act = (own: ScreenBrowser, page: string, action: string) => actOn(own, { page, action });

  describe('runs in the admin site', () => {
    const newRun = (id: number, rest: Partial<NewRun> = {}): NewRun => ({
      id: runId(id),
      pipeline: LULC,
      params: { startYear: 2020 },
      fingerprint: `run ${id}`,
      ownerId: 1,
      ...rest,
    });

    defineCase(target, 'of all users are listed below the queue, with filters, a search and an order', async () => {
      const { sample, own } = await start();
      const { runs } = sample.stores;
      await runs.enqueue(newRun(1));
      await runs.enqueue(newRun(2, { pipeline: MARKUP, ownerId: 2 }));
      await runs.enqueue(newRun(3, { ownerId: null, params: { startYear: 2021, tehsilId: 1 } }));
      const shown = await own.open(RUNS);
      expect(shown.body).toMatch(/The queue[^]*Waiting[^]*3[^]*Running[^]*0[^]*Oldest run has waited since[^]*UTC/);
      expect(shown.body).toMatch(/<caption>\s*1 to 4 of 4/);
      expect(shown.body).toMatch(/&lt;img src=x[^]*<a href="\/admin\/users\/2\/">/);
      expect(shown.body).not.toContain('<img src=x');
      const total = async (query: string): Promise<unknown> =>
        / of (\d+)\s*<\/caption>/.exec((await own.open(RUNS + query)).body)?.[1];
      expect(await total('?by_state=queued')).toBe('3');
      expect(await total(`?by_state=success&by_pipeline=${LULC}&by_backend=local`)).toBe('1');
      expect(await total(`?q=${runId(2)}`)).toBe('1');
      expect(await total(`?q=${SAMPLE_USERS.other.username}`)).toBe('1');
      const place = (await sample.stores.places.namesOf([1]))[0]?.tehsil ?? '';
      expect(await total(`?q=${encodeURIComponent(place)}`)).toBe('1');
      expect(await total(`?q=${encodeURIComponent(MARKUP)}`)).toBeUndefined();
      for (const sort of ['duration', '-duration', 'state', '-state', 'created'])
        expect(await total(`?sort=${sort}`)).toBe('4');
      expect((await own.open(`${RUNS}?lang=hi`)).body).toMatch(/<html lang="hi">[^]*<h1>रन<\/h1>[^]*कतार/);
    });

    defineCase(target, 'have pages with owner, times, request, log and results', async () => {
      const { own } = await start();
      const shown = await own.open(`${RUNS}${EXAMPLE_RUN}/`);
      expect(shown.body).toMatch(/Owner[^]*<a href="\/admin\/users\/\d+\/">[^]*Attempts[^]*1/);
      expect(shown.body).toContain(`href="/api/v1/runs/${EXAMPLE_RUN}/"`);
      expect(shown.body).toMatch(/Results[^]*Item: [^]*Request[^]*start_year[^]*an example line/);
      expect(shown.body).not.toContain(`${EXAMPLE_RUN}/actions/cancel/`);
      for (const id of [runId(99), 'x', MARKUP])
        expect((await own.open(`${RUNS}${encodeURIComponent(id)}/`)).status).toBe(404);
    });

    defineCase(
      target,
      'have a page that shows progress and log live, by events that can be resumed, and has a link for browsers without scripts',
      async () => {
        const { sample, own } = await start();
        const { runs } = sample.stores;
        await runs.enqueue(newRun(1, { ownerId: 2 }));
        await runs.appendEvent(runId(1), { kind: 'log', data: { message: `first ${MARKUP}` } });
        await runs.appendEvent(runId(1), { kind: 'log', data: { message: 'second' } });
        const page = `${RUNS}${runId(1)}/`;
        const events = `/dashboard/runs/${runId(1)}/events/`;
        const shown = await own.open(page);
        expect(shown.body).toMatch(
          /<progress data-part="bar"[^]*data-log="200"[^]*\d\d:\d\d:\d\d first &lt;img[^]*second/,
        );
        expect(shown.body).toContain(`data-events="${events}"`);
        expect(shown.body).toContain(`<a href="${page}">Reload`);
        expect(shown.body).not.toContain('<img src=x');
        expect(shown.headers.get('content-security-policy')).toMatch(/script-src 'sha256-[^']+'; connect-src 'self'/);
        expect((await own.open(`${page}?lang=hi`)).body).toMatch(/data-live="[^"a-z]+"/);
        await runs.requestCancel(runId(1));
        const whole = await own.open(events);
        expect([whole.status, whole.headers.get('content-type')]).toEqual([
          200,
          expect.stringContaining('event-stream'),
        ]);
        const [first = '', second = ''] = [
          ...whole.body.matchAll(/^id: ?(\d+)\n(?:[^\n]+\n)*?data: ?[^\n]*(?:first|second)/gm),
        ].map(([, id]) => id);
        expect([first, second]).toEqual([expect.stringMatching(/./), expect.stringMatching(/./)]);
        const rest = await own.open(events, { 'last-event-id': first });
        expect([rest.body.includes('first'), rest.body.includes('second')]).toEqual([false, true]);
        const ended = await own.open(page);
        expect(ended.body).not.toContain('data-events="');
        expect(ended.body).toMatch(/second/);
      },
    );

    defineCase(target, 'have a link to the run at the orchestrator, and the text of the request', async () => {
      const { sample, own } = await start({
        compute: {
          backend: () => ({
            name: 'orchestrator',
            start: () => {},
            stop: async () => {},
            pageOf: ({ dagRunId }) =>
              dagRunId === null ? undefined : `https://airflow.example/runs/${encodeURIComponent(dagRunId)}`,
          }),
        },
      });
      const { runs } = sample.stores;
      await runs.enqueue(newRun(1, { backend: 'orchestrator', params: { startYear: 2019 } }));
      const claim = {
        workerId: 'w',
        leaseMs: 60_000,
        pipelines: [LULC],
        maxAttempts: 3,
        backend: 'orchestrator',
      } as const;
      const claimed = await runs.claim(claim);
      const dispatch = { dagId: 'layers', runTokenHash: 'x', dagRunId: 'manual "1"' };
      expect(await runs.dispatch(runId(1), claimed?.token ?? 0, dispatch)).toBe('ok');
      const { body } = await own.open(`${RUNS}${runId(1)}/`);
      expect(body).toContain('<a href="https://airflow.example/runs/manual%20%221%22">manual &quot;1&quot;</a>');
      expect(body).toMatch(/Request[^]*&quot;start_year&quot;: 2019/);
    });

    defineCase(target, 'can be cancelled one by one or several together', async () => {
      const { sample, own } = await start();
      for (const id of [1, 2, 3]) await sample.stores.runs.enqueue(newRun(id));
      const done = await act(own, `${RUNS}${runId(1)}/`, 'cancel');
      expect([done.status, done.location]).toEqual([303, `${RUNS}${runId(1)}/?done=cancel`]);
      const after = await own.open(`${RUNS}${runId(1)}/`);
      expect(after.body).toMatch(/Failure[^]*History[^]*State: Waiting →\s+Failed/);
      const { token = '' } = hiddenFields((await own.open(RUNS)).body);
      const chosen = { token, action: 'cancel', [`row:${runId(2)}`]: 'on', [`row:${runId(1)}`]: 'on' };
      expect((await own.post(`${RUNS}actions/`, chosen)).body).toContain('1 of 2 done');
      expect(await sample.stores.runs.get(runId(2))).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
      expect(await sample.stores.runs.get(runId(3))).toMatchObject({ state: 'queued' });
    });

    defineCase(target, 'are started again if they failed', async () => {
      const { sample, own } = await start();
      const [names] = await sample.stores.places.namesOf([1]);
      const params = { tehsilId: names?.tehsilId ?? 0, startYear: 2021, endYear: 2021, eoAccountId: 1 };
      await sample.stores.runs.enqueue(newRun(1, { params }));
      await sample.stores.runs.enqueue(newRun(2, { pipeline: 'gone' }));
      for (const id of [1, 2]) await sample.stores.runs.requestCancel(runId(id));
      const started = await act(own, `${RUNS}${runId(1)}/`, 'retry');
      const [, id = ''] = /Started as run ([0-9a-f-]+)\./.exec(started.body) ?? [];
      const operator = await sample.stores.users.byUsername(SAMPLE_USERS.operator.username);
      expect(await sample.stores.runs.get(id)).toMatchObject({ ownerId: operator?.id, pipeline: LULC });
      const { token = '' } = hiddenFields((await own.open(RUNS)).body);
      expect((await own.post(`${RUNS}${runId(2)}/actions/retry/`, { token })).status).toBe(409);
    });
  });

  describe('the layers of the admin', () => {
    defineCase(target, 'are listed with their places, and link to the catalogue and to their runs', async () => {
      const { sample, own } = await start();
      const { catalog } = sample.stores;
      const layer = await catalog.layer(EXAMPLE_LAYERS.raster.workspace, EXAMPLE_LAYERS.raster.name);
      const [item] = (await catalog.itemsOfRun(EXAMPLE_RUN)).filter(({ id }) => id === layer?.itemId);
      if (layer === undefined || item === undefined) throw new Error('the sample has no raster');
      await publishAsSample(sample, { items: [item], layers: [layer], timings: {} });
      const shown = await own.open(`${LAYERS}?sort=-published&by_type=raster&q=${EXAMPLE_LAYERS.raster.name}`);
      expect(shown.body).toMatch(
        new RegExp(`<a href="${pageOf(EXAMPLE_LAYERS.raster)}">${nameOf(EXAMPLE_LAYERS.raster)}`),
      );
      expect(shown.body).toContain('href="/api/v1/stac/"');
      const page = await own.open(pageOf(EXAMPLE_LAYERS.raster));
      expect(page.body).toMatch(/Page with the map[^]*STAC Item[^]*File[^]*Map server[^]*Report of the tehsil/);
      expect(page.body).toMatch(/<td>2<\/td>[^]*<td>1<\/td>\s*<td>\s*<a href="\/admin\/runs\//);
      for (const id of ['x', 'a:b', `${MARKUP}:b`])
        expect((await own.open(`${LAYERS}${encodeURIComponent(id)}/`)).status).toBe(404);
      expect((await own.open('/admin/tables/')).status).toBe(200);
    });

    defineCase(target, 'are filtered by dataset and state, and searched by tehsil', async () => {
      const { sample, own } = await start();
      const layer = await sample.stores.operatorLists.layer(
        EXAMPLE_LAYERS.vector.workspace,
        EXAMPLE_LAYERS.vector.name,
      );
      const { datasetName = '', place } = layer ?? {};
      const listed = async (query: Readonly<Record<string, string>>): Promise<readonly (string | undefined)[]> => {
        const { body } = await own.open(`${LAYERS}?${String(new URLSearchParams(query))}`);
        const cells = [...body.matchAll(/<tr>\s*<td>\s*<input[^]*?<\/tr>/g)].map(([row]) => row);
        return [
          / of (\d+)\s*<\/caption>/.exec(body)?.[1],
          ...cells.filter((row) => !row.includes(`<td>${datasetName}</td>`)),
        ];
      };
      const whole = await own.open(LAYERS);
      for (const text of [
        `by_dataset=${datasetName.replaceAll(' ', '+')}`,
        `by_state=${place?.state.replaceAll(' ', '+')}`,
      ])
        expect([text, whole.body.includes(text)]).toEqual([text, true]);
      const [all] = await listed({ by_state: place?.state ?? '' });
      expect(Number(all)).toBeGreaterThan(1);
      const [some, ...others] = await listed({ by_dataset: datasetName, by_state: place?.state ?? '' });
      expect([Number(some) > 0, Number(some) < Number(all), others]).toEqual([true, true, []]);
      expect((await listed({ q: place?.tehsil ?? '', by_dataset: datasetName }))[0]).toBe(some);
      expect((await listed({ q: 'nowhere', by_dataset: datasetName }))[0]).toBeUndefined();
    });

    defineCase(target, 'are unpublished after a confirmation, and the public pages no longer show them', async () => {
      const { sample, own, visitor } = await start();
      const page = pageOf(EXAMPLE_LAYERS.raster);
      const layer = await sample.stores.catalog.layer(EXAMPLE_LAYERS.raster.workspace, EXAMPLE_LAYERS.raster.name);
      const { collectionPath: path = '' } =
        (await sample.stores.catalog.itemsOfRun(EXAMPLE_RUN)).find(({ id }) => id === layer?.itemId) ?? {};
      const addresses = [
        `/api/v1/stac/${path}/items/${layer?.itemId}/`,
        `/api/v1/stac-api/collections/${path.replaceAll('/', '_')}/items/${layer?.itemId}`,
      ];
      const collection = `/api/v1/stac/${path}/`;
      for (const address of addresses) expect([address, (await visitor.open(address)).status]).toEqual([address, 200]);
      expect((await visitor.open(collection)).body).toContain(`/items/${layer?.itemId}/`);
      const asked = await act(own, page, 'unpublish');
      expect([asked.status, asked.body]).toEqual([
        200,
        expect.stringContaining(`Item ${layer?.itemId} with its version`),
      ]);
      expect((await own.open(page)).status).toBe(200);
      const done = await own.post(`${page}actions/unpublish/`, hiddenFields(asked.body));
      expect([done.status, done.location]).toEqual([303, `${LAYERS}?done=unpublish`]);
      expect((await own.open(page)).status).toBe(404);
      for (const address of addresses) expect([address, (await visitor.open(address)).status]).toEqual([address, 404]);
      expect((await visitor.open(collection)).body).not.toContain(`/items/${layer?.itemId}/`);
      expect((await own.open(`${RUNS}${EXAMPLE_RUN}/`)).status).toBe(200);
      const latest = await own.open('/admin/');
      expect(latest.body).toContain(nameOf(EXAMPLE_LAYERS.raster));
      expect(latest.body).toMatch(new RegExp(`Dataset: ${layer?.datasetName} →\\s+—[^]*Version: 1 →\\s+—`));
    });

    defineCase(
      target,
      'that belong to one Item are unpublished together, and each of them counts as done',
      async () => {
        const { sample, own } = await start();
        const { workspace, name } = EXAMPLE_LAYERS.vector;
        const { layers = [] } = (await sample.stores.operatorLists.layer(workspace, name)) ?? {};
        expect(layers.length).toBeGreaterThan(1);
        const { token = '' } = hiddenFields((await own.open(LAYERS)).body);
        const chosen = Object.fromEntries([...layers, 'no:layer'].map((id) => [`row:${id}`, 'on']));
        const done = await own.post(`${LAYERS}actions/`, { token, action: 'unpublish', confirmed: 'yes', ...chosen });
        expect([done.status, done.body]).toEqual([
          200,
          expect.stringContaining(`${layers.length} of ${layers.length + 1} done`),
        ]);
        expect(await sample.stores.operatorLists.layer(workspace, name)).toBeUndefined();
      },
    );

    defineCase(target, 'cannot be unpublished while a run that computes them again is unfinished', async () => {
      const { sample, own } = await start();
      const layer = await sample.stores.catalog.layer(EXAMPLE_LAYERS.raster.workspace, EXAMPLE_LAYERS.raster.name);
      const params = { tehsilId: layer?.tehsilId ?? 0, startYear: 2021 };
      await sample.stores.runs.enqueue({ id: runId(1), pipeline: LULC, params, fingerprint: 'again', ownerId: 1 });
      const page = pageOf(EXAMPLE_LAYERS.raster);
      const { token = '' } = hiddenFields((await own.open(page)).body);
      const refused = await own.post(`${page}actions/unpublish/`, { token, confirmed: 'yes' });
      expect([refused.status, refused.body]).toEqual([
        409,
        expect.stringContaining(`run ${runId(1)} computes it again`),
      ]);
      expect((await own.open(page)).status).toBe(200);
    });
  });
}
