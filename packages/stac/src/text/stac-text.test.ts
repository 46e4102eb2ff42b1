import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { rasterItem } from '../builder/raster-item.ts';
import { StacError } from '../errors.ts';
import { RASTER_INPUT, sampleCatalog, sampleCollection, sampleRaster, sampleVector } from '../samples.fixture.ts';
import { contentHash, stacText } from './stac-text.ts';

function shuffled(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shuffled);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, member]) => [key, shuffled(member)]),
  );
}

describe('the text of a document', () => {
  it.each([sampleRaster(), sampleVector(), sampleCollection(), sampleCatalog()])('contains all of $id', (document) => {
    expect(JSON.parse(stacText(document))).toStrictEqual(document);
  });

  it('is the same for any order of the members', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (document) => {
        expect(stacText(Object(shuffled(document)))).toBe(stacText(document));
        expect(JSON.parse(stacText(document))).toEqual(JSON.parse(JSON.stringify(document)));
      }),
    );
  });

  it('begins documents, links and assets with the usual members', () => {
    const text = stacText(Object(shuffled(sampleRaster())));
    expect(text).toMatch(/^\{"type":"Feature","stac_version":"1.1.0","stac_extensions":\[/);
    expect(text).toContain(
      '{"rel":"root","href":"https://example.org/api/v1/stac/","type":"application/json","title":',
    );
    expect(text).toMatch(/"data":\{"href":"[^"]+","type":"image\/tiff; application=geotiff","title":/);
  });

  it('writes -0 as 0, leaves out undefined members, and throws an error with the place of a value that JSON cannot express', () => {
    expect(stacText({ b: undefined, a: -0 })).toBe('{"a":0}');
    expect(stacText({ at: new Date(0), url: new URL('https://a.b/') })).toBe(
      '{"at":"1970-01-01T00:00:00.000Z","url":"https://a.b/"}',
    );
    expect(() => stacText({ at: new Date(Number.NaN), list: [{ toJSON: () => undefined }] })).toThrow(
      '/list/0: JSON cannot hold',
    );
    expect(() => stacText({ properties: { 'a/b': [1, Number.NaN] } })).toThrow(
      '/properties/a~1b/1: JSON cannot hold NaN',
    );
    for (const value of [Infinity, [undefined], Object.assign([], { length: 1 }), 1n, () => 1])
      expect(() => stacText({ value })).toThrow('JSON cannot hold');
  });

  it('throws an error with the place of a cycle, or of too deep nesting', () => {
    const [holder, list]: [Record<string, unknown>, unknown[]] = [{ a: 1 }, []];
    holder['a/b'] = { list: [1, list] };
    expect(JSON.parse(stacText({ one: holder, other: holder }))).toEqual({ one: holder, other: holder });
    list.push(holder);
    expect(() => stacText({ x: holder })).toThrow(
      new StacError('/x/a~1b/list/1/0: JSON cannot hold a cycle of references; give another value or leave it out'),
    );
    let deep: object = {};
    for (let level = 0; level < 100_000; level += 1) deep = { deep };
    expect(() => stacText(deep)).toThrow(/^\/deep\/.*\.\.\.: JSON cannot hold more than 1000 levels of nesting/);
    for (const extra of [holder, deep])
      expect(() => Reflect.apply(rasterItem, undefined, [{ ...RASTER_INPUT, extra: { 'own:x': extra } }])).toThrow(
        /^\/properties\/own:x\//,
      );
  });
});

describe('the content hash', () => {
  it('is the multihash of the text, and depends only on the content', async () => {
    const item = sampleRaster();
    const digest = createHash('sha256').update(stacText(item)).digest('hex');
    expect(await contentHash(item)).toBe(`1220${digest}`);
    expect(await contentHash(Object(shuffled(item)))).toBe(`1220${digest}`);
    expect(await contentHash({ ...item, collection: 'other' })).not.toBe(`1220${digest}`);
  });

  it('does not depend on the last digits of a coordinate', async () => {
    const ring = [
      [92.9, 24.7],
      [93.1, 24.7],
      [93.1, 24.8],
    ];
    const noisy = ring.map((position) => position.map((value) => value + 1e-12));
    const [plain, other] = [ring, noisy].map((each) =>
      rasterItem({ ...RASTER_INPUT, geometry: { type: 'Polygon', coordinates: [each] } }),
    );
    expect(await contentHash(other ?? {})).toBe(await contentHash(plain ?? {}));
  });
});
