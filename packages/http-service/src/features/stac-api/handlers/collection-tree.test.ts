import { describe, expect, it } from 'vitest';
import { publishedPath } from './collection-tree.ts';

const PATHS = ['bihar/gaya/gaya', 'bihar/gaya/gaya_town', 'punjab/s.a.s._nagar/dera__bassi'];

describe('publishedPath', () => {
  it.each([
    ['bihar', 'bihar'],
    ['bihar/gaya/gaya', 'bihar/gaya/gaya'],
    ['bihar/gaya/gay', undefined],
    ['punjab/sas_nagar', 'punjab/s.a.s._nagar'],
    ['punjab/sas_nagar/dera_bassi', 'punjab/s.a.s._nagar/dera__bassi'],
    ['punjab/s.a.s._nagar/dera_bassi', 'punjab/s.a.s._nagar/dera__bassi'],
    ['punjab/nagar', undefined],
    ['bihar/gaya/gaya/more', undefined],
    ['', undefined],
    ['&', undefined],
  ])('the path %j of a request finds the Collection at %j', (requested, published) => {
    expect(publishedPath(PATHS, requested)).toBe(published);
  });
});
