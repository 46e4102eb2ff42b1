import { beforeEach, expect, it } from 'vitest';
import { createMemoryDomainStores } from '../memory/stores.ts';
import type { DomainStores } from '../ports/stores.ts';
import { findPlace } from './find-place.ts';
import { findTehsil } from './find-tehsil.ts';

const cachar = { state: 'Assam', district: 'Cachar', tehsil: 'Lakhipur' };
const hindi = { state: 'Rajasthan (राजस्थान)', district: "Ma'am", tehsil: 'Lakhīpura' };
let stores: DomainStores;

beforeEach(async () => {
  stores = createMemoryDomainStores();
  const below = { geometry: null, mws: [], villages: [] };
  for (const names of [cachar, hindi]) await stores.places.saveBundle({ ...names, ...below });
});

it.each([
  { ...cachar },
  { state: 'ASSAM', district: ' cachar ', tehsil: '_lakhipur_' },
  { ...hindi },
  { ...hindi, state: 'राजस्थान' },
  { ...hindi, district: 'Maam' },
])('findTehsil finds the same tehsil as findPlace for %j', async (names) => {
  const { state, district, tehsil } = await findPlace(stores.places, names);
  const found = { tehsilId: tehsil.id, state: state.name, district: district.name, tehsil: tehsil.name };
  expect(await findTehsil(stores, names)).toEqual(found);
});

it.each([
  { ...cachar, tehsil: '../lakhipur' },
  { ...cachar, state: "assam'" },
  { ...cachar, district: 'cachar\0' },
  { ...cachar, tehsil: '.lakhipur' },
  { ...cachar, tehsil: 'Lakhipuré' },
  { ...cachar, tehsil: 'Silchar' },
  { ...cachar, state: '  ' },
  { ...cachar, tehsil: `lakhipur${'_'.repeat(300)}` },
])('findTehsil refuses %j with the same error as findPlace, even if a place has these slugs', async (names) => {
  const outcome = async (find: () => Promise<unknown>): Promise<unknown> =>
    await find().catch((error: unknown) => Object(error) as object);
  const refused = await outcome(() => findTehsil(stores, names));
  expect(refused).toMatchObject({ code: expect.stringMatching(/^(validation|not_found)$/) });
  expect(refused).toEqual(await outcome(() => findPlace(stores.places, names)));
});
