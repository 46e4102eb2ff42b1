import { EXAMPLE_LAYERS, EXAMPLE_PLACE, type Headwater } from '@headwater/http-service';
import { validateItem } from '@headwater/stac';
import { describe, expect } from 'vitest';
import { publishAsSample } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, jsonInit } from './harness.ts';
import { collection, feature, LEGEND, point, type Position, REFUSED, ring } from './validate-labels.ts';
import { BODY, ROUTE, TABLES, useValidation } from './validate-service.ts';

const collectionPath = Object.values(EXAMPLE_PLACE).join('/');
const CLASSES = [{ value: 1, name: 'built_up' }];

/** Id, data asset and further properties of an Item, and the expected message. */
const UNSUITABLE_LAYERS = [
  [
    'slope',
    { bands: [{ data_type: 'float32' }] },
    {},
    /has float32 values, not classes\. Name a raster of classes: values of type uint8/,
  ],
  ['counts', { data_type: 'int16', 'classification:classes': CLASSES }, {}, /has int16 values, not classes/],
  [
    'utm',
    { data_type: 'uint8', 'classification:classes': CLASSES },
    { 'proj:code': 'EPSG:32645' },
    /EPSG:32645.*EPSG:4326/,
  ],
  ['bare', { data_type: 'uint8' }, {}, /the Item of the layer lists no classes.*send a legend/],
] as const;

async function publishUnsuitableLayers(service: Headwater): Promise<void> {
  const { workspace, name } = EXAMPLE_LAYERS.raster;
  const known = await service.stores.catalog.layer(workspace, name);
  if (known === undefined) throw new Error('the sample is not published');
  await publishAsSample(service, {
    items: UNSUITABLE_LAYERS.map(([id, data, properties]) => {
      const assets = { data: { roles: ['data'], ...data } };
      return { id, collectionPath, item: { id, properties: { 'proj:code': 'EPSG:4326', ...properties }, assets } };
    }),
    layers: UNSUITABLE_LAYERS.map(([layerName]) => ({ ...known, layerName, itemId: layerName })),
    timings: {},
  });
}

/** Titles with characters that must be escaped in HTML. */
const TITLED = [
  { title: 'Houses & roads', color: '#FF0000' },
  { title: '<b>tall</b> trees', color: '#00AA00' },
] as const;

/** Texts that the page of a validation contains. The numbers were computed by hand. */
const VALIDATION_PAGE: readonly string[] = [
  '<h1 lang="en">Accuracy of ',
  '<span>Overall accuracy, by count</span><b>87.5 %</b><span>(52.9 to 97.8)</span>',
  '<span>Overall accuracy, by area of the map</span><b>87.5 %</b>',
  '<span>Kappa</span><b>0.750</b>',
  '<dd>8 compared as points, 3 left out</dd>',
  'Samples left out: 1. Reason: The label is in no class of the legend.',
  'Samples left out: 2. Reason: The layer does not cover the place, or has no data there.',
  // Rows of the confusion matrix: of four labels on mapped houses, all are houses; of four labels on mapped trees,
  // three are trees.
  'Houses &amp; roads</th> <td class="s9">4</td> <td class="none">0</td>',
  '&lt;b&gt;tall&lt;/b&gt; trees</th> <td class="o5">1</td> <td class="s7">3</td>',
  '75.0 % (30.1 to 95.4)',
  'fill="#ff0000"',
  'fill="#00aa00"',
];

const { raster: LAYER } = EXAMPLE_LAYERS;
const ITEM =
  '/api/v1/stac/sample_state/sample_district/sample_tehsil/items/sample_state_sample_district_sample_tehsil_sample_raster_2021/';

/** Test cases of comparing a published layer with labels. The pixels are read from a real GeoTIFF. */
export function validateCases(target: HttpTarget): void {
  describe('labels for a published layer', () => {
    const world = useValidation(target);
    const { at, get, newestTable, post, rows, tableNames } = world;

    defineCase(
      target,
      'of classes that are not in the legend fail with a message that lists the classes of the legend, but not the labels',
      async () => {
        const labels = collection([point('mangrove', [75.5, 40.5]), point('mangrove', [5.5, 20.5])]);
        const { status, body } = await post({ labels });
        expect([status, body['status']]).toEqual([400, 'failed']);
        expect(JSON.stringify(body)).toContain(
          'no class lists any of the labels; classes of the legend are built_up, trees',
        );
        expect(JSON.stringify(body)).not.toContain('mangrove');
        expect(await tableNames()).toEqual([]);
      },
    );

    defineCase(target, 'fail with the reason if they are outside of the layer, and nothing is published', async () => {
      const { status, body } = await post({ labels: collection([point('trees', [-5, -5]), point('trees', [-6, -5])]) });
      expect([status, body['status']]).toEqual([400, 'failed']);
      expect(JSON.stringify(body)).toContain(
        'no label could be compared (labels outside of the layer, at pixels without data, or too small to contain a pixel centre: 2)',
      );
      expect(await tableNames()).toEqual([]);
    });

    defineCase(target, 'give the figures that were computed by hand', async () => {
      const { status, body } = await post({});
      expect([status, body['stac_spec'], body['stac_items']]).toEqual([200, null, []]);
      const name = await newestTable();
      const href = `http://headwater.example${TABLES}${name}/`;
      expect(body['tables']).toMatchObject([{ name, row_count: 9, links: { json: href, csv: `${href}?format=csv` } }]);
      const run = await get(`/api/v1/runs/${String(body['run_id'])}/`);
      expect(run.body['tables']).toEqual(body['tables']);
      const page = await fetch(at(`/api/v1/runs/${String(body['run_id'])}/?format=html`), {
        headers: world.headers(),
      });
      expect(await page.text()).toContain(`href="${TABLES}${name}/"`);
      const figures = { samples: 8, overall_accuracy: 0.875, kappa: 0.75, unmapped_labels: 1, layer_nodata: 2 };
      expect(body['timings']).toMatchObject(figures);
      const log = await fetch(at(`/api/v1/runs/${String(body['run_id'])}/log/`), { headers: world.headers() });
      expect(await log.text()).toContain(
        'samples left out, because no class lists their label: 1; classes of the legend are',
      );
      const table = await rows();
      expect(table.get('overall')).toMatchObject({ claim: 'accuracy', design: 'points', samples: 8, kappa: 0.75 });
      const [built, trees] = [table.get('class:built_up'), table.get('class:trees')];
      expect(built).toMatchObject({ mapped: 4, reference: 5, agreed: 4, label_built_up: 4, label_trees: 0 });
      expect(trees).toMatchObject({ mapped: 4, reference: 3, label_built_up: 1, label_trees: 3, precision: 0.75 });
      // Two strata of equal size. Share of houses: 1/2 + 1/2 x 1/4; its variance: (1/2)^2 x (1/4 x 3/4) / 3.
      const area = 2 * Number(built?.['mapped_ha']);
      expect(Number(trees?.['mapped_ha'])).toBeCloseTo(area / 2, 6);
      expect(Number(built?.['reference_ha']) / area).toBeCloseTo(0.625, 6);
      expect(Number(built?.['reference_ha_standard_error']) / area).toBeCloseTo(0.125, 6);
      expect(table.get('left_out:unmapped_labels')).toMatchObject({ samples: 1 });
      expect(JSON.stringify([...table.values()])).not.toMatch(/Asha|mangrove|85\.0/);
    });

    defineCase(target, 'have a page with the figures, to which the Item and the run have links', async () => {
      const classes = LEGEND.classes.map((each, i) => ({ ...each, ...TITLED[i] }));
      const { body } = await post({ legend: { ...LEGEND, classes } });
      const path = `${TABLES}${await newestTable()}/`;
      const pageAt = async (of: string): Promise<string> =>
        (await fetch(at(of), { headers: { ...world.headers(), accept: 'text/html' } })).text();
      expect(await pageAt(`/api/v1/runs/${String(body['run_id'])}/`)).toContain(`"${path}"`);
      const [, newest] = /<h2>Accuracy<\/h2>[\s\S]*?<li><a href="([^"]*)">/.exec(await pageAt(ITEM)) ?? [];
      expect(newest).toBe(path);
      const page = (await pageAt(path)).replaceAll(/\s+/g, ' ');
      for (const text of VALIDATION_PAGE) expect(page).toContain(text);
      expect(page).not.toMatch(/mangrove|<b>tall/);
    });

    defineCase(
      target,
      'return the stored result if they are sent again; the run does not contain the labels',
      async () => {
        const first = await post({});
        expect(await post({})).toMatchObject({ status: 200, body: { run_id: first.body['run_id'], reused: true } });
        const run = await get(`/api/v1/runs/${String(first.body['run_id'])}/`);
        expect(run.body).toMatchObject({ params: { layer_name: LAYER.name, labels_sha256: expect.any(String) } });
        expect(JSON.stringify(run.body)).not.toMatch(/bulk|mangrove|Asha/);
        expect((await fetch(at(`/api/v1/runs/${String(first.body['run_id'])}/`))).status).toBe(401);
      },
    );

    defineCase(target, 'count as one sample per polygon, compared with the majority class of its pixels', async () => {
      const box = (label: string, ...[left, right]: readonly [number, number]): unknown => {
        const corners: readonly Position[] = [
          [left, 10],
          [right, 10],
          [right, 20],
          [left, 20],
        ];
        return feature(label, { type: 'Polygon', coordinates: [ring(corners)] });
      };
      const labels = collection([box('built_up', 30, 60), box('trees', 60, 70), box('trees', 80.6, 80.9)]);
      const { body } = await post({ labels });
      expect(body['timings']).toMatchObject({ samples: 2, overall_accuracy: 1, too_small: 1 });
      expect((await post({ labels, polygons: 'pixels' })).body['timings']).toMatchObject({
        samples: 400,
        overall_accuracy: 0.75,
      });
    });

    defineCase(target, 'do not replace earlier tables of the layer; the Item links each table', async () => {
      const before = await tableNames();
      const other = collection([point('trees', [60.5, 10.5]), point('built_up', [61.5, 10.5])]);
      await post({ labels: other });
      await post({ labels: other });
      const after = await tableNames();
      expect(after.slice(0, -1)).toEqual(before);
      expect(after).toHaveLength(before.length + 1);
      const item = await get(ITEM);
      for (const name of after) {
        const href = `http://headwater.example${TABLES}${name}/`;
        expect(item.body['assets']).toMatchObject({
          [`table_${name}`]: { href, type: 'application/json', roles: ['data'] },
          [`table_${name}_csv`]: { href: `${href}?format=csv`, type: 'text/csv' },
        });
      }
      expect(validateItem(item.body, 'headwater').filter(({ severity }) => severity === 'error')).toEqual([]);
      const page = await (await fetch(at(ITEM), { headers: { accept: 'text/html' } })).text();
      for (const name of after) expect(page).toContain(`${TABLES}${name}/?format=csv`);
      const buttons = page.match(/download="table_[^"]*"/g) ?? [];
      expect(buttons).toHaveLength(Math.min(3, after.length));
      expect(after.map((name) => `download="table_${name}.csv"`)).toEqual(expect.arrayContaining(buttons));
    });

    defineCase(target, 'have one table per version of the layer, with the number of the version', async () => {
      await post({});
      const earlier = await rows();
      const [names, judged] = [await tableNames(), Number(earlier.get('overall')?.['layer_version'])];
      await world.publishAgain();
      const { body } = await post({});
      expect(body['reused']).toBe(false);
      expect((await rows()).get('overall')).toMatchObject({ layer_version: judged + 1, kappa: 0.75 });
      expect((await rows()).get('overall')?.['layer_run_id']).not.toBe(earlier.get('overall')?.['layer_run_id']);
      const all = await tableNames();
      expect(all.slice(0, -1)).toEqual(names);
      expect((await get(`${TABLES}${names.at(-1) ?? ''}/`)).body).toMatchObject({
        rows: expect.arrayContaining([expect.objectContaining({ row: 'overall', layer_version: judged })]),
      });
      // The Item of the new version must not link tables of the old version.
      const assetsOf = Object.keys(Object((await get(ITEM)).body['assets'])).filter((key) =>
        key.startsWith('table_acc'),
      );
      expect(assetsOf).toEqual([`table_${all.at(-1) ?? ''}`, `table_${all.at(-1) ?? ''}_csv`]);
    });

    defineCase(target, 'are compared with the classes that the layer lists if no legend is sent', async () => {
      const { legend: _, ...body } = {
        ...BODY,
        labels: collection([point(1, [5.5, 5.5]), point('BUILT_UP', [6.5, 5.5])]),
      };
      const answer = await fetch(at(ROUTE), jsonInit(body, world.headers()));
      expect(await answer.json()).toMatchObject({ timings: { samples: 2, overall_accuracy: 1 } });
    });

    defineCase(target, 'count once if they have the same text and place; polygons may have holes', async () => {
      const twice = collection([
        ...Array.from({ length: 5 }, () => point('trees', [60.5, 10.5])),
        point(' Trees', [60.5, 10.5]),
        point('forest', [60.5, 10.5]),
        point('built_up', [1.5, 1.5]),
      ]);
      const { body } = await post({ labels: twice });
      expect(body['timings']).toMatchObject({ samples: 3, repeated: 5 });
      const square = (from: number, to: number): number[][] =>
        ring([
          [from, from],
          [to, from],
          [to, to],
          [from, to],
        ]);
      const holed = { type: 'Polygon', coordinates: [square(40, 60), square(45, 55).toReversed()] };
      const scored = await post({ labels: collection([feature('trees', holed)]), polygons: 'pixels' });
      expect(scored.body['timings']).toMatchObject({ samples: 300 });
    });

    for (const { name, change, field, message } of REFUSED) {
      defineCase(target, `are refused with the name of the field: ${name}`, async () => {
        const { status, body } = await post(change);
        const errors = body['errors'] as Readonly<Record<string, readonly string[]>> | undefined;
        expect([status, errors?.[field]?.join(' ')]).toEqual([400, expect.stringMatching(message)]);
      });
    }

    defineCase(target, 'are refused if the layer has no classes or is in a projected CRS', async () => {
      await publishUnsuitableLayers(world.service());
      for (const [name, , , message] of UNSUITABLE_LAYERS) {
        const { body } = await post({ layer_name: name, legend: name === 'bare' ? null : LEGEND });
        const errors = JSON.stringify(body['errors']);
        expect([name, body['status'], errors]).toEqual([name, 'error', expect.stringMatching(message)]);
        expect(errors).toMatch(
          name === 'bare' ? /^{"legend"/ : new RegExp(`^{"layer_name".*${LAYER.workspace}:${name}`),
        );
      }
    });

    defineCase(target, 'are refused if the layer is not published, or the body is too large', async () => {
      const missing = [{ name: `layer ${LAYER.workspace}:nowhere`, kind: 'layer' }];
      expect(await post({ layer_name: 'nowhere' })).toMatchObject({
        status: 409,
        body: {
          code: 'missing_layer',
          missing,
          error: expect.stringContaining(`Raster layers of this tehsil: ${LAYER.workspace}:`),
        },
      });
      expect(await post({ layer_name: LAYER.name.replace(/_tehsil$/, 'tehsil') })).toMatchObject({
        status: 409,
        body: { error: expect.stringContaining(`Did you mean ${LAYER.workspace}:${LAYER.name}`) },
      });
      const large = collection(Array.from({ length: 20_000 }, (_, i) => point('trees', [i % 100, 1])));
      expect((await post({ labels: large })).status).toBe(413);
    });

    defineCase(target, 'fail with a reason if they are a zigzag over the whole layer', async () => {
      const zigzag = ring(Array.from({ length: 10_000 }, (_, i): Position => [i / 100, i % 2 === 0 ? 0 : 100]));
      const labels = collection(
        ['trees', 'forest', 'built_up'].map((label) => feature(label, { type: 'Polygon', coordinates: [zigzag] })),
      );
      expect(await post({ labels })).toMatchObject({ body: { code: 'input_data', status: 'failed' } });
    });
  });
}
