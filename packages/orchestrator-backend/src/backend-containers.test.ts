import { DomainError } from '@headwater/core';
import type { FakeDag } from '@headwater/orchestrator-client/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, bench, CALLS_BACK, dag, item, SERVICE } from './bench.fixture.ts';

let world: Bench;
/** Creates a task that prints these texts and returns null. */
const printing =
  (...texts: readonly string[]): FakeDag['tasks'][number]['run'] =>
  ({ print }) => {
    for (const line of texts.flatMap((text) => text.split('\n'))) print(line);
    return null;
  };

afterEach(() => world.stop());

describe.each(['2.10.3', '3.0.6'])('a container of Airflow %s', (version) => {
  const marked = (value: unknown): string =>
    `===RESULT_JSON_START===\n${JSON.stringify(value)}\n===RESULT_JSON_END===\n`;
  it.each([
    ['an Item', item('a')],
    ['stac_spec', { status: 'success', stac_spec: item('a') }],
    ['stac_items', { status: 'success', asset_id: 'a', stac_items: [item('a')], stac_spec: item('a') }],
    ['text with markers', `noise\n${marked(item('a'))}\nnoise`],
  ])('returns its result as %s', async (_name, returned) => {
    world = bench({ version, ...dag(() => returned) });
    const id = await world.start();
    world.server().start();
    expect(await world.ended(id)).toMatchObject({ state: 'success', itemIds: ['a'], publishedBy: null });
    expect(await world.stores.catalog.item('jharkhand/west_singhbhum/chaibasa', 'a')).toMatchObject({ runId: id });
  });

  it('may repeat the members of its first Item at the top level of its result; all Items are published', async () => {
    const items = [item('a'), item('b')];
    const result = { ...item('a'), status: 'success', asset_ids: ['a', 'b'], stac_spec: item('a'), stac_items: items };
    world = bench({ version, ...dag(printing(marked(result))) });
    const id = await world.start();
    world.server().start();
    expect(await world.ended(id)).toMatchObject({ state: 'success', itemIds: ['a', 'b'] });
    const published = await world.stores.catalog.item('jharkhand/west_singhbhum/chaibasa', 'a');
    expect(published?.item).not.toHaveProperty('asset_ids');
  });

  it('may name its Collection by the name of the tehsil and link to another catalogue; this service publishes the Item in its own catalogue', async () => {
    const links = [
      { rel: 'root', href: '../../catalog.json' },
      { rel: 'collection', href: '../collection.json' },
      { rel: 'parent', href: '../collection.json' },
      { rel: 'self', href: 'https://elsewhere.test/a.json' },
      { rel: 'derived_from', href: 'https://elsewhere.test/scene.json' },
    ];
    world = bench({ version, ...dag(() => item('a', { collection: 'Chaibasa', links })) });
    const id = await world.start();
    world.server().start();
    expect(await world.ended(id)).toMatchObject({ state: 'success', itemIds: ['a'] });
    const published = await world.stores.catalog.item('jharkhand/west_singhbhum/chaibasa', 'a');
    const collection = `${SERVICE}/stac/jharkhand/west_singhbhum/chaibasa/`;
    expect(published?.item).toMatchObject({
      collection: 'jharkhand_west_singhbhum_chaibasa',
      links: [
        { rel: 'root', href: `${SERVICE}/stac/`, type: 'application/json', title: expect.any(String) },
        { rel: 'collection', href: collection, type: 'application/json', title: 'Chaibasa' },
        { rel: 'parent', href: collection, type: 'application/json', title: 'Chaibasa' },
        { rel: 'self', href: `${collection}items/a/`, type: 'application/geo+json', title: 'a' },
        { rel: 'derived_from', href: 'https://elsewhere.test/scene.json' },
      ],
    });
  });

  it('may print its result', async () => {
    world = bench({ version, ...dag(printing(marked({ stac_spec: item('a') }))) });
    const id = await world.start();
    world.server().start();
    expect(await world.ended(id)).toMatchObject({ state: 'success', itemIds: ['a'] });
  });

  it.each([
    ['in a large block', [marked({ stac_spec: item('a', { x: 'y'.repeat(3 * 2 ** 20) }) })]],
    ['before much other output', [marked({ stac_spec: item('a') }), 'cleaning up\n'.repeat(200_000)]],
    [
      'after a log line with the command that prints the result',
      ["Running command: print('===RESULT_JSON_START===')", marked(item('a'))],
    ],
  ])('may print its result %s', async (_name, texts) => {
    world = bench({ version, ...dag(printing(...texts)) });
    const id = await world.start();
    world.server().start();
    expect(await world.ended(id)).toMatchObject({ state: 'success', itemIds: ['a'] });
  });

  it.each([
    ['returned', /later\/xcomEntries/],
    ['printed', /later\/(xcomEntries|logs)/],
  ])('succeeds even if an output that another task %s cannot be read', async (_name, path) => {
    const make: FakeDag['tasks'][number] = { id: 'make', run: printing(marked(item('a'))) };
    const later: FakeDag['tasks'][number] = { id: 'later', run: () => 1 };
    world = bench({ version, dags: [{ ...CALLS_BACK, tasks: [make, later] }] });
    world.fake.fault = (request) => (path.test(request.path) ? { kind: 'status', status: 500 } : undefined);
    const id = await world.start();
    world.server().start();
    expect(await world.ended(id)).toMatchObject({ state: 'success', itemIds: ['a'] });
  });

  it('fails if it has no result; the error names the task with the unreadable output', async () => {
    world = bench({ version, ...dag(() => null) });
    world.fake.fault = ({ path }) => (path.endsWith('/logs/1') ? { kind: 'status', status: 403 } : undefined);
    const id = await world.start();
    world.server().start();
    const { error } = await world.ended(id);
    expect(error).toMatchObject({ code: 'upstream_failed', message: expect.stringMatching(/task execute: .*403/) });
  });

  it('fails with an upstream error if the store refuses its Items', async () => {
    world = bench({ version, ...dag(() => item('a')) });
    const id = await world.start();
    const refuse = async (): Promise<never> => {
      throw new DomainError('validation', 'The database cannot store a value (PostgreSQL code 22008)');
    };
    world.server({ view: (runs) => ({ ...runs, publish: refuse }) }).start();
    expect((await world.ended(id)).error).toMatchObject({
      code: 'upstream_failed',
      message: expect.stringMatching(
        /without a valid STAC output: its Items cannot be stored \(.*22008\)\)\. Correct the workflow, then start the run again\.$/,
      ),
    });
  });

  it.each([
    ['nothing', null, /none of its tasks returned or printed anything/],
    ['no Item', { status: 'success' }, /no STAC Item.*its status is "success"/],
    ['a broken Item', { stac_spec: item('broken') }, /rule assets.data at \/assets/],
    ['an Item of another place', item('a', { collection: 'elsewhere' }), /names the collection "elsewhere"/],
    ['an Item with the status failed', { status: 'failed', stac_items: [item('a')] }, /reports a failure.*"failed"/],
    ['one Item twice', { stac_items: [item('a'), item('b'), item('a')] }, /two of its Items have the id "a"/],
    ['two blocks', `${marked(item('a'))}${marked(item('b'))}`, /more than one result between markers/],
    ['an incomplete block', '===RESULT_JSON_START===\n{', /stopped while it printed/],
    ['a list', [1], /returned a value that is not an object/],
  ])('fails if it returns %s', async (_name, returned, problem) => {
    world = bench({ version, ...dag(() => returned) });
    const id = await world.start();
    world.server().start();
    expect((await world.ended(id)).error).toMatchObject({
      code: 'upstream_failed',
      message: expect.stringMatching(/succeeded without a valid STAC output/),
    });
    expect((await world.runs.get(id))?.error?.message).toMatch(problem);
    expect(await world.stores.catalog.collections()).toEqual([]);
  });
});
