import type { PixelEngine } from '@headwater/core';
import type { Stores } from '@headwater/identity';
import { createMemoryAssets } from '@headwater/core/memory';
import { createMemoryStores } from '@headwater/identity/memory';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { toFetchHandler } from '../hosts/fetch-handler.ts';
import { createHeadwater } from '../headwater.ts';
import type { HeadwaterOptions } from '../headwater-options.ts';
import type { Operation } from '../rows/operation.ts';
import type { Reply } from '../seam/reply.ts';

const ROW = {
  method: 'GET',
  auth: 'public',
  tag: 'tests',
  summary: 'Test',
  errors: [],
  examples: [{ name: 'test', status: 200 }],
  responses: { 200: { description: 'Anything', schema: z.unknown(), media: ['text/plain'] } },
} as const;

interface Closing {
  readonly ask: (path: string) => Promise<Response>;
  readonly close: (graceMs?: number) => Promise<void>;
  readonly events: string[];
}

function serviceOf(handler: (stores: Stores) => Promise<Reply>, more: Partial<HeadwaterOptions> = {}): Closing {
  const events: string[] = [];
  const memory = createMemoryStores();
  const stores: Stores = { ...memory, close: async () => void events.push('stores are closed') };
  const operation: Operation = { ...ROW, id: 'slow', path: '/slow', handler: async () => await handler(stores) };
  const headwater = createHeadwater({
    baseUrl: 'http://localhost',
    secret: 'a key for tests only, never for a real service',
    stores,
    operations: [operation],
    tags: { tests: 'rows of tests' },
    ...more,
  });
  const answer = toFetchHandler(headwater.service);
  const ask = (path: string): Promise<Response> => answer(new Request(`http://localhost${path}`));
  return { ask, close: headwater.close, events };
}

it('answers a request in progress before the stores are closed', async () => {
  const go = Promise.withResolvers<void>();
  const { ask, close, events } = serviceOf(async () => {
    await go.promise;
    events.push('the handler is done');
    return { status: 200, json: {} };
  });
  const answer = ask('/slow');
  const closed = close();
  expect((await ask('/api/v1/get_states/')).status).toBe(503);
  go.resolve();
  expect((await answer).status).toBe(200);
  await closed;
  expect(events).toEqual(['the handler is done', 'stores are closed']);
});

it.each(['read', 'cancelled'] as const)('closes the stores only after a stream in progress is %s', async (end) => {
  const { ask, close, events } = serviceOf(async () => {
    let pieces = 0;
    const pull = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
      pieces += 1;
      controller.enqueue(Buffer.from('piece'));
      if (pieces === 3) controller.close();
    };
    const body = new ReadableStream<Uint8Array>({ pull }, { highWaterMark: 0 });
    return { status: 200, headers: { 'content-type': 'text/plain' }, body };
  });
  const reader = (await ask('/slow')).body?.getReader();
  await reader?.read();
  const closed = close();
  await ask('/api/health');
  expect(events).toEqual([]);
  if (end === 'cancelled') await reader?.cancel();
  else while ((await reader?.read())?.done === false);
  await closed;
  expect(events).toEqual(['stores are closed']);
});

it('does not wait for a request longer than the grace period', async () => {
  const { ask, close, events } = serviceOf(() => new Promise(() => {}));
  void ask('/slow');
  await close(5);
  expect(events).toEqual(['stores are closed']);
});

it("refuses a request after the service was closed, in the row's error format", async () => {
  const { ask, close } = serviceOf(async () => ({ status: 200, json: {} }));
  await close();
  const refused = await ask('/slow');
  expect([refused.status, Number(refused.headers.get('retry-after'))]).toEqual([503, 5]);
  expect(await refused.json()).toMatchObject({
    code: 'unavailable',
    detail: 'The service is closing; try again shortly.',
    request_id: refused.headers.get('x-request-id'),
  });
});

it('if the pixel engine cannot be closed, still closes the stores, and then throws the error of the engine', async () => {
  const close = async (): Promise<void> => {
    throw new Error('the pixel engine does not close');
  };
  const pixels = { close, release: async () => {} } as Partial<PixelEngine> as PixelEngine;
  const assets = createMemoryAssets();
  const compute = { assets, pixels, earthObservation: { search: async () => ({ scenes: [], rejected: [] }) } };
  const { close: end, events } = serviceOf(async () => ({ status: 200, json: {} }), { compute });
  await expect(end(5)).rejects.toThrow('the pixel engine does not close');
  expect(events).toEqual(['stores are closed']);
});
