import type { Square } from '../import/geopackage/write-geopackage.fixture.ts';

const NAMES = { state: 'Telangana', district: 'Nalgonda', tehsil: 'Munugode' };

/** Layers with a tehsil, two micro-watersheds and a village in it, and rivers, which are not boundaries. */
export const BOUNDARY_LAYERS: Readonly<Record<string, readonly Square[]>> = {
  rivers: [{ at: [79, 17], properties: { name: 'Musi' } }],
  Villages: [{ at: [79, 17], properties: { ...NAMES, vill_ID: '576001', vill_name: 'Palivela' } }],
  mws: [
    { at: [79, 17], properties: { ...NAMES, uid: '12_1' } },
    { at: [79.1, 17], properties: { ...NAMES, uid: '12_2' } },
  ],
  tehsils: [{ at: [79, 17], properties: NAMES }],
};
