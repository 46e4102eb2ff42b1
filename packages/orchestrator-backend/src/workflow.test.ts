import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, bench, DAG_ID, SERVICE } from './bench.fixture.ts';

let world: Bench;
afterEach(() => world.stop());

describe('the workflow as a caller runs it', () => {
  it.each([
    ['the service’s own address in place of the one that the caller names', SERVICE, { api_base: SERVICE, year: 2021 }],
    ['no address where the service has none', undefined, { year: 2021 }],
  ])('gets %s', async (_name, serviceApiBase, conf) => {
    world = bench();
    const { workflow } = world.server(serviceApiBase === undefined ? {} : { serviceApiBase });
    await workflow?.run({ api_base: 'http://stranger.test', year: 2021 });
    expect(world.fake.runsOf(DAG_ID)).toMatchObject([{ conf }]);
    expect(JSON.stringify(world.fake.runsOf(DAG_ID)[0]?.conf)).not.toContain('stranger');
  });

  it.each(['~', '.', '..', 'a/b', 'a\\b'])('refuses %j, which no run can be called', async (id) => {
    world = bench();
    const asked = world.server().workflow?.status(id);
    await expect(asked).rejects.toMatchObject({ code: 'validation', fields: { runId: [expect.anything()] } });
    await expect(asked).rejects.toThrow(/^runId: "/);
  });

  it('gets nothing that the caller did not send', async () => {
    world = bench();
    await world.server({ serviceApiBase: SERVICE }).workflow?.run({ year: 2021 });
    expect(world.fake.runsOf(DAG_ID)[0]?.conf).toEqual({ year: 2021 });
  });
});
