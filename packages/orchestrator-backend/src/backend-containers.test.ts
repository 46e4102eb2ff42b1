import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, bench, dag, item } from './bench.fixture.ts';

let world: Bench;
afterEach(() => world.stop());

describe('a container', () => {
  const marked = (value: unknown): string => `===RESULT_JSON_START===\n${JSON.stringify(value)}\n===RESULT_JSON_END===`;
  it.each([
    ['an Item', item('a')],
    ['stac_spec', { status: 'success', stac_spec: item('a') }],
    ['stac_items', { status: 'success', asset_id: 'a', stac_items: [item('a')], stac_spec: item('a') }],
    ['text with markers', `noise\n${marked(item('a'))}\nnoise`],
  ])('gives its result as %s', async (_name, returned) => {
    world = bench(dag(() => returned));
    const id = await world.start();
    world.server().start();
    expect(await world.ended(id)).toMatchObject({ state: 'success', itemIds: ['a'], publishedBy: null });
    expect(await world.stores.catalog.item('jharkhand/west_singhbhum/chaibasa', 'a')).toMatchObject({ runId: id });
  });

  it('gives its result by what it prints', async () => {
    world = bench(
      dag(({ print }) => {
        for (const line of marked({ stac_spec: item('a') }).split('\n')) print(line);
        return null;
      }),
    );
    const id = await world.start();
    world.server().start();
    expect(await world.ended(id)).toMatchObject({ state: 'success', itemIds: ['a'] });
  });

  it.each([
    ['nothing', null, /no task of it returned or printed anything/],
    ['no Item', { status: 'success' }, /no STAC Item.*its status is "success"/],
    ['a broken Item', { stac_spec: item('broken') }, /rule assets.data at \/assets/],
    ['an Item of another place', item('a', { collection: 'elsewhere' }), /names the collection "elsewhere"/],
    ['two blocks', `${marked(item('a'))}${marked(item('b'))}`, /more than one block/],
    ['half a block', '===RESULT_JSON_START===\n{', /stopped while it printed/],
    ['a list', [1], /returned no object/],
  ])('that gives %s is no success', async (_name, returned, problem) => {
    world = bench(dag(() => returned));
    const id = await world.start();
    world.server().start();
    expect((await world.ended(id)).error).toMatchObject({
      code: 'upstream_failed',
      message: expect.stringMatching(/ended as a success without a valid STAC output/),
    });
    expect((await world.runs.get(id))?.error?.message).toMatch(problem);
    expect(await world.stores.catalog.collections()).toEqual([]);
  });
});
