import type { Run } from '@headwater/core';
import type { StartedOrder } from '@headwater/core/runs';
import { expect, it } from 'vitest';
import { orderBody } from './order.ts';

const run: Run = {
  id: 'r1',
  pipeline: 'lulc_vector',
  params: {},
  fingerprint: 'f',
  ownerId: 1,
  backend: 'local',
  queue: 'nrm',
  dagId: null,
  dagRunId: null,
  runTokenHash: null,
  requestId: null,
  publishedBy: null,
  parentId: null,
  after: [],
  awaits: [],
  state: 'success',
  progress: 1,
  step: null,
  attempt: 1,
  token: 1,
  workerId: null,
  leaseUntil: null,
  cancelRequested: false,
  error: null,
  itemIds: [],
  timings: {},
  inputs: null,
  createdAt: '2026-01-01T00:00:00Z',
  startedAt: null,
  finishedAt: null,
};

/** An order of nodes, each with a reused or a new result. */
const orderOf = (...reused: readonly boolean[]): StartedOrder => ({
  run,
  joined: false,
  nodes: reused.map((each, index) => ({ name: `node ${index}`, pipeline: 'lulc_vector', run, reused: each })),
});

it.each([
  {
    outcome: 'some layer is computed',
    started: orderOf(true, false),
    status: 'initiated',
    text: 'Successfully initiated',
  },
  {
    outcome: 'every layer exists already',
    started: orderOf(true, true),
    status: 'success',
    text: 'Nothing to compute: all available layers exist already',
  },
  {
    outcome: 'no layer can be computed',
    started: undefined,
    status: 'not_available',
    text: 'Nothing initiated: this service has no pipeline for any layer of map_1',
  },
])('an order reports its outcome: $outcome', ({ started, status, text }) => {
  expect(orderBody('map_1', started, ['aquifer_vector'])).toMatchObject({ status, Success: text, message: text });
});
