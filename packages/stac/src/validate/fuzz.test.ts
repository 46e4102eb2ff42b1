import { describe, expect, it } from 'vitest';
import { mutant, pathsOf, randomNumbers } from '../mutations.fixture.ts';
import { officialJudge, skipReason } from '../official-schemas.fixture.ts';
import {
  sampleCatalog,
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

if (skipReason !== undefined) console.warn(`skipped: ${skipReason}`);

const MUTATIONS = 50_000;
/** Another one is tried with HEADWATER_FUZZ_SEED. */
const SEED = Number(process.env['HEADWATER_FUZZ_SEED'] ?? 20_261_122);
const ITEMS = [sampleRaster(), sampleNumeric(), sampleVector(), sampleTabular()];
const SOUND: readonly object[] = [
  ...ITEMS,
  sampleServed(),
  sampleCollection(),
  sampleCollectionWithAlternates(),
  sampleCatalog(),
  ...ITEMS.map((item) => itemV100(item).document),
  collectionV100(sampleCollection()).document,
  catalogV100(sampleCatalog()).document,
];

const valuesOf = (document: unknown): readonly unknown[] =>
  pathsOf(document).map((path) => path.reduce<unknown>((node, key) => Reflect.get(Object(node), key), document));

describe.skipIf(skipReason !== undefined)(
  `${String(MUTATIONS)} mutations of sound documents, seed ${String(SEED)}`,
  () => {
    it(
      'none that the official schemas refuse passes ours; what ours alone refuses is listed by rule',
      { timeout: 600_000 },
      () => {
        const [judge, random] = [officialJudge(), randomNumbers(SEED)];
        const donors = SOUND.flatMap(valuesOf);
        const missed: string[] = [];
        const ours = new Map<string, number>();
        let refused = 0;
        for (let index = 0; index < MUTATIONS; index += 1) {
          const { document, steps } = mutant(SOUND[index % SOUND.length], random, donors);
          const errors = validate(document).filter(({ severity }) => severity === 'error');
          const schemas = judge(document);
          if (schemas.length > 0) {
            refused += 1;
            if (errors.length === 0)
              missed.push(`${schemas.join(', ')} after ${steps.join(', ')}: ${JSON.stringify(document)}`);
          } else
            for (const rule of new Set(errors.map((error) => error.rule))) ours.set(rule, (ours.get(rule) ?? 0) + 1);
        }
        const list = [...ours].sort(([, a], [, b]) => b - a).map(([rule, count]) => `${rule} ${String(count)}`);
        console.log(
          `seed ${String(SEED)}: the official schemas refuse ${String(refused)}; ours alone: ${list.join(', ')}`,
        );
        expect(missed.slice(0, 3)).toEqual([]);
        expect(refused).toBeGreaterThan(MUTATIONS / 4);
        expect(ours.size).toBeGreaterThan(20);
      },
    );
  },
);
