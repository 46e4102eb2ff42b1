import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMemoryStores } from '../memory/stores.ts';
import type { PlaceStore } from '../ports/places.ts';
import { findPlace, type PlaceNames } from './find-place.ts';

const cachar: PlaceNames = { state: 'Assam', district: 'Cachar', block: 'Lakhipur' };

describe('findPlace', () => {
  let places: PlaceStore;
  beforeEach(async () => {
    places = createMemoryStores().places;
    const below = { geometry: null, mws: [], villages: [] };
    await places.saveBundle({ state: 'Assam', district: 'Cachar', tehsil: 'Lakhipur', ...below });
    await places.saveBundle({ state: 'Assam', district: 'Cachar', tehsil: 'Silchar', ...below });
    await places.saveBundle({ state: 'Dadra & Nagar Haveli', district: 'Ward 9 (North)', tehsil: "Ma'am", ...below });
  });

  it.each([
    cachar,
    { state: 'ASSAM', district: ' cachar ', block: 'lakhipur' },
    { state: 'assam', district: '_cachar', block: 'LAKHIPUR_' },
  ])('finds %j', async (names) => {
    const place = await findPlace(places, names);
    expect([place.state.name, place.district.name, place.tehsil.name]).toEqual(['Assam', 'Cachar', 'Lakhipur']);
  });

  it('finds every name of its own directory, digits, & and odd characters included', async () => {
    const names = { state: 'Dadra & Nagar Haveli', district: 'Ward 9 (North)', block: "Ma'am" };
    expect((await findPlace(places, names)).tehsil.name).toBe("Ma'am");
  });

  it('takes letters beyond a-z for what they are', async () => {
    await places.saveBundle({
      state: 'Assam',
      district: 'Cachar',
      tehsil: 'Lakhīpura',
      geometry: null,
      mws: [],
      villages: [],
    });
    for (const block of ['Lakhīpura', 'LAKHĪPURA_']) {
      expect((await findPlace(places, { ...cachar, block })).tehsil.name).toBe('Lakhīpura');
    }
    for (const names of [
      { block: 'Lakhipuré' },
      { block: 'Lakhipurजल' },
      { district: 'éCachar' },
      { state: 'Assam②' },
    ]) {
      await expect(findPlace(places, { ...cachar, ...names })).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it.each<[keyof PlaceNames, string]>([
    ['district', '../cachar'],
    ['district', '..cachar'],
    ['district', '.cachar'],
    ['state', "assam'"],
    ['state', '"Assam"'],
    ['block', 'lakhi\0pur'],
    ['block', 'lakhipur\n'],
    ['block', '<b>lakhipur</b>'],
    ['block', 'lakhipur\ud800'],
    ['state', 'a'.repeat(1000)],
    ['state', ''],
    ['state', '   '],
  ])('refuses %s %j although its slug may be known', async (field, text) => {
    await expect(findPlace(places, { ...cachar, [field]: text })).rejects.toMatchObject({
      code: 'validation',
      fields: { [field]: [expect.any(String)] },
    });
  });

  it('names the field and offers near names of that level', async () => {
    await expect(findPlace(places, { ...cachar, block: 'Lakipur' })).rejects.toMatchObject({
      code: 'not_found',
      message: 'block: "Lakipur" is not a known block in Cachar. Did you mean Lakhipur?',
      fields: { block: ['"Lakipur" is not a known block in Cachar. Did you mean Lakhipur?'] },
      details: { near: ['Lakhipur'] },
    });
    await expect(findPlace(places, { ...cachar, state: 'Kerala' })).rejects.toMatchObject({
      code: 'not_found',
      fields: { state: ['"Kerala" is not a known state. Known: Assam, Dadra & Nagar Haveli.'] },
    });
  });

  it('never fails otherwise, whatever the text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
        const error: unknown = await findPlace(places, { ...cachar, district: text }).catch(
          (thrown: unknown) => thrown,
        );
        if (text.trim().toLowerCase() === 'cachar') return;
        expect(error).toMatchObject({ code: expect.stringMatching(/^(validation|not_found)$/) });
        expect(error).toHaveProperty('fields.district');
      }),
    );
  });
});
