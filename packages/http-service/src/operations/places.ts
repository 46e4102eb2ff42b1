import { operation, type Operation } from '../operation.ts';
import { preparedJson } from '../prepared.ts';
import {
  blockBody,
  Blocks,
  districtBody,
  DistrictId,
  Districts,
  stateBody,
  StateId,
  States,
} from '../wire/schemas/places.ts';
import { CALLER_HAS_IT } from './answers.ts';
import { ok, PARAMETER_ERRORS } from './common.ts';
import { paths } from '../wire/paths.ts';

const listStates = operation({
  id: 'listStates',
  method: 'GET',
  path: paths.states,
  auth: 'public',
  tag: 'places',
  summary: 'Lists the states of the place directory',
  responses: { 200: ok('All states', States), 304: CALLER_HAS_IT },
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
  summary: 'Lists the districts of a state; an unknown state has none',
  params: StateId,
  responses: { 200: ok('Its districts', Districts), 304: CALLER_HAS_IT },
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
  summary: 'Lists the tehsils (blocks) of a district; an unknown district has none',
  params: DistrictId,
  responses: { 200: ok('Its tehsils', Blocks), 304: CALLER_HAS_IT },
  errors: PARAMETER_ERRORS,
  examples: [{ name: 'first district', params: { district_id: '1' }, status: 200 }],
  async handler({ params }, { stores }) {
    return preparedJson({ blocks: (await stores.places.tehsilUnits(params.district_id)).map(blockBody) });
  },
});

/** The place directory. */
export const placeOperations = [listStates, listDistricts, listBlocks] satisfies readonly Operation[];
