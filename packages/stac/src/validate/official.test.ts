import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { officialJudge, skipReason } from '../official-schemas.fixture.ts';
import {
  sampleCatalog,
  sampleCollection,
  sampleNumeric,
  sampleRaster,
  sampleTabular,
  sampleVector,
} from '../samples.fixture.ts';
import { validate } from './assert-valid.ts';

if (skipReason !== undefined) console.warn(`skipped: ${skipReason}`);

const SAMPLES = {
  raster: sampleRaster(),
  numeric: sampleNumeric(),
  vector: sampleVector(),
  tabular: sampleTabular(),
  collection: sampleCollection(),
  catalog: sampleCatalog(),
} as const;
const errorsOf = (document: unknown) => validate(document).filter((finding) => finding.severity === 'error');

/** Every path of a document, as lists of keys. */
function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, child]) => pathsOf(child, [...path, key]))];
}

/** A copy with the value at `path` replaced, or removed where `value` is undefined. */
function mutate(document: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(document)) {
    const copy = document.map((child: unknown, index) => (String(index) === key ? mutate(child, rest, value) : child));
    return rest.length === 0 && value === undefined ? copy.filter((_, index) => String(index) !== key) : copy;
  }
  const object = { ...(document as Record<string, unknown>) };
  const changed = mutate(object[key], rest, value);
  if (changed === undefined) delete object[key];
  else object[key] = changed;
  return object;
}

const JUNK: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  1e9,
  '',
  ' ',
  'x',
  'a b',
  '/tmp/x',
  'http://',
  'https://a.b/c d',
  '2024-02-30T00:00:00Z',
  '2024-01-01',
  '2024-01-01T00:00:00+05:30',
  [],
  {},
  [null],
  ['', ''],
  [1],
  [1, 2],
  [1, 2, 3, 4, 5],
  [[1, 2]],
  [{}],
  { a: 1 },
  { type: 'GeometryCollection', geometries: [] },
  { type: 'Point', coordinates: [1, '2'] },
];

describe.skipIf(skipReason !== undefined)('beside the official JSON Schemas', () => {
  const judge = skipReason === undefined ? officialJudge() : () => [];

  it.each(Object.entries(SAMPLES))('what we build as %s passes them, and us', (_name, document) => {
    expect(judge(JSON.parse(JSON.stringify(document)))).toEqual([]);
    expect(errorsOf(document)).toEqual([]);
  });

  it.each(Object.entries(SAMPLES))('we reject whatever they reject: junk at every place of a %s', (_name, document) => {
    let rejected = 0;
    for (const path of pathsOf(document)) {
      for (const junk of JUNK) {
        const broken = mutate(document, path, junk);
        const schemas = judge(broken);
        if (schemas.length === 0) continue;
        rejected += 1;
        if (errorsOf(broken).length === 0)
          expect.fail(`${schemas.join(', ')} rejects ${JSON.stringify(junk)} at /${path.join('/')}, we do not`);
      }
    }
    expect(rejected).toBeGreaterThan(100);
  });

  const FIELDS: readonly string[] = (
    'title description keywords roles bands created updated platform instruments gsd license providers data_type nodata statistics unit start_datetime proj:code proj:epsg proj:bbox proj:centroid proj:projjson proj:geometry ' +
    'file:byte_order file:values file:local_path file:header_size file:nonsense processing:expression processing:level processing:wrong classification:bitfields classification:classes classification:x raster:histogram ' +
    'raster:scale raster:bits_per_sample raster:bands table:columns table:tables table:row_count table:primary_geometry version deprecated method headers item_assets assets summaries href'
  ).split(' ');

  it.each(Object.entries(SAMPLES))('we reject whatever they reject: unexpected fields in a %s', (_name, document) => {
    const places = pathsOf(document).filter((path) => path.length < 4);
    fc.assert(
      fc.property(
        fc.constantFrom(...places),
        fc.constantFrom(...FIELDS),
        fc.oneof(fc.constantFrom(...JUNK), fc.jsonValue({ maxDepth: 2 })),
        (path, field, value) => {
          const broken = mutate(document, [...path, field], value === undefined ? 0 : value);
          if (judge(broken).length > 0)
            expect(errorsOf(broken), JSON.stringify({ path, field, value })).not.toEqual([]);
        },
      ),
      { numRuns: 4000 },
    );
  });
});
