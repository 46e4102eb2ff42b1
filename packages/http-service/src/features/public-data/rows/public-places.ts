import type { LonLat } from '@headwater/core/ports';
import type { TehsilNames } from '@headwater/core';
import type { Ports } from '../../../deps.ts';
import { EXAMPLE_POINT } from '../../../rows/example-world.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { preparedJson } from '../../../caching/prepared.ts';
import { absent } from '../../../wire/absent.ts';
import { paths } from '../../../wire/paths.ts';
import { ActiveLocations, adminBody, AdminDetails, MwsAtPoint, PointQuery } from '../schemas/public-places.ts';
import { NOT_MODIFIED } from '../../../rows/page-queries.ts';
import { KEY_ERRORS, ok, PARAMETER_ERRORS } from '../../../rows/common.ts';
import { KEY_ROW, PUBLIC_DATA_ERRORS } from './public-layers.ts';

const getAdminDetails = operation({
  ...KEY_ROW,
  id: 'getAdminDetailsByLatLon',
  path: paths.adminAtPoint,
  summary: 'Returns the state, district and tehsil at a point',
  description:
    'A point on a border belongs to the tehsil; if several tehsils share the border, the first one by the slugs of state, district and tehsil is returned.',
  query: PointQuery,
  responses: { 200: ok('Names of the tehsil', AdminDetails), 304: NOT_MODIFIED },
  errors: PUBLIC_DATA_ERRORS,
  examples: [
    { name: 'inside', query: EXAMPLE_POINT, status: 200 },
    { name: 'nowhere', query: { latitude: '0', longitude: '0' }, status: 404 },
    { name: 'not a number', query: { ...EXAMPLE_POINT, latitude: 'NaN' }, status: 400 },
  ],
  async handler({ query }, deps) {
    return preparedJson(adminBody(await tehsilAt(deps, query)));
  },
});

const getMwsId = operation({
  ...KEY_ROW,
  id: 'getMwsIdByLatLon',
  path: paths.mwsAtPoint,
  summary: 'Returns the micro-watershed at a point, with its state, district and tehsil',
  description: 'If several micro-watersheds share a border at the point, the first one by uid is returned.',
  query: PointQuery,
  responses: { 200: ok('Names of the tehsil and uid of the micro-watershed', MwsAtPoint), 304: NOT_MODIFIED },
  errors: PUBLIC_DATA_ERRORS,
  examples: [
    { name: 'inside', query: EXAMPLE_POINT, status: 200 },
    { name: 'no micro-watershed there', query: { latitude: '24.01', longitude: '85.09' }, status: 404 },
    { name: 'out of range', query: { ...EXAMPLE_POINT, longitude: '180.5' }, status: 400 },
  ],
  async handler({ query }, deps) {
    const names = await tehsilAt(deps, query);
    const { lookups } = deps.stores;
    const uid = await lookups.mwsAt(names.tehsilId, query);
    if (uid !== undefined) return preparedJson({ ...adminBody(names), mws_id: uid, uid });
    const { mws } = await lookups.unitsBelow(names.tehsilId);
    throw mws ? absent('mwsAt', {}) : absent('mwsLayer', { tehsil: names.tehsil });
  },
});

async function tehsilAt({ stores }: Ports<'stores'>, { latitude, longitude }: LonLat): Promise<TehsilNames> {
  const found = await stores.lookups.tehsilAt({ latitude, longitude });
  if (found !== undefined) return found;
  const swapped =
    Math.abs(longitude) <= 90 ? await stores.lookups.tehsilAt({ latitude: longitude, longitude: latitude }) : undefined;
  if (swapped === undefined) throw absent('tehsilAt', {});
  const sent = { latitude: String(latitude), longitude: String(longitude) };
  throw absent('tehsilAtSwapped', { ...sent, tehsil: swapped.tehsil });
}

const getActiveLocations = operation({
  ...KEY_ROW,
  id: 'getActiveLocations',
  path: paths.activeLocations,
  summary: 'Lists active states with their active districts and tehsils',
  responses: { 200: ok('Locations, ordered by name at each level', ActiveLocations), 304: NOT_MODIFIED },
  errors: [...KEY_ERRORS, ...PARAMETER_ERRORS],
  examples: [{ name: 'all', status: 200 }],
  handler: (_input, { lists }) => lists.activeLocations(),
});

const getProposedBlocks = operation({
  id: 'getProposedBlocks',
  method: 'GET',
  path: paths.proposedBlocks,
  auth: 'public',
  tag: 'places',
  summary: 'Lists the active locations (no API key needed)',
  responses: { 200: ok('Locations, ordered by name at each level', ActiveLocations), 304: NOT_MODIFIED },
  errors: [],
  examples: [{ name: 'all', status: 200 }],
  // Every proxy may cache this response, because the request needs no key.
  handler: (_input, { lists }) => lists.activeLocations(),
});

/** Operations of places by position, and of active places. */
export const publicPlaceOperations = [
  getAdminDetails,
  getMwsId,
  getActiveLocations,
  getProposedBlocks,
] satisfies readonly Operation[];
