import { createMemoryStores } from '@headwater/identity/memory';
import { expect, it } from 'vitest';
import { createHeadwater } from '../../../headwater.ts';
import { createScryptHasher } from '../../accounts/scrypt-hasher.ts';
import { createTehsilOutlines } from '../../reports/tehsil-outlines.ts';
import { placesResource } from './places.ts';

it('does not remove a tehsil for which a run is queued between the check and the removal', async () => {
  const stores = createMemoryStores();
  const names = { state: 'State', district: 'District', tehsil: 'Tehsil' };
  const { tehsil } = await stores.places.saveBundle({ ...names, geometry: null, mws: [], villages: [] });
  const params = { tehsilId: tehsil.id };
  const hasOpenRuns = async (id: number): Promise<boolean> => {
    const isOpen = await stores.runs.hasOpenRuns(id);
    await stores.runs.enqueue({ id: 'late', pipeline: 'p', params, fingerprint: 'late', ownerId: 1 });
    return isOpen;
  };
  const baseUrl = 'http://headwater.example';
  const hasher = createScryptHasher({ N: 1024, r: 8, p: 1 });
  const { accounts, close } = createHeadwater({ baseUrl, secret: 's3cret '.repeat(5), stores, identity: { hasher } });
  const { actions = [] } = placesResource({
    baseUrl,
    outlines: createTehsilOutlines(stores),
    stores: { ...stores, runs: { ...stores.runs, hasOpenRuns } },
  });
  const removal = actions.find(({ name }) => name === 'remove');
  const user = await accounts.createSuperuser({ username: 'chief', password: 'tall-river-42' });
  const caller = { principal: { kind: 'user', user }, language: 'en', prefix: '', remoteAddress: undefined } as const;
  await expect(removal?.run(`tehsil-${tehsil.id}`, caller, {})).rejects.toMatchObject({ code: 'conflict' });
  expect(await stores.places.placeOfTehsil(tehsil.id)).toBeDefined();
  await close();
});
