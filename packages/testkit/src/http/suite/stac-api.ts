import { lintTree } from '@headwater/stac';
import { describe, expect } from 'vitest';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase } from './harness.ts';
import { stacBoundCases } from './stac-api-bounds.ts';
import { stacBrowsingCases } from './stac-api-browsing.ts';
import { stacClassCases } from './stac-api-classes.ts';
import { BASE, STAC_API, type StacClient, useStacClient } from './stac-api-client.ts';
import { stacComplaintCases } from './stac-api-complaints.ts';
import { stacFieldCases } from './stac-api-fields.ts';
import { stacFilterCases } from './stac-api-filters.ts';
import { stacLinkCases } from './stac-api-links.ts';
import { stacParameterCases } from './stac-api-parameters.ts';

/** The API as the tree that its child and item links make. */
function stacTreeCases(target: HttpTarget, { read }: StacClient): void {
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

/** The STAC API, as its clients and its judges ask it. */
export function stacApiCases(target: HttpTarget): void {
  describe('STAC API', () => {
    const client = useStacClient(target);
    stacBrowsingCases(target, client);
    stacParameterCases(target, client);
    stacFieldCases(target, client);
    stacFilterCases(target, client);
    stacClassCases(target, client);
    stacLinkCases(target, client);
    stacComplaintCases(target, client);
    stacTreeCases(target, client);
    // Publishes more, so that those before know how many Items there are.
    stacBoundCases(target, client);
  });
}
