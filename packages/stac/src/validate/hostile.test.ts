import { describe, expect, it } from 'vitest';
import { sized } from '../../../../scripts/test-length.mjs';
import { mutate, pathsOf } from '../mutations.fixture.ts';
import { sampleCatalog, sampleCollection, sampleRaster, sampleVector } from '../samples.fixture.ts';
import { validate } from './assert-valid.ts';
import type { Finding } from '../errors.ts';

const nested = (levels: number, open: string, close: string): unknown =>
  JSON.parse(`${open.repeat(levels)}0${close.repeat(levels)}`);

/** Member names that every object inherits, and `toJSON`, which `JSON.stringify` calls. */
const INHERITED = ['constructor', 'toString', 'valueOf', 'hasOwnProperty', '__proto__', 'toJSON'];
/** Values that are nested very deep, cannot be converted to text or JSON, or have a member of an inherited name. */
const HOSTILE: readonly (readonly [string, unknown])[] = [
  ['a list 10,000 deep', nested(10_000, '[', ']')],
  ['an object 10,000 deep', nested(10_000, '{"a":', '}')],
  ['bands 3,000 deep', nested(3000, '[{"bands":', '}]')],
  ['an object that has no text', JSON.parse('{"toString":1,"valueOf":1,"toJSON":2,"then":3}')],
  ['a list of bigints', [1n, 1n]],
  ['an object without JSON', { toJSON: () => undefined }],
  ...INHERITED.map((key) => [`a member ${key}`, JSON.parse(`{"${key}":1,"${key}:x":{"${key}":[]}}`)] as const),
];
const DOCUMENTS: readonly object[] = [sampleRaster(), sampleVector(), sampleCollection(), sampleCatalog()];

const rulesOf = (findings: readonly Finding[]) => findings.map(({ rule }) => rule);

describe('hostile documents', () => {
  it.each(HOSTILE)('%s at any place does not make the validator throw', (_name, value) => {
    for (const document of DOCUMENTS) {
      for (const [index, path] of pathsOf(document).entries()) {
        // A short test uses every seventh path. The combinations of place and profile repeat after 8 paths. All
        // combinations occur, because 7 and 8 have no common factor.
        if (index % sized(7, 1) !== 0) continue;
        const place = [path, [...path, 'bands'], [...path, 'body'], [...path, 'proj:projjson']][index % 4] ?? path;
        const profile = index % 8 < 4 ? 'stac' : 'headwater';
        expect(Array.isArray(validate(mutate(document, place, value), { profile, features: [{}] }))).toBe(true);
      }
    }
  });

  it('a list 100,000 deep is not a schema URL', () => {
    const broken = { ...sampleRaster(), stac_extensions: [nested(100_000, '[', ']'), 1n] };
    expect(rulesOf(validate(broken))).toEqual(expect.arrayContaining(['extensions.url', 'extensions.url']));
  });

  it.each(INHERITED)('a member %s:x adds no finding in properties, assets, bands and links', (key) => {
    const member = JSON.parse(`{"${key}:x":1}`) as object;
    for (const document of DOCUMENTS.slice(0, 2) as readonly ReturnType<typeof sampleRaster>[]) {
      const [link, ...links] = document.links;
      const { data } = document.assets;
      const documentWithMember = {
        ...document,
        properties: { ...document.properties, ...member },
        assets: { ...document.assets, data: { ...data, ...member, bands: [member] } },
        links: [{ ...link, ...member }, ...links],
      };
      expect(rulesOf(validate(documentWithMember, { profile: 'headwater' }))).toEqual(
        rulesOf(validate(document, { profile: 'headwater' })),
      );
    }
  });

  it('bands may be nested a few levels deep; deeper bands are reported', () => {
    const within = (levels: number) => ({
      ...sampleRaster(),
      properties: { ...sampleRaster().properties, bands: nested(levels, '[{"bands":', '}]') },
    });
    expect(rulesOf(validate(within(10)))).not.toContain('bands.depth');
    expect(validate(within(3000)).filter(({ rule }) => rule === 'bands.depth')).toMatchObject([
      { severity: 'error', expected: 'at most 16 levels of bands', fix: 'write all bands in one list' },
    ]);
  });

  it('invalid features count as features without properties', () => {
    const findings = validate(sampleVector(), { profile: 'headwater', features: JSON.parse('[null,7,[]]') as [] });
    const columns = rulesOf(findings).filter((rule) => rule.startsWith('columns.'));
    expect(new Set(columns)).toEqual(new Set(['columns.missing']));
  });
});
