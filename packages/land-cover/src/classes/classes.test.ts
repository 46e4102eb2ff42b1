import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { displayColor, LULC_CLASSES, lulcNames, lulcPalette } from './classes.ts';

const FACTS = new URL('../../../../../shared/data/lulc/classes.json', import.meta.url);
const hasFacts = existsSync(FACTS);
if (!hasFacts) console.warn('skipped: comparison of the class table: ../shared/data/lulc/classes.json is missing');

it('the class table has codes 0..12 in order, names that are valid in STAC, and 12 different column prefixes', () => {
  expect(LULC_CLASSES.map((c) => c.code)).toEqual(Array.from({ length: 13 }, (_, i) => i));
  for (const { name } of LULC_CLASSES) expect(name).toMatch(/^[0-9A-Za-z_-]+$/);
  expect(new Set(LULC_CLASSES.flatMap((c) => c.columnPrefix ?? [])).size).toBe(12);
});

it.skipIf(!hasFacts)('the class table has the published colours and column prefixes', () => {
  const { classes } = JSON.parse(readFileSync(FACTS, 'utf8')) as {
    classes: { code: number; color: string; mws_column_prefix: string | null }[];
  };
  for (const c of LULC_CLASSES) {
    const published = classes.find((p) => p.code === c.code);
    expect([c.color, c.columnPrefix]).toEqual([published?.color, published?.mws_column_prefix]);
  }
});

it('every class has a unique display colour, and the background (class 0) is transparent', () => {
  const drawn = LULC_CLASSES.map(displayColor);
  expect(new Set(drawn).size).toBe(drawn.length);
  expect(lulcPalette()[0]?.[3]).toBe(0);
  expect(lulcPalette()[2]).toEqual([0x74, 0xcc, 0xf4, 255]);
  expect(lulcNames()[8]).toBe('Single kharif crop');
});
