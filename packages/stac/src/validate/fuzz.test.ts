import { describe, expect, it } from 'vitest';
import { sized } from '../../../../scripts/test-length.mjs';
import { mutant, pathsOf, randomNumbers } from '../mutations.fixture.ts';
import { extendedCollection, extendedItem } from '../extended.fixture.ts';
import { foreignDocuments } from '../foreign.fixture.ts';
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
import { catalogV100, collectionV100, itemV100 } from '../v1.0.0/index.ts';
import { validate } from './assert-valid.ts';
import { PROFILES, type Profile } from './profile.ts';

if (skipReason !== undefined) console.warn(`skipped: ${skipReason}`);

const MUTATIONS = sized(2_000, 50_000);
const SEED = Number(process.env['HEADWATER_FUZZ_SEED'] ?? 20_261_122);
const ITEMS = [sampleRaster(), sampleNumeric(), sampleVector(), sampleTabular()];
const VALID_DOCUMENTS: readonly object[] = [
  ...ITEMS,
  sampleServed(),
  sampleCollection(),
  sampleCollectionWithAlternates(),
  sampleCatalog(),
  sampleCatalogWithExtensions(),
  extendedItem(),
  extendedCollection(),
  ...foreignDocuments(),
  ...ITEMS.map((item) => itemV100(item).document),
  collectionV100(sampleCollection()).document,
  catalogV100(sampleCatalog()).document,
];

/** Rules by which the profile `stac` refuses documents that the official schemas accept. */
const BEYOND_SCHEMAS: readonly RegExp[] = [
  // Rules of GeoJSON; also numbers that are not finite.
  /^(?:geometry|bbox)\.|^metadata\.(?:gsd|nodata|statistics)$/,
  /^datetime\.order$/,
  // Fields of an extension at places that the extension's schema does not check.
  /^(?:table|proj|raster|classification|file|processing|alternate)\.|^(?:version|deprecated|experimental|extension\.unknown-field)$/,
  /^bands\.(?:list|band)$|^metadata\.(?:title|description)$/,
  // Blank texts, invalid references (RFC 3986), and asset definitions that are not objects.
  /^(?:links\.rel|description|href\.fetchable|item_assets\.object)$/,
];

const valuesOf = (document: unknown): readonly unknown[] =>
  pathsOf(document).map((path) => path.reduce<unknown>((node, key) => Reflect.get(Object(node), key), document));

describe.skipIf(skipReason !== undefined)(`mutations of valid documents, seed ${String(SEED)}`, () => {
  it(
    'our validator refuses every document that the official schemas refuse; if only our validator refuses a document, its rule is in BEYOND_SCHEMAS',
    { timeout: 600_000 },
    () => {
      const [judge, random] = [officialJudge(), randomNumbers(SEED)];
      const donors = VALID_DOCUMENTS.flatMap(valuesOf);
      const missed: string[] = [];
      const ours: Readonly<Record<Profile, Map<string, number>>> = { stac: new Map(), headwater: new Map() };
      let refused = 0;
      for (let index = 0; index < MUTATIONS; index += 1) {
        const { document, steps } = mutant(VALID_DOCUMENTS[index % VALID_DOCUMENTS.length], random, donors);
        const schemas = judge(document);
        if (schemas.length > 0) refused += 1;
        for (const profile of PROFILES) {
          const errors = validate(document, { profile }).filter(({ severity }) => severity === 'error');
          if (schemas.length > 0 && errors.length === 0)
            missed.push(`${profile}: ${schemas.join(', ')} after ${steps.join(', ')}: ${JSON.stringify(document)}`);
          if (schemas.length > 0) continue;
          for (const { rule } of errors) ours[profile].set(rule, (ours[profile].get(rule) ?? 0) + 1);
        }
      }
      console.log(
        `seed ${String(SEED)}: the official schemas refuse ${String(refused)} of ${String(MUTATIONS)} documents`,
      );
      for (const profile of PROFILES) {
        const rules = [...ours[profile]].sort(([, a], [, b]) => b - a);
        console.log(
          `errors that only profile ${profile} finds, by rule: ${rules.map(([rule, count]) => `${rule} ${String(count)}`).join(', ')}`,
        );
      }
      expect(missed.slice(0, 3).map((text) => text.slice(0, 300))).toEqual([]);
      expect(refused).toBeGreaterThan(MUTATIONS / 4);
      expect(ours.headwater.size).toBeGreaterThan(20);
      expect([...ours.stac.keys()].filter((rule) => !BEYOND_SCHEMAS.some((kind) => kind.test(rule)))).toEqual([]);
    },
  );
});
