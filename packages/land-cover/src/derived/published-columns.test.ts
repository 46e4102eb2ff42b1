import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { layerCells } from './cropping-intensity/columns.ts';
import { cropYearOf, croppingIntensity } from './cropping-intensity/intensity.ts';
import { bodyColumns, categoryOf } from './water-bodies/features.ts';

/** Facts about the layers that the CoRE Stack publishes, in a folder next to the checkout. */
const FACTS = new URL('../../../../../shared/data/lulc/', import.meta.url);
const hasFacts = existsSync(FACTS);
if (!hasFacts) console.warn('skipped: comparison with the published columns: ../shared/data/lulc is missing');

const factsOf = (name: string): unknown => JSON.parse(readFileSync(new URL(`${name}.json`, FACTS), 'utf8'));
const YEARS = [2017, 2018, 2019];

describe.skipIf(!hasFacts)('cropping intensity', () => {
  const facts = z.object({
    columns_per_year: z.array(z.string()),
    columns_once: z.array(z.string()),
    formula: z.string(),
  });

  it('has the published columns, except internal columns', () => {
    const { columns_per_year: yearly, columns_once: once } = facts.parse(factsOf('cropping_intensity'));
    const named = once.filter((column) => column !== 'id' && !column.startsWith('sum '));
    const published = [
      ...YEARS.flatMap((year) => yearly.map((column) => column.replace('{Y}', String(year)))),
      ...named.map((column) => column.replace('{endY}', '2019')),
    ];
    const own = layerCells(YEARS).map(({ column }) => column.name);
    const added = YEARS.flatMap((year) => [
      `cropping_intensity_without_class_11_${year}`,
      `unseen_area_${year}`,
      `unseen_cropable_area_${year}`,
    ]);
    expect(own.toSorted()).toEqual([...published, ...added].toSorted());
  });

  it('differs from the published formula by less than 1e-12 in 812 rows of areas', () => {
    const { formula } = facts.parse(factsOf('cropping_intensity'));
    expect(formula).toBe('CI_Y = (single + 2*double + 3*triple) / total_cropable_area_ever');
    for (let row = 0; row < 812; row += 1) {
      // Areas are not round numbers, because real areas are sums of whole and partial pixels.
      const part = (seed: number): number => 0.009226 * Math.abs(Math.sin(row * 12.9898 + seed) * 43_758.5453);
      const [kharif, other, double, triple] = [part(1), part(2), part(3), part(4)];
      const total = kharif + other + double + triple + part(5);
      const hectares = Array.from(
        { length: 256 },
        (_, code) => ({ 8: kharif, 9: other, 10: double, 11: triple })[code] ?? 0,
      );
      const expected = (kharif + other + 2 * double + 3 * triple) / total;
      const intensity = croppingIntensity(cropYearOf(hectares), total) ?? Number.NaN;
      expect(Math.abs(intensity - expected)).toBeLessThanOrEqual(1e-12);
    }
  });
});

describe.skipIf(!hasFacts)('water bodies', () => {
  const facts = z.object({ columns: z.record(z.string(), z.union([z.string(), z.array(z.string())])) });

  it('have the published columns', () => {
    const names = Object.keys(facts.parse(factsOf('surface_water')).columns);
    const published = names.flatMap((column) =>
      column.includes('{yy-yy}')
        ? ['17-18', '18-19', '19-20'].map((range) => column.replace('{yy-yy}', range))
        : [column],
    );
    const own = bodyColumns(YEARS).map(({ name }) => name);
    const added = ['unseen_area_17-18', 'unseen_area_18-19', 'unseen_area_19-20'];
    expect(own.toSorted()).toEqual([...published, ...added].toSorted());
  });

  it('have the published bins', () => {
    const bins = z.array(z.string()).parse(facts.parse(factsOf('surface_water')).columns['category_sq_m']);
    for (const bin of bins) {
      const [, name = bin, most = '5000'] = /^(.*?) \(<=(\d+)\)$/.exec(bin) ?? [];
      expect(categoryOf(Number(most))).toBe(name);
    }
    expect(bins).toHaveLength(4);
  });
});

it.skipIf(!hasFacts)('the change tables in the test fixture are equal to the published tables', () => {
  const fixture = new URL('change-detection/published-changes.fixture.json', import.meta.url);
  const layers = z.object({ layers: z.unknown() });
  const ofFixture: unknown = layers.parse(JSON.parse(readFileSync(fixture, 'utf8'))).layers;
  const published = JSON.stringify(layers.parse(factsOf('change_detection')).layers, (key, value: unknown) =>
    key === 'note' ? undefined : value,
  );
  expect(JSON.parse(JSON.stringify(ofFixture).toLowerCase())).toEqual(JSON.parse(published.toLowerCase()));
});
