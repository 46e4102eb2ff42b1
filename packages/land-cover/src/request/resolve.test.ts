import { describe, expect, it } from 'vitest';
import type { CallerAccounts } from '@headwater/core';
import { directory, PLACE, REMEDIES, NOTHING_PUBLISHED } from '../pipeline.fixture.ts';
import type { LulcRequest } from './request.ts';
import { resolveLulc } from './resolve.ts';

const REQUEST: LulcRequest = {
  state: 'nadi_pradesh',
  district: 'East  Nadi',
  tehsil: 'JAL & GAON',
  startYear: 2020,
  endYear: 2022,
  eoAccountId: 1,
};

const accounts: CallerAccounts = {
  byId: (id) =>
    Promise.resolve(
      id > 4
        ? undefined
        : {
            id,
            name: 'embedded',
            accountEmail: null,
            serviceAccountEmail: null,
            platform: id === 4 ? 'earth_engine' : 'local',
            isVisible: id !== 2,
            isActive: id !== 3,
            visibleTo: 'all',
            ownerId: null,
            organizationId: null,
            hasKey: false,
            exhaustedUntil: null,
          },
    ),
};

const resolve = (change: Partial<LulcRequest> = {}, places = directory(), now = '2025-01-01') =>
  resolveLulc(
    { ...REQUEST, ...change },
    { places, eoAccounts: accounts, published: NOTHING_PUBLISHED, remedies: REMEDIES, now: () => new Date(now) },
  );

describe('resolveLulc', () => {
  it('finds the place by other spellings of its names', async () =>
    expect(await resolve()).toEqual({ tehsilId: 3, startYear: 2020, endYear: 2022, eoAccountId: 1 }));

  it.each(['state', 'district', 'tehsil'] as const)('throws an error that names an unknown %s', (field) =>
    expect(resolve({ [field]: 'Nowhere' })).rejects.toMatchObject({
      code: 'not_found',
      fields: { [field]: [{ message: expect.stringContaining('Nowhere') }] },
    }),
  );

  it.each(['../nadi_pradesh', "nadi' or 1=1", 'nadi\u0000pradesh'])('does not find a place by %j', (state) =>
    expect(resolve({ state })).rejects.toMatchObject({ fields: { state: expect.anything() } }),
  );

  it.each([
    [{ startYear: 2015 }, 'startYear', 'Sentinel-2 covers'],
    [{ endYear: 2024 }, 'endYear', 'is not over yet; the last complete year is 2023'],
    [{ startYear: 2022, endYear: 2021 }, 'startYear', 'exchange them'],
    [{ eoAccountId: 2 }, 'eoAccountId', 'does not exist'],
    [{ eoAccountId: 9 }, 'eoAccountId', 'does not exist'],
    [{ eoAccountId: 3 }, 'eoAccountId', 'account 3 (embedded) is disabled'],
    [{ eoAccountId: 4 }, 'eoAccountId', 'account 4 (embedded) belongs to the platform earth_engine'],
  ])('rejects %j with an error that names %s', (change, field, text) =>
    expect(resolve(change)).rejects.toMatchObject({
      code: 'validation',
      fields: { [field]: [{ message: expect.stringContaining(text) }] },
    }),
  );

  it('accepts a hydrological year as soon as it is over', async () => {
    const change = { startYear: 2024, endYear: 2024 };
    await expect(resolve(change, directory(), '2025-06-30T23:59:59Z')).rejects.toMatchObject({ code: 'validation' });
    expect(await resolve(change, directory(), '2025-07-01T00:00:00Z')).toMatchObject({ startYear: 2024 });
  });

  it('rejects a tehsil if its joined names (state, district, tehsil) equal the joined names of another tehsil; the error names both tehsils', async () => {
    const twin = { tehsilId: 9, state: 'Nadi', district: 'Pradesh East Nadi', tehsil: 'Jal Gaon' };
    const both = directory({ namesakesOf: () => Promise.resolve([twin]) });
    await expect(resolve({}, both)).rejects.toMatchObject({
      code: 'validation',
      message: expect.stringMatching(/Jal & Gaon.*Pradesh East Nadi.*"nadi_pradesh_east_nadi_jal_gaon".*rename/),
      fields: { tehsil: [expect.anything()] },
    });
    const namesake = { tehsilId: 9, state: 'Elsewhere', district: 'East Nadi', tehsil: 'Jal Gaon' };
    expect(await resolve({}, directory({ namesakesOf: () => Promise.resolve([namesake]) }))).toMatchObject({
      tehsilId: 3,
    });
  });

  it('throws an error with the remedy for a tehsil without a boundary, and accepts a tehsil without micro-watersheds', async () => {
    const bare = directory({ findTehsil: () => Promise.resolve({ ...PLACE.tehsil, geometry: null }) });
    await expect(resolve({}, bare)).rejects.toMatchObject({
      code: 'validation',
      message: expect.stringMatching(/no boundary.*ask your operator/),
    });
    const dry = directory({ mwsOf: () => Promise.resolve([]) });
    expect(await resolve({}, dry)).toMatchObject({ tehsilId: 3 });
  });
});
