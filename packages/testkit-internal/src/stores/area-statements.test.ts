import { createPipelineRegistry, createRunService, createRunSignals } from '@headwater/core/runs';
import { parseConnection } from '@headwater/postgres';
import { newUser } from '@headwater/testkit/stores';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { type DatabaseHarness, embeddedHarness, postgresHarness } from './harness.ts';

const address = process.env['HEADWATER_TEST_PG'] ?? '';
const SIZES = [2, 400];

let harness: DatabaseHarness;
beforeAll(async () => {
  harness = await (address === '' ? embeddedHarness() : postgresHarness(parseConnection(address)));
});
afterAll(() => harness.stop());

const stateOf = (tehsils: number, index: number): string => `
  insert into headwater.states (name, slug) values ('a${index}', 'a${index}');
  insert into headwater.districts (state_id, name, slug)
    select s.id, 'd' || n, 'd' || n from headwater.states s, generate_series(1, ${Math.ceil(tehsils / 5)}) n
    where s.slug = 'a${index}';
  insert into headwater.tehsils (district_id, name, slug, geometry)
    select d.id, 't' || n, 't' || n, ST_MakeEnvelope(80 + n / 1e4, 20, 80.1 + n / 1e4, 20.1, 4326)
    from generate_series(0, ${tehsils - 1}) n
    join headwater.districts d on d.name = 'd' || (n / 5 + 1) join headwater.states s on s.id = d.state_id
    where s.slug = 'a${index}';`;

const request = z.object({ state: z.string(), district: z.string(), tehsil: z.string() });
const pipeline = {
  name: 'tiles',
  route: 'tiles',
  aliases: [],
  summary: 'Tiles',
  examples: [],
  messages: { initiated: '', finished: '' },
  request,
  params: request,
  steps: [{ name: 'work', weight: 1 }],
  resolve: async (names: z.infer<typeof request>) => names,
  fingerprint: (names: z.infer<typeof request>) => JSON.stringify(names),
  execute: async () => ({ items: [], layers: [], timings: {} }),
};

it('a run over a state takes as many statements for 400 tehsils as for two, and reads no boundary', async () => {
  const stores = await harness.fresh();
  for (const [index, tehsils] of SIZES.entries()) await harness.run(stateOf(tehsils, index));
  const service = createRunService({
    stores,
    signals: createRunSignals(),
    clock: { now: () => new Date() },
    pipelines: createPipelineRegistry([pipeline]),
    earthObservation: { search: async () => ({ scenes: [], rejected: [] }) },
  });
  const { id } = await stores.users.create(newUser('ravi'));
  const principal = { user: { id, isSuperuser: false } };
  const counts: number[] = [];
  for (const [index, tehsils] of SIZES.entries()) {
    const statements = await harness.statementsOf(async () => {
      const area = { scope: 'state', state: `a${index}` } as const;
      const { run } = await service.startScope(principal, { pipeline, area, request: {}, options: {} });
      const parts = await service.parts(principal, run.id);
      expect(parts).toHaveLength(tehsils);
      expect(parts.every(({ work }) => work > 100 && work < 125)).toBe(true);
      expect(await stores.places.namesOf(parts.map(({ tehsilId }) => tehsilId))).toHaveLength(tehsils);
    });
    expect(statements.filter((text) => /ST_AsGeoJSON/i.test(text))).toEqual([]);
    expect(statements.join('\n')).toContain('ST_XMin');
    counts.push(statements.length);
  }
  expect(counts[1]).toBe(counts[0]);
});
