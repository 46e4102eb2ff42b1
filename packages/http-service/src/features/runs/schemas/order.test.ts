import type { StartedOrder } from '@headwater/core/runs';
import { expect, it } from 'vitest';
import { RUN as run } from '../run.fixture.ts';
import { orderBody } from './order.ts';

/** An order with one node per argument. True: a stored result is reused. */
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
