import type { Importer } from '@headwater/core';
import { expect, it } from 'vitest';
import { importFields } from './import-page.ts';

const importer = (kind: Importer['kind'], endings: readonly string[]): Importer => ({
  kind,
  endings,
  run: () => Promise.reject(new Error('not called')),
});

it('the hint of the file field lists the endings of each kind with the title of the kind, in each language', () => {
  const fields = importFields([
    importer('places', ['.gpkg', '.zip']),
    importer('mws', ['.gpkg', '.zip']),
    importer('layer', ['.tif']),
  ]);
  expect(fields.find(({ name }) => name === 'file')?.hint).toMatchObject({
    en: 'Endings: Tehsils (boundaries), Micro-watersheds (boundaries): .gpkg, .zip; Layer: .tif.',
    hi: expect.stringMatching(/^प्रत्यय: तहसीलें.*: \.gpkg, \.zip; .*: \.tif।$/),
  });
});
