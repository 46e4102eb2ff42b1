import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import type { Service } from '../seam/request.ts';
import { createNodeAnswer } from './answer-exchange.ts';

function answered(execute: Service['execute'], send = vi.fn()) {
  const fail = vi.fn();
  const message = new IncomingMessage(new Socket());
  const response = new ServerResponse(message);
  const exchange = { message, response, url: '/', remoteAddress: undefined, parsedBody: undefined };
  createNodeAnswer<string>({ send, fail })({ execute }, exchange, 'the reply');
  return { send, fail };
}

it('sends a synchronous response at once, and a promised response when the promise resolves', async () => {
  const response = { status: 204, headers: {}, body: undefined };
  expect(answered(() => response).send.mock.calls).toEqual([['the reply', response]]);
  const { send } = answered(async () => response);
  expect(send).not.toHaveBeenCalled();
  await setImmediate();
  expect(send.mock.calls).toEqual([['the reply', response]]);
});

it('passes errors of the service to the host', async () => {
  const error = new Error('broken');
  const thrown = answered(() => {
    throw error;
  });
  const rejected = answered(() => Promise.reject(error));
  await setImmediate();
  for (const { send, fail } of [thrown, rejected]) {
    expect(fail.mock.calls).toEqual([['the reply', error]]);
    expect(send).not.toHaveBeenCalled();
  }
});

it.each([true, false])(
  'cancels the stream of a response that cannot be sent; synchronous response: %s',
  async (isSync) => {
    const error = new Error('invalid header');
    const cancel = vi.fn();
    const response = { status: 200, headers: {}, body: new ReadableStream<Uint8Array>({ cancel }) };
    const send = vi.fn(() => {
      throw error;
    });
    const { fail } = answered(() => (isSync ? response : Promise.resolve(response)), send);
    await setImmediate();
    expect(fail.mock.calls).toEqual([['the reply', error]]);
    expect(cancel.mock.calls).toEqual([[error]]);
  },
);
