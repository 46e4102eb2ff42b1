import { DomainError } from '@headwater/core';
import { startMap } from '../handlers/layer-order.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { json } from '../../../seam/reply.ts';
import { computeBody } from '../schemas/pipeline-body.ts';
import { exampleBody } from '../../../wire/request-names.ts';
import { paths } from '../../../wire/paths.ts';
import { OrderBody, orderRequest } from '../schemas/order.ts';
import { COMPUTING_ERRORS, BODY_ERRORS, ok } from '../../../rows/common.ts';
import { NO_PIXELS } from '../handlers/start-computation.ts';

const PLACE = { state: 'Sample State', district: 'Sample District', tehsil: 'Sample Tehsil' };
const YEARS = { startYear: 2021, endYear: 2023, eoAccountId: 1 };

const startOrder = operation({
  id: 'generateLayerInOrder',
  method: 'POST',
  path: paths.layerOrder,
  auth: 'computing',
  tag: 'computing',
  summary: 'Starts the layers of a map, each after the layers that it needs',
  description:
    'One run represents the whole order: it ends after the last layer, and fails with the first layer that fails. It counts as one run of the account. ' +
    'The response names the layers for which this service has no pipeline; layers that depend on such a layer wait for the layers before it instead. ' +
    'If a layer needs layers outside of the order, these are computed first. A stored result with the current inputs is reused; `overwrite=true` computes it again.',
  body: computeBody(orderRequest),
  responses: { 200: ok('The runs are stored', OrderBody) },
  errors: [...COMPUTING_ERRORS, ...BODY_ERRORS, 'not_found', 'throttled', 'missing_layer', 'unavailable', 'internal'],
  noStore: true,
  errorFormat: 'compute',
  examples: [
    { name: 'the available layers', body: exampleBody({ ...PLACE, ...YEARS, map: 'map_2_2' }), status: 200 },
    { name: 'nothing available', body: exampleBody({ ...PLACE, ...YEARS, map: 'map_2_1' }), status: 200 },
    { name: 'unknown map', body: exampleBody({ ...PLACE, ...YEARS, map: 'map_9' }), status: 400 },
  ],
  async handler({ principal, body }, deps) {
    if (!deps.canCompute) throw new DomainError('unavailable', NO_PIXELS);
    const request = orderRequest.parse(body.request);
    return json(200, await startMap(deps, { principal, request, overwrite: body.overwrite }));
  },
});

/** Operation that starts several layers with one request. */
export const orderOperations = [startOrder] satisfies readonly Operation[];
