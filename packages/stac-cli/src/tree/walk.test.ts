import { describe, expect, it } from 'vitest';
import { walkTree } from './walk.ts';

const ROOT = 'https://example.org/stac/';
const NOTHING = { enter: () => true, item: () => Promise.resolve(), leave: () => Promise.resolve() };

describe('a walk', () => {
  it.each([
    [ROOT, { rel: 'child', href: 'http://' }, '"http://" is no address'],
    [ROOT, { rel: 'item' }, 'it has no href'],
    ['catalog.json', { rel: 'item', href: './a.json' }, '"./a.json" is no address'],
  ])('from %s does not pass over %j, which leads down to nothing', async (root, link, told) => {
    const read = () => Promise.resolve({ type: 'Catalog', id: 'r', links: [{ rel: 'about' }, link] });
    await expect(walkTree({ root, read }, NOTHING)).rejects.toThrow(`${root}#/links/1: ${told}`);
  });
});
