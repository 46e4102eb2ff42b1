import { expect, it } from 'vitest';
import type { Importer } from '../ports/imports.ts';
import { findImporter } from './find-importer.ts';

const importer: Importer = {
  kind: 'mws',
  endings: ['.geojson', '.gpkg'],
  run: () => Promise.reject(new Error('not used')),
};

it('findImporter finds the importer of a kind for a file name, whose ending may be in upper or lower case', () => {
  expect(findImporter([importer], 'mws', 'IN.GPKG')).toBe(importer);
});

it.each([
  ['everything', 'in.gpkg', { code: 'validation', fields: { kind: [expect.objectContaining({ rule: 'invalid' })] } }],
  ['__proto__', 'in.gpkg', { code: 'validation' }],
  ['mws', 'in.gpkg.exe', { code: 'validation', fields: { file: [expect.objectContaining({ rule: 'invalid' })] } }],
  ['layer', 'in.gpkg', { code: 'unavailable', message: expect.stringContaining('it imports mws') }],
])('findImporter refuses the kind %s with the file %s', (kind, fileName, error) => {
  expect(() => findImporter([importer], kind, fileName)).toThrow(expect.objectContaining(error));
});
