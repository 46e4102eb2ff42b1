import { describe, expect, it } from 'vitest';
import { collectionId, collectionPath, itemId } from './item-id.ts';

describe('itemId', () => {
  const parts = { state: 'Nadi Pradesh', district: 'Jheel', block: 'Pahari', layer: 'land_use_land_cover_raster' };

  it('joins place, layer and year', () => {
    expect(itemId(parts)).toBe('nadi_pradesh_jheel_pahari_land_use_land_cover_raster');
    expect(itemId({ ...parts, year: 2023 })).toBe('nadi_pradesh_jheel_pahari_land_use_land_cover_raster_2023');
  });

  it.each([0, 999, 10_000, 2023.5, NaN])('refuses the year %d', (year) => {
    expect(() => itemId({ ...parts, year })).toThrow('four digits');
  });
});

describe('collectionPath', () => {
  it('has one level for each name of the place', () => {
    expect(collectionPath('Nadi Pradesh')).toBe('nadi_pradesh');
    expect(collectionPath('Nadi Pradesh', 'Jheel')).toBe('nadi_pradesh/jheel');
    expect(collectionPath('Nadi Pradesh', 'Jheel', 'Pahari')).toBe('nadi_pradesh/jheel/pahari');
    expect(() => collectionPath('Nadi Pradesh', undefined, 'Pahari')).toThrow('without its district');
  });

  it('cannot lead out of its folder', () => {
    expect(() => collectionPath('..', '..')).toThrow('slug');
    expect(collectionPath('../a', 'b/../c')).toBe('..a/b..c');
  });
});

describe('collectionId', () => {
  it('joins the levels of a path, so that a tehsil and its district of the same name have different ids', () => {
    const paths = ['bihar', 'bihar/gaya', 'bihar/gaya/gaya', 'odisha/gaya/gaya'];
    expect(paths.map(collectionId)).toEqual(['bihar', 'bihar_gaya', 'bihar_gaya_gaya', 'odisha_gaya_gaya']);
    expect(collectionId('punjab/s.a.s._nagar/dera__bassi')).toBe('punjab_s.a.s._nagar_dera__bassi');
  });

  it('refuses an empty part', () => {
    expect(() => collectionId('bihar//gaya')).toThrow('slug');
  });
});
