import { DomainError } from '@headwater/core';
import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, bench, CALLS_BACK, DAG_ID, item, SERVICE } from './bench.fixture.ts';

let world: Bench;
afterEach(() => world.stop());

const returning = (href: unknown) => {
  const returnedItem = item('a', { assets: { data: { href } } });
  return { dags: [{ ...CALLS_BACK, tasks: [{ id: 'execute', run: () => ({ stac_items: [returnedItem] }) }] }] };
};
const requested: string[] = [];
const reach = async (href: string): Promise<number> => {
  requested.push(href);
  const { hostname } = new URL(href);
  if (hostname === 'hidden.test') throw new DomainError('input_data', 'its host lies in a private network');
  if (hostname === 'silent.test') throw new Error('read ECONNRESET');
  return Number(hostname.split('.')[0]?.slice(1));
};
const published = () => world.stores.catalog.item('jharkhand/west_singhbhum/chaibasa', 'a');

describe('the files of Items that a container returned', () => {
  it.each([
    [`${SERVICE}/api/v1/assets/run/1/map.tif`],
    ['https://s200.test/map.tif'],
    ['https://s206.test/map.tif?signature=secret'],
  ])(
    'can be fetched at %s: the Item is published, and the log names the parts that are not published',
    async (href) => {
      world = bench(returning(href));
      const id = await world.start();
      world.server({ reach }).start();
      expect(await world.ended(id)).toMatchObject({ state: 'success', itemIds: ['a'] });
      expect(await published()).toMatchObject({ runId: id });
      const lines = (await world.runs.events(id, 0, 99)).map(({ data }) => data['message']);
      expect(lines).toContainEqual(expect.stringMatching(/their layers and tables are not published/));
    },
  );

  it.each([
    [`${SERVICE}/api/v1/assets/run/1/gone`, /an address of this service, which returns 404 for it/],
    ['https://s404.test/map.tif?signature=secret', /https:\/\/s404.test\/map.tif returns 404/],
    ['https://s503.test/map.tif', /returns 503/],
    ['https://silent.test/map.tif', /does not respond \(read ECONNRESET\)/],
    ['https://hidden.test/map.tif', /may not be requested \(its host lies in a private network\)/],
    ['file:///data/assets/map.tif', /is not an http or https address/],
    ['/data/assets/map.tif', /is not an http or https address/],
  ])('cannot be fetched at %s: the run fails with a remedy and publishes nothing', async (href, problem) => {
    world = bench(returning(href));
    const id = await world.start();
    world.server({ reach }).start();
    const { state, error } = await world.ended(id);
    expect([state, error?.code]).toEqual(['failed', 'upstream_failed']);
    expect(error?.message).toMatch(problem);
    expect(error?.message).toMatch(
      /task execute: asset data of Item a cannot be fetched: .*mount the service's data folder, and connect/,
    );
    expect(error?.message).not.toContain('secret');
    expect(await published()).toBeUndefined();
    expect(world.fake.runsOf(DAG_ID)).toHaveLength(1);
  });

  it('are requested again after transient errors only', async () => {
    requested.length = 0;
    for (const host of ['s503', 's403', 'hidden', 'silent']) {
      world = bench(returning(`https://${host}.test/map.tif`));
      const id = await world.start();
      world.server({ reach }).start();
      await world.ended(id);
      await world.stop();
    }
    const hosts = requested.map((href) => new URL(href).hostname.split('.')[0]);
    expect(hosts.join(' ')).toBe('s503 s503 s503 s403 hidden silent silent silent');
  });
});
