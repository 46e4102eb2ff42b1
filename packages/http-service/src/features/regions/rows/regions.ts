import { pageOrDocument } from '../../../answering/page-or-document.ts';
import { preparedJson } from '../../../caching/prepared.ts';
import { shownRegions } from '../../../items/publications.ts';
import { ok, PARAMETER_ERRORS, SUPERUSER_ERRORS } from '../../../rows/common.ts';
import { NOT_MODIFIED, RegionsQuery } from '../../../rows/page-queries.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { shellFor } from '../../../screens/replies.ts';
import { paths } from '../../../wire/paths.ts';
import { keptDays, regionOf, regionPage } from '../handlers/region-page.ts';
import { removeRegion } from '../handlers/remove-region.ts';
import { regionsPage } from '../page/regions-page.ts';
import { RegionBody, RegionPage, RegionParams } from '../schemas/regions.ts';

const listRegions = operation({
  id: 'listRegions',
  method: 'GET',
  path: paths.regions,
  auth: 'public',
  tag: 'work service',
  summary: 'Lists the published regions, newest first',
  description:
    'Regions are boxes that calls of `export-asset` have computed. They are not in the lists of states, tehsils and active locations. A region is removed `kept_days` days ' +
    'after its last publication, or never if `kept_days` is null.',
  query: RegionsQuery,
  responses: { 200: { ...ok('A page of regions', RegionPage), media: ['text/html'] }, 304: NOT_MODIFIED },
  errors: PARAMETER_ERRORS,
  examples: [
    { name: 'newest', status: 200 },
    { name: 'page', query: { format: 'html' }, status: 200 },
    { name: 'bad page', query: { before: 'yesterday' }, status: 400 },
  ],
  handler({ headers, queryText, remoteAddress, query: { format, before, page = 1 } }, deps) {
    return pageOrDocument(
      { headers, format },
      {
        document: () => regionPage(deps, before),
        shell: () => shellFor({ headers, queryText, remoteAddress }, deps),
        page: async (shell) => {
          const { baseUrl, version } = deps;
          const shown = await shownRegions(deps, { before, page, ...shell });
          return regionsPage({ ...shown, baseUrl, version, number: page, keptDays: keptDays(deps), shell });
        },
      },
    );
  },
});

const UNKNOWN = { name: 'unknown', params: { id: 'region_0123456789abcdef' }, status: 404 } as const;

const getRegion = operation({
  id: 'getRegion',
  method: 'GET',
  path: paths.region,
  auth: 'public',
  tag: 'work service',
  summary: 'Returns a published region with the addresses of its Items',
  params: RegionParams,
  responses: { 200: ok('The region', RegionBody), 304: NOT_MODIFIED },
  errors: [...PARAMETER_ERRORS, 'not_found'],
  examples: [UNKNOWN],
  handler: async ({ params }, deps) => preparedJson(await regionOf(deps, params.id)),
});

const deleteRegion = operation({
  id: 'removeRegion',
  method: 'DELETE',
  path: paths.region,
  auth: 'superuser',
  tag: 'work service',
  summary: 'Removes a region with its Items, tables and files (superusers only)',
  description:
    'Runs that compute the region are cancelled first. After the removal, the addresses of its Items and files respond 404. A later call of `export-asset` computes the region again.',
  params: RegionParams,
  responses: { 204: { description: 'The region is removed' } },
  errors: [...SUPERUSER_ERRORS, ...PARAMETER_ERRORS, 'not_found'],
  noStore: true,
  examples: [UNKNOWN],
  async handler({ principal, params }, deps) {
    await removeRegion(deps, principal, params.id);
    return { status: 204, headers: {}, body: undefined };
  },
});

/** Operations of regions: boxes for which the work service computed layers. */
export const regionOperations = [listRegions, getRegion, deleteRegion] satisfies readonly Operation[];
