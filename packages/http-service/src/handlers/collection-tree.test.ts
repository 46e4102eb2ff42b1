import { describe, expect, it } from 'vitest';
import { childrenOf, publishedPath, tehsilsAt } from './collection-tree.ts';

const PATHS = ['bihar/gaya/gaya', 'bihar/gaya/gaya_town', 'punjab/s.a.s._nagar/dera__bassi'];

describe('the tree of Collections', () => {
  it('lists the next level once, and takes no name for the beginning of another', () => {
    expect(childrenOf(PATHS, '')).toEqual(['bihar', 'punjab']);
    expect(childrenOf(PATHS, 'bihar/gaya/')).toEqual(['bihar/gaya/gaya', 'bihar/gaya/gaya_town']);
    expect(tehsilsAt(PATHS, 'bihar/gaya/gaya')).toEqual(['bihar/gaya/gaya']);
  });

  it.each([
    ['bihar', 'bihar'],
    ['punjab/sas_nagar', 'punjab/s.a.s._nagar'],
    ['punjab/sas_nagar/dera_bassi', 'punjab/s.a.s._nagar/dera__bassi'],
    ['punjab/s.a.s._nagar/dera_bassi', 'punjab/s.a.s._nagar/dera__bassi'],
    ['punjab/nagar', undefined],
    ['bihar/gaya/gaya/more', undefined],
    ['', undefined],
    ['&', undefined],
  ])('%j is published as %j', (asked, published) => {
    expect(publishedPath(PATHS, asked)).toBe(published);
  });
});
