import { pageOrDocument } from '../../../answering/page-or-document.ts';
import { shownRegions } from '../../../items/publications.ts';
import { ok, PARAMETER_ERRORS, SUPERUSER_ERRORS } from '../../../rows/common.ts';
import { NOT_MODIFIED, RegionsQuery } from '../../../rows/page-queries.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { paths } from '../../../wire/paths.ts';
import { keptDays, regionPage } from '../handlers/region-page.ts';
import { removeRegion } from '../handlers/remove-region.ts';
import { regionsPage } from '../page/regions-page.ts';
import { RegionPage, RegionParams } from '../schemas/regions.ts';

const listRegions = operation({
  id: 'listRegions',
  method: 'GET',
  path: paths.regions,
  auth: 'public',
  tag: 'work service',
  summary: 'Lists the published regions, newest first',
  description:
    'Regions are boxes that `export-asset` computed. They are in no list of states, tehsils or active locations. A region is removed some days after it was ' +
    'computed last; `kept_days` is their number.',
  query: RegionsQuery,
  responses: { 200: { ...ok('A page of regions', RegionPage), media: ['text/html'] }, 304: NOT_MODIFIED },
  errors: PARAMETER_ERRORS,
  examples: [
    { name: 'newest', status: 200 },
    { name: 'page', query: { format: 'html' }, status: 200 },
    { name: 'bad page', query: { before: 'yesterday' }, status: 400 },
  ],
  handler({ headers, query: { format, before, page = 1 } }, deps) {
    return pageOrDocument(
      { headers, format },
      {
        document: () => regionPage(deps, before),
        page: async () => {
          const { baseUrl, version } = deps;
          return regionsPage({
            ...(await shownRegions(deps, { before, page })),
            baseUrl,
            version,
            number: page,
            keptDays: keptDays(deps),
          });
        },
      },
    );
  },
});

const deleteRegion = operation({
  id: 'removeRegion',
  method: 'DELETE',
  path: paths.region,
  auth: 'superuser',
  tag: 'work service',
  summary: 'Removes a region with its Items, tables and files (superusers only)',
  description:
    'Runs that compute the region are cancelled first. The addresses of its Items and files respond 404 afterwards. A later call of `export-asset` computes it again.',
  params: RegionParams,
  responses: { 204: { description: 'The region is removed' } },
  errors: [...SUPERUSER_ERRORS, ...PARAMETER_ERRORS, 'not_found'],
  noStore: true,
  examples: [{ name: 'unknown', params: { id: 'region_0123456789abcdef' }, status: 404 }],
  async handler({ principal, params }, deps) {
    await removeRegion(deps, principal, params.id);
    return { status: 204, headers: {}, body: undefined };
  },
});

/** Operations of regions: boxes that callers of the work service computed. */
export const regionOperations = [listRegions, deleteRegion] satisfies readonly Operation[];
