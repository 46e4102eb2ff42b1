import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isStacError } from '../errors.ts';
import type { ItemId } from '../ids/item-id.ts';
import { isList, isObject } from '../json.ts';
import {
  COLLECTION_INPUT,
  NUMERIC_INPUT,
  RASTER_INPUT,
  TABULAR_INPUT,
  VECTOR_INPUT,
  sampleCatalog,
} from '../samples.fixture.ts';
import { validate } from '../validate/assert-valid.ts';
import { buildCatalog, buildCollection, type CollectionInput } from './catalog.ts';
import type { AssetInput, CategoricalContent, ClassInput, RasterItemInput, StatisticsInput } from './inputs.ts';
import { rasterItem, tabularRasterItem } from './raster-item.ts';
import { vectorItem } from './vector-item.ts';

const LONG = 'a'.repeat(300);
const { root, collection, assets } = RASTER_INPUT;

const raster = (members: Partial<RasterItemInput>) => () => rasterItem({ ...RASTER_INPUT, ...members });
const ofData = (members: Partial<AssetInput>) =>
  raster({ assets: { ...assets, data: { ...assets.data, ...members } } });
const CLASS = { value: 1, name: 'a', description: 'A' };
const ofClasses = (members: Partial<CategoricalContent>) =>
  raster({ content: { dataType: 'uint8', classes: [CLASS], ...members } });
const ofClass = (members: Partial<ClassInput>) => ofClasses({ classes: [{ ...CLASS, ...members }] });
const ofStatistics = (members: Partial<StatisticsInput>) =>
  raster({
    content: {
      bands: [{ name: 'a', dataType: 'float32', statistics: { minimum: 0, maximum: 1, ...members } }],
    },
  });
const node = (members: Partial<CollectionInput>) => () => buildCollection({ ...COLLECTION_INPUT, ...members });

const untyped = (json: string): CollectionInput['summaries'] & object => JSON.parse(json);

/** Adds an undefined title to each object without a title. */
const withTitle = (_key: string, value: unknown): unknown => (isObject(value) ? { title: undefined, ...value } : value);

/** Invalid inputs, each after the field that the error message must name. */
const REFUSED: readonly (readonly [message: string, make: () => object])[] = [
  ['/properties/license', raster({ license: 'MIT OR Apache-2.0' })],
  ['/properties/license', raster({ license: '' })],
  ['/properties/providers', raster({ providers: [{ name: '' }] })],
  ['/properties/providers', raster({ providers: [{ name: 'A', url: 'no url' }] })],
  ['classes[value 1]: count', ofClass({ count: -1 })],
  ['classes[value 1]: count', ofClass({ count: 1.5 })],
  ['classes[value 1]: percentage', ofClass({ percentage: 150 })],
  ['/assets/data/nodata', ofClasses({ nodata: 999 })],
  ['/assets/data/bands/0', ofStatistics({ count: -1 })],
  ['/assets/data/bands/0', ofStatistics({ validPercent: 200 })],
  ['/assets/data/href', ofData({ href: 'https://a.b/100%' })],
  ['/assets/data/href', ofData({ href: 'https://a.b/x?f=a^b' })],
  ['/assets/data/href', ofData({ href: 'https://a.b/{x}' })],
  ['/links/0/type', raster({ root: { ...root, type: '' } })],
  ['/links/0/type', raster({ root: { ...root, type: 'text/html' } })],
  ['/collection', raster({ collection: { ...collection, id: 'a b/ä' } })],
  ['/id', raster({ id: `a_b_c_${LONG}` as ItemId })],
  ['/summaries/a', node({ summaries: untyped('{"a":[]}') })],
  ['/summaries/a', node({ summaries: untyped('{"a":"x"}') })],
  ['/providers', node({ providers: [{ name: 'A', url: 'x y' }] })],
  ['/item_assets/a', node({ item_assets: { a: { roles: ['data'] } } })],
  // The next two inputs have an undefined member, which JSON cannot express.
  ['/item_assets/a', node({ item_assets: { a: JSON.parse('{"roles":["data"]}', withTitle) } })],
  ['/summaries/a', node({ summaries: { a: { x: undefined } } })],
  ['/id', node({ id: LONG })],
  ['/links', node({ links: [{ rel: '', href: 'https://a.b/', title: 'A' }] })],
  ['/id', () => buildCatalog({ id: LONG, title: 'A', description: 'A', self: 'https://a.b/' })],
];

describe('builder output', () => {
  it.each(REFUSED)('is never refused by the validator, because the builder throws first: %s', (message, make) => {
    expect(make).toThrow(expect.objectContaining({ name: 'StacError', message: expect.stringContaining(message) }));
  });

  it('is an error with the value found, the value expected and the remedy, if the input is invalid', () => {
    expect(ofData({ href: 'https://a.b/100%' })).toThrow(
      /\/assets\/data\/href: got "https:\/\/a\.b\/100%", expected .+; .+ \[.+\]/,
    );
  });

  it('is valid after random changes of one or two input values, unless the builder throws', () => {
    const { children, ...catalog } = { ...sampleCatalog(), children: [root], self: root.href };
    const inputs: readonly (readonly [object, (input: never) => object])[] = [
      [RASTER_INPUT, rasterItem],
      [NUMERIC_INPUT, rasterItem],
      [TABULAR_INPUT, tabularRasterItem],
      [VECTOR_INPUT, vectorItem],
      [COLLECTION_INPUT, buildCollection],
      [{ id: catalog.id, title: catalog.title, description: 'A', self: catalog.self, children }, buildCatalog],
    ];
    const built = { count: 0 };
    const change = fc.tuple(fc.nat(), fc.oneof(texts, numbers, fc.jsonValue({ maxDepth: 1 })));
    fc.assert(
      fc.property(
        fc.constantFrom(...inputs),
        fc.array(change, { minLength: 1, maxLength: 2 }),
        ([input, make], all) => {
          const changed = structuredClone(input);
          for (const [place, value] of all) put(changed, place, value);
          const document = attempt(() => Reflect.apply(make, undefined, [changed]));
          if (document === undefined) return;
          built.count += 1;
          expect(validate(document).filter(({ severity }) => severity === 'error')).toEqual([]);
        },
      ),
      { seed: 12, numRuns: 1500 },
    );
    expect(built.count).toBeGreaterThan(100);
  });
});

const texts = fc.constantFrom(
  '',
  ' ',
  'a',
  'a b',
  'ä',
  'A/B',
  '100%',
  'https://a.b/',
  'https://a.b/{x}',
  'text/html',
  LONG,
);
const numbers = fc.constantFrom(-1, 0, 0.5, 1, 150, 999, 1e300, -180, 181, 90.5);

/** Result of `make`. Undefined after a `StacError`, or if the result is not an object. */
function attempt(make: () => unknown): object | undefined {
  try {
    const result = make();
    return isObject(result) ? result : undefined;
  } catch (error) {
    if (isStacError(error)) return undefined;
    throw error;
  }
}

/** Replaces one nested value: the one with the index `place`, modulo the number of nested values. */
function put(input: object, place: number, value: unknown): void {
  const places = placesOf(input);
  const chosen = places[place % places.length];
  if (chosen !== undefined) Reflect.set(chosen.holder, chosen.key, value);
}

function placesOf(holder: object): readonly { readonly holder: object; readonly key: string }[] {
  return Object.entries(holder).flatMap(([key, value]) => [
    { holder, key },
    ...(isObject(value) || isList(value) ? placesOf(value) : []),
  ]);
}

describe('a document built without validation', () => {
  it('equals the validated document, and can be built even if the validator would refuse it', () => {
    expect(buildCollection(COLLECTION_INPUT, { validate: false })).toEqual(buildCollection(COLLECTION_INPUT));
    const long = { id: LONG, title: 'A', description: 'A', self: 'https://a.b/' };
    expect(() => buildCatalog(long)).toThrow('/id');
    expect(buildCatalog(long, { validate: false }).id).toBe(LONG);
  });
});
