import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../../scripts/test-length.mjs';
import { extendedCollection, extendedItem } from '../extended.fixture.ts';
import { FIELDS, JUNK, mutate, pathsOf } from '../mutations.fixture.ts';
import { officialJudge, skipReason } from '../official-schemas.fixture.ts';
import {
  sampleCatalog,
  sampleCatalogWithExtensions,
  sampleCollection,
  sampleCollectionWithAlternates,
  sampleNumeric,
  sampleRaster,
  sampleServed,
  sampleTabular,
  sampleVector,
} from '../samples.fixture.ts';
import { validate } from './assert-valid.ts';
import { EXTENSIONS } from '../extensions.ts';
import { PROFILES } from './profile.ts';

if (skipReason !== undefined) console.warn(`skipped: ${skipReason}`);

const SAMPLES = {
  raster: sampleRaster(),
  numeric: sampleNumeric(),
  vector: sampleVector(),
  tabular: sampleTabular(),
  served: sampleServed(),
  collection: sampleCollection(),
  'collection with alternates': sampleCollectionWithAlternates(),
  catalog: sampleCatalog(),
  'catalog with extensions': sampleCatalogWithExtensions(),
  'item with more fields': extendedItem(),
  'collection with more fields': extendedCollection(),
} as const;
const errorsOf = (document: unknown) =>
  validate(document, { profile: 'headwater' }).filter((finding) => finding.severity === 'error');

describe.skipIf(skipReason !== undefined)('compared with the official JSON Schemas', () => {
  const judge = skipReason === undefined ? officialJudge() : () => [];

  it.each(Object.entries(SAMPLES))(
    'our sample %s is valid by both the schemas and our validator',
    (_name, document) => {
      expect(judge(JSON.parse(JSON.stringify(document)))).toEqual([]);
      expect(errorsOf(document)).toEqual([]);
    },
  );

  it.each(Object.entries(EXTENSIONS))(
    'our validator allows a Catalog to declare %s if and only if the schemas allow it',
    (_name, url) => {
      // One of the extensions requires a link to a map.
      const map = { rel: 'tilejson', href: 'https://example.org/a.json', type: 'application/json', title: 'Tiles' };
      const links = [...sampleCatalog().links, map];
      const declaring = { ...sampleCatalog(), stac_extensions: [url], links };
      for (const profile of PROFILES) {
        const errors = validate(declaring, { profile }).filter(({ severity }) => severity === 'error');
        expect(errors.map(({ rule }) => rule)).toEqual(
          judge(declaring).length > 0 ? ['extensions.not-of-catalogs'] : [],
        );
      }
    },
  );

  it.each(Object.entries(SAMPLES))(
    'our validator refuses every document that the schemas refuse: junk at every place of a %s',
    (_name, document) => {
      let rejected = 0;
      for (const [place, path] of pathsOf(document).entries()) {
        // A short run tests one of five junk values at each place.
        for (const junk of JUNK.filter((_, index) => (index + place) % sized(5, 1) === 0)) {
          const broken = mutate(document, path, junk);
          const schemas = judge(broken);
          if (schemas.length === 0) continue;
          rejected += 1;
          if (errorsOf(broken).length === 0)
            expect.fail(
              `${schemas.join(', ')} rejects ${JSON.stringify(junk)} at /${path.join('/')}, our validator does not`,
            );
        }
      }
      expect(rejected).toBeGreaterThan(100);
    },
  );

  it.each(Object.entries(SAMPLES))(
    'our validator refuses every document that the schemas refuse: unexpected fields in a %s',
    (_name, document) => {
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
        { seed: 20_261_122, numRuns: sized(250, 4000) },
      );
    },
  );
});
