import * as fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { createMemoryDomainStores } from '../memory/stores.ts';
import type { PlaceStore } from '../ports/places.ts';
import { findPlace, type PlaceNames } from './find-place.ts';

const cachar: PlaceNames = { state: 'Assam', district: 'Cachar', tehsil: 'Lakhipur' };

describe('findPlace', () => {
  let places: PlaceStore;
  beforeEach(async () => {
    places = createMemoryDomainStores().places;
    const below = { geometry: null, mws: [], villages: [] };
    await places.saveBundle({ state: 'Assam', district: 'Cachar', tehsil: 'Lakhipur', ...below });
    await places.saveBundle({ state: 'Assam', district: 'Cachar', tehsil: 'Silchar', ...below });
    await places.saveBundle({ state: 'Dadra & Nagar Haveli', district: 'Ward 9 (North)', tehsil: "Ma'am", ...below });
  });

  it.each([
    cachar,
    { state: 'ASSAM', district: ' cachar ', tehsil: 'lakhipur' },
    { state: 'assam', district: '_cachar', tehsil: 'LAKHIPUR_' },
  ])('finds %j', async (names) => {
    const place = await findPlace(places, names);
    expect([place.state.name, place.district.name, place.tehsil.name]).toEqual(['Assam', 'Cachar', 'Lakhipur']);
  });

  it('finds names that contain digits, an ampersand, brackets or an apostrophe', async () => {
    const names = { state: 'Dadra & Nagar Haveli', district: 'Ward 9 (North)', tehsil: "Ma'am" };
    expect((await findPlace(places, names)).tehsil.name).toBe("Ma'am");
  });

  it('distinguishes letters beyond a-z', async () => {
    await places.saveBundle({
      state: 'Assam',
      district: 'Cachar',
      tehsil: 'Lakhīpura',
      geometry: null,
      mws: [],
      villages: [],
    });
    for (const tehsil of ['Lakhīpura', 'LAKHĪPURA_']) {
      expect((await findPlace(places, { ...cachar, tehsil })).tehsil.name).toBe('Lakhīpura');
    }
    for (const names of [
      { tehsil: 'Lakhipuré' },
      { tehsil: 'Lakhipurजल' },
      { district: 'éCachar' },
      { state: 'Assam②' },
    ]) {
      await expect(findPlace(places, { ...cachar, ...names })).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('finds a place if only its name in another script is given, at every level', async () => {
    const below = { geometry: null, mws: [], villages: [] };
    const [state, district] = ['Rajasthan (राजस्थान)', 'Jaypur (जयपुर)'];
    await places.saveBundle({ state, district, tehsil: 'Rampur 2 (रामपुर २)', ...below });
    await places.saveBundle({ state, district, tehsil: 'Rampur East (रामपुर)', ...below });
    await places.saveBundle({ state, district, tehsil: 'Rampur West (रामपुर)', ...below });
    const hindi = { state: 'राजस्थान', district: ' जयपुर ', tehsil: 'रामपुर २' };
    expect((await findPlace(places, hindi)).tehsil.name).toBe('Rampur 2 (रामपुर २)');
    // Two tehsils have this name.
    await expect(findPlace(places, { ...hindi, tehsil: 'रामपुर' })).rejects.toMatchObject({
      code: 'not_found',
      details: { near: ['Rampur East (रामपुर)', 'Rampur West (रामपुर)'] },
    });
    await expect(findPlace(places, { ...hindi, tehsil: 'रामपु' })).rejects.toMatchObject({ code: 'not_found' });
  });

  it('finds a place that was stored with only a Latin name, if its name in another script is given', async () => {
    const below = { geometry: null, mws: [], villages: [] };
    await places.saveBundle({ state: 'Himachal Pradesh', district: 'Mandi', tehsil: 'Karsog', ...below });
    await places.saveBundle({
      state: 'Himachal Pradesh (हिमाचल प्रदेश)',
      district: 'Mandi (मंडी)',
      tehsil: 'Jogindarnagar (जोगिंदरनगर)',
      ...below,
    });
    const hindi = { state: 'हिमाचल प्रदेश', district: 'मंडी', tehsil: 'जोगिंदरनगर' };
    const { state, district, tehsil } = await findPlace(places, hindi);
    expect([state.name, district.name, tehsil.name]).toEqual([
      'Himachal Pradesh',
      'Mandi',
      'Jogindarnagar (जोगिंदरनगर)',
    ]);
    await expect(findPlace(places, { ...hindi, tehsil: 'जोगिन्दरनगर' })).rejects.toMatchObject({
      code: 'not_found',
      details: { near: ['Jogindarnagar (जोगिंदरनगर)'] },
    });
  });

  it.each<[keyof PlaceNames, string]>([
    ['district', '../cachar'],
    ['district', '..cachar'],
    ['district', '.cachar'],
    ['state', "assam'"],
    ['state', '"Assam"'],
    ['tehsil', 'lakhi\0pur'],
    ['tehsil', 'lakhipur\n'],
    ['tehsil', '<b>lakhipur</b>'],
    ['tehsil', 'lakhipur\ud800'],
    ['state', 'a'.repeat(1000)],
    ['state', ''],
    ['state', '   '],
  ])('refuses %s %j, even if a place has this slug', async (field, text) => {
    await expect(findPlace(places, { ...cachar, [field]: text })).rejects.toMatchObject({
      code: 'validation',
      fields: { [field]: [{ rule: expect.any(String), message: expect.any(String) }] },
    });
  });

  it('reports the broken rule with its limit', async () => {
    const rule = (state: string) =>
      findPlace(places, { ...cachar, state }).catch((error: { fields: unknown }) => error.fields);
    expect(await rule(' ')).toMatchObject({ state: [{ rule: 'blank' }] });
    expect(await rule('a'.repeat(201))).toMatchObject({ state: [{ rule: 'too_long', limit: 200 }] });
    expect(await rule('lakhi\0pur')).toMatchObject({ state: [{ rule: 'not_text' }] });
  });

  it('the error for an unknown name has the level and similar names of this level', async () => {
    const message = '"Lakipur" is not a known tehsil in Cachar.';
    await expect(findPlace(places, { ...cachar, tehsil: ' Lakipur' })).rejects.toMatchObject({
      code: 'not_found',
      message: `tehsil: ${message}`,
      fields: { tehsil: [{ rule: 'unknown', message }] },
      details: { kind: 'place', level: 'tehsil', name: 'Lakipur', within: 'Cachar', near: ['Lakhipur'] },
    });
  });

  it('lists the known names if none is similar', async () => {
    const details = {
      kind: 'place',
      level: 'state',
      name: 'Kerala',
      near: [],
      known: ['Assam', 'Dadra & Nagar Haveli'],
    };
    const error: unknown = await findPlace(places, { ...cachar, state: 'Kerala' }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'not_found', fields: { state: [{ rule: 'unknown' }] } });
    expect(error).toHaveProperty('details', details);
  });

  it('throws only errors with the code validation or not_found, for any text', async () => {
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
