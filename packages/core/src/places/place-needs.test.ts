import { expect, it } from 'vitest';
import { createMemoryDomainStores } from '../memory/stores.ts';
import { isNeeded, placeNeeds } from './place-needs.ts';

it('placeNeeds finds an open run of a tehsil, even if a thousand other runs are queued', async () => {
  const stores = createMemoryDomainStores();
  const enqueue = async (id: string, tehsilId: number): Promise<void> =>
    void (await stores.runs.enqueue({ id, pipeline: 'p', params: { tehsilId }, fingerprint: id, ownerId: 1 }));
  for (let run = 0; run < 1001; run++) await enqueue(`other ${run}`, 2);
  const needs = async () =>
    await placeNeeds({ tehsilId: 1, state: 'State', district: 'District', tehsil: 'Tehsil' }, stores);
  expect(isNeeded(await needs())).toBe(false);
  await enqueue('own', 1);
  expect(await needs()).toEqual({ layers: 0, hasData: false, hasItems: false, hasOpenRuns: true });
});
