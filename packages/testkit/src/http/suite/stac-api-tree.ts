import { lintTree } from '@headwater/stac';
import { expect } from 'vitest';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase } from './harness.ts';
import { BASE, type StacClient, STAC_API } from './stac-api-client.ts';

/** The API as the tree that its child and item links make. */
export function stacTreeCases(target: HttpTarget, { read }: StacClient): void {
  defineCase(target, 'the tree of child and item links has no fault: titles, parents, extents, one root', async () => {
    const asked = new Set<string>();
    const ask = async (href: string): Promise<unknown> => {
      asked.add(href);
      return read<unknown>(href);
    };
    expect(await lintTree({ root: BASE + STAC_API, read: ask })).toEqual([]);
    expect([...asked].filter((href) => href.includes('/items/')).length).toBeGreaterThan(2);
  });
}
