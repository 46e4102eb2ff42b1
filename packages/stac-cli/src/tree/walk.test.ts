import { describe, expect, it } from 'vitest';
import { walkTree } from './walk.ts';

const ROOT = 'https://example.org/stac/';
const NOTHING = { enter: () => true, item: () => Promise.resolve(), leave: () => Promise.resolve() };

describe('a walk', () => {
  it.each([
    [ROOT, { rel: 'child', href: 'http://' }, '"http://" is not a valid address'],
    [ROOT, { rel: 'item' }, 'it has no href'],
    ['catalog.json', { rel: 'item', href: './a.json' }, '"./a.json" is not a valid address'],
  ])('from %s rejects %j, which has no valid target', async (root, link, message) => {
    const read = () => Promise.resolve({ type: 'Catalog', id: 'r', links: [{ rel: 'about' }, link] });
    await expect(walkTree({ root, read }, NOTHING)).rejects.toThrow(`${root}#/links/1: ${message}`);
  });
});
