import { expect, it } from 'vitest';
import type { Importer } from '../ports/imports.ts';
import { findImporter } from './find-importer.ts';
import { ImportNotes } from './import-notes.ts';

const importer: Importer = {
  kind: 'mws',
  endings: ['.geojson', '.gpkg'],
  run: () => Promise.reject(new Error('not used')),
};

it('finds the importer of a kind for a file, by its ending in any case', () => {
  expect(findImporter([importer], 'mws', 'IN.GPKG')).toBe(importer);
});

it.each([
  ['everything', 'in.gpkg', { code: 'validation', fields: { kind: [expect.objectContaining({ rule: 'invalid' })] } }],
  ['__proto__', 'in.gpkg', { code: 'validation' }],
  ['mws', 'in.gpkg.exe', { code: 'validation', fields: { file: [expect.objectContaining({ rule: 'invalid' })] } }],
  ['layer', 'in.gpkg', { code: 'unavailable', message: expect.stringContaining('it imports mws') }],
])('refuses %s %s', (kind, fileName, error) => {
  expect(() => findImporter([importer], kind, fileName)).toThrow(expect.objectContaining(error));
});

it('notes list the first thousand and count all, also where others go on with them', () => {
  const notes = new ImportNotes();
  for (let row = 1; row <= 1500; row += 1) notes.refuse({ source: 's', row, problem: 'p' });
  const later = new ImportNotes(notes.report);
  later.refuse({ source: 's', row: 1501, problem: 'p' });
  later.repair({ source: 's', row: 1, repair: 'r' });
  expect(later.report).toMatchObject({ refusedCount: 1501, repairedCount: 1, repaired: [{ row: 1 }] });
  expect(later.report.refused).toHaveLength(1000);
});
