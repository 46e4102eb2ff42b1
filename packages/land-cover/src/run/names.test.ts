import { collectionIdOf, collectionOf, fileName, layerNamesOf, type Place, slugsOf } from '@headwater/core';
import { formerItem } from '@headwater/core/places';
import { describe, expect, it } from 'vitest';
import { PLACE } from '../pipeline.fixture.ts';
import { rasterItemId, rasterItemPlace, rasterLayer, vectorItemId, vectorLayerName } from './names.ts';

const placeOf = (state: string, district: string, tehsil: string): Place => ({
  state: { ...PLACE.state, name: state },
  district: { ...PLACE.district, name: district },
  tehsil: { ...PLACE.tehsil, name: tehsil },
});
const AURANGABAD = placeOf('Bihar', 'Aurangabad', 'Aurangabad');
const DOTTED = placeOf('Punjab', 'S.A.S. Nagar (Mohali)', 'Dera & Bassi');

describe('names of layers', () => {
  it('have district and block without the state, as in the production system', () => {
    const slugs = slugsOf(AURANGABAD, 'alone');
    expect(rasterLayer(slugs, 2017)).toEqual({
      layerName: 'LULC_17_18_aurangabad_aurangabad_level_3',
      formerly: ['LULC_17_18_bihar_aurangabad_aurangabad_level_3'],
    });
    expect(layerNamesOf(slugs, vectorLayerName).layerName).toBe('lulc_vector_aurangabad_aurangabad');
  });

  it('begin with the state if another tehsil has the same district and block; former names begin with the district', () => {
    const slugs = slugsOf(AURANGABAD, 'shared');
    expect(rasterLayer(slugs, 2017)).toEqual({
      layerName: 'LULC_17_18_bihar_aurangabad_aurangabad_level_3',
      formerly: ['LULC_17_18_aurangabad_aurangabad_level_3'],
    });
    expect(layerNamesOf(slugs, vectorLayerName)).toEqual({
      layerName: 'lulc_vector_bihar_aurangabad_aurangabad',
      formerly: ['lulc_vector_aurangabad_aurangabad'],
    });
  });

  it('contain place names without their dots and signs', () => {
    expect(vectorLayerName(slugsOf(DOTTED, 'alone').layer)).toBe('lulc_vector_sas_nagar_mohali_dera_bassi');
  });
});

describe('ids of Items and Collections', () => {
  it('keep dots and double underscores, as the interface requires', () => {
    const slugs = slugsOf(DOTTED, 'alone');
    expect(collectionOf(slugs)).toBe('punjab/s.a.s._nagar_mohali/dera__bassi');
    expect(collectionIdOf(slugs)).toBe('punjab_s.a.s._nagar_mohali_dera__bassi');
    expect(rasterItemId(slugs, 2020)).toBe('punjab_s.a.s._nagar_mohali_dera__bassi_land_use_land_cover_raster_2020');
    expect(rasterItemPlace(DOTTED, 2020)).toEqual({
      collectionPath: collectionOf(slugs),
      id: rasterItemId(slugs, 2020),
    });
  });

  it('list the former ids of version 0.1, if they differ', () => {
    const slugs = slugsOf(DOTTED, 'alone');
    expect(formerItem(slugs, vectorItemId)).toEqual([
      {
        collectionPath: 'punjab/sas_nagar_mohali/dera_bassi',
        id: 'punjab_sas_nagar_mohali_dera_bassi_land_use_land_cover_vector',
      },
    ]);
    expect(formerItem(slugsOf(AURANGABAD, 'shared'), vectorItemId)).toEqual([]);
  });

  it.each(['Bihar', 'S.A.S. Nagar', '.Dot', 'St. Thomas, a:b;c', '_Cachar_', 'A  B'])(
    'are valid file names if they are made from %j',
    (name) => {
      const id = vectorItemId(slugsOf(placeOf(name, name, name), 'alone'));
      expect(fileName(id)).toMatch(/^[A-Za-z0-9_-][A-Za-z0-9._-]*$/);
    },
  );
});
