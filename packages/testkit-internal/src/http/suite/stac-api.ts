import { lintTree } from '@headwater/stac';
import { describe, expect } from 'vitest';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase } from './harness.ts';
import { stacBoundCases } from './stac-api-bounds.ts';
import { stacBrowsingCases } from './stac-api-browsing.ts';
import { stacClassCases } from './stac-api-classes.ts';
import { BASE, STAC_API, type StacClient, useStacClient } from './stac-api-client.ts';
import { stacKnownDefectCases } from './stac-api-known-defects.ts';
import { stacFieldCases } from './stac-api-fields.ts';
import { stacFilterCases } from './stac-api-filters.ts';
import { stacLinkCases } from './stac-api-links.ts';
import { stacParameterCases } from './stac-api-parameters.ts';

function stacTreeCases(target: HttpTarget, { read }: StacClient): void {
  defineCase(
    target,
    'the tree of child and item links has no lint errors: titles, parents, extents, one root',
    async () => {
      const visited = new Set<string>();
      const ask = async (href: string): Promise<unknown> => {
        visited.add(href);
        return read<unknown>(href);
      };
      expect(await lintTree({ root: BASE + STAC_API, read: ask })).toEqual([]);
      expect([...visited].filter((href) => href.includes('/items/')).length).toBeGreaterThan(2);
    },
  );
}

/** Test cases of the STAC API, with requests as clients and validators send them. */
export function stacApiCases(target: HttpTarget): void {
  describe('STAC API', () => {
    const client = useStacClient(target);
    stacBrowsingCases(target, client);
    stacParameterCases(target, client);
    stacFieldCases(target, client);
    stacFilterCases(target, client);
    stacClassCases(target, client);
    stacLinkCases(target, client);
    stacKnownDefectCases(target, client);
    stacTreeCases(target, client);
    // These cases are last, because they publish Items that the other cases would count.
    stacBoundCases(target, client);
  });
}
