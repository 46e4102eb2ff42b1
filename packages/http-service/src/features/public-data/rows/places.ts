import type { Auth } from '@headwater/identity';
import type { ErrorCode } from '@headwater/core';
import type { z } from 'zod';
import { operation, type Operation } from '../../../rows/operation.ts';
import { preparedJson } from '../../../caching/prepared.ts';
import { json } from '../../../seam/reply.ts';
import { absent } from '../../../wire/absent.ts';
import { badMember } from '../../../wire/request-error.ts';
import { sentences } from '../../../wire/sentences.ts';
import {
  ActivatedBody,
  ActivateRequest,
  blockBody,
  Blocks,
  districtBody,
  DistrictId,
  Districts,
  stateBody,
  StateId,
  States,
} from '../schemas/places.ts';
import { NOT_MODIFIED } from '../../../rows/page-queries.ts';
import { BODY_ERRORS, ok, PARAMETER_ERRORS, SUPERUSER_ERRORS } from '../../../rows/common.ts';
import { paths } from '../../../wire/paths.ts';

const listStates = operation({
  id: 'listStates',
  method: 'GET',
  path: paths.states,
  auth: 'public',
  tag: 'places',
  summary: 'Lists the states of the place directory',
  responses: { 200: ok('All states', States), 304: NOT_MODIFIED },
  errors: [],
  examples: [{ name: 'all', status: 200 }],
  async handler(_input, { stores }) {
    return preparedJson({ states: (await stores.places.states()).map(stateBody) });
  },
});

const listDistricts = operation({
  id: 'listDistricts',
  method: 'GET',
  path: paths.districts,
  auth: 'public',
  tag: 'places',
  summary: 'Lists the districts of a state; empty for an unknown state',
  params: StateId,
  responses: { 200: ok('Districts of the state', Districts), 304: NOT_MODIFIED },
  errors: PARAMETER_ERRORS,
  examples: [
    { name: 'first state', params: { state_id: '1' }, status: 200 },
    { name: 'not a number', params: { state_id: 'x' }, status: 400 },
  ],
  async handler({ params }, { stores }) {
    return preparedJson({ districts: (await stores.places.districts(params.state_id)).map(districtBody) });
  },
});

const listBlocks = operation({
  id: 'listBlocks',
  method: 'GET',
  path: paths.blocks,
  auth: 'public',
  tag: 'places',
  summary: 'Lists the tehsils (blocks) of a district; empty for an unknown district',
  params: DistrictId,
  responses: { 200: ok('Tehsils of the district', Blocks), 304: NOT_MODIFIED },
  errors: PARAMETER_ERRORS,
  examples: [{ name: 'first district', params: { district_id: '1' }, status: 200 }],
  async handler({ params }, { stores }) {
    return preparedJson({ blocks: (await stores.places.tehsilUnits(params.district_id)).map(blockBody) });
  },
});

/** Callers who may activate places. `anybody`: all callers, because existing dashboards send no token. */
export type ActivationRule = 'superuser' | 'anybody';

const ACTIVATE_ROW = {
  id: 'activateLocation',
  method: 'PATCH',
  path: paths.activateLocation,
  errorFormat: 'withError',
  tag: 'places',
  description:
    'The lists of active locations, such as `get_active_locations/`, leave out inactive places; other routes do not. A place can be activated only if the places above it are active. Deactivating a place changes no other place.',
  body: ActivateRequest,
  responses: { 200: ok('The location and its new state', ActivatedBody) },
  examples: [
    { name: 'unknown', body: { location_type: 'state', location_id: 99_999, active: true }, status: 404 },
    { name: 'active already', body: { location_type: 'block', location_id: 1, active: true }, status: 200 },
  ],
  async handler({ body }, { stores }) {
    const { location_type: type, location_id: id, active } = body;
    const level = type === 'block' ? 'tehsil' : type;
    const outcome = await stores.places.setActive({ level, id }, active);
    if (outcome === 'unknown') throw absent('unit', { level: type, id: String(id) });
    if (outcome === 'inactive_above') {
      throw badMember('location_id', sentences.inactiveAbove(type === 'district' ? 'district' : 'block'));
    }
    return json(200, { message: sentences.activated(type, active, outcome === 'changed'), ...body });
  },
} satisfies Omit<Operation<Auth, unknown, unknown, z.infer<typeof ActivateRequest>>, 'auth' | 'summary' | 'errors'>;

const activationErrors: readonly ErrorCode[] = [...BODY_ERRORS, 'not_found'];
const ACTIVATION: Readonly<Record<ActivationRule, Operation>> = {
  superuser: operation({
    ...ACTIVATE_ROW,
    auth: 'superuser',
    summary: 'Activates or deactivates a state, district or tehsil (block); superusers only',
    errors: [...SUPERUSER_ERRORS, ...activationErrors],
  }),
  anybody: operation({
    ...ACTIVATE_ROW,
    auth: 'public',
    summary: 'Activates or deactivates a state, district or tehsil (block); the operator opened this to all callers',
    errors: activationErrors,
  }),
};

/** Operations of the place directory. */
export function placeOperations(activation: ActivationRule): readonly Operation[] {
  return [listStates, listDistricts, listBlocks, ACTIVATION[activation]];
}
