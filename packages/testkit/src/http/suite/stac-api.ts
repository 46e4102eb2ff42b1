import { describe } from 'vitest';
import type { HttpTarget } from '../targets/target.ts';
import { stacBoundCases } from './stac-api-bounds.ts';
import { stacBrowsingCases } from './stac-api-browsing.ts';
import { useStacClient } from './stac-api-client.ts';
import { stacComplaintCases } from './stac-api-complaints.ts';
import { stacFieldCases } from './stac-api-fields.ts';
import { stacClassCases } from './stac-api-classes.ts';
import { stacFilterCases } from './stac-api-filters.ts';
import { stacLinkCases } from './stac-api-links.ts';
import { stacParameterCases } from './stac-api-parameters.ts';
import { stacTreeCases } from './stac-api-tree.ts';

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
