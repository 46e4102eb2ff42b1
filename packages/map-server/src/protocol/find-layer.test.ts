import { expect, it } from 'vitest';
import { findLayer } from './find-layer.ts';

it.each(['a__'.repeat(20_000), 'a__'.repeat(60)])(
  'splits a name with many separators into workspace and layer in at most 8 ways',
  async (name) => {
    let looks = 0;
    const layers = {
      find: async () => {
        looks += 1;
        return undefined;
      },
    };
    const request = { segments: ['wfs'], query: {} };
    const found = findLayer({ layers }, request, { parameter: 'typename', name, code: 'InvalidParameterValue' });
    await expect(found).rejects.toThrow(/^typename: no layer "a__a__/);
    expect(looks).toBeLessThanOrEqual(8);
  },
);
