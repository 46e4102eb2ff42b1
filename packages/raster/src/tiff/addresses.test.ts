import type { RequestListener } from 'node:http';
import { Network } from '@headwater/net';
import { afterEach, describe, expect, it } from 'vitest';
import { listenOnLoopback, type Loopback } from '../../../../scripts/loopback.mjs';
import { stillClock } from '../../../../scripts/still-clock.mjs';
import { openHttpSource } from './http-source.ts';

const open: Loopback[] = [];
afterEach(() => Promise.all(open.splice(0).map((listener) => listener.close())));

async function listen(answer: RequestListener = (_, response) => void response.end('{}')): Promise<Loopback> {
  const listener = await listenOnLoopback(answer);
  open.push(listener);
  return listener;
}

/** Network that retries for more than a day, on a simulated clock that records each pause. */
function patient({ allowedOrigins }: { readonly allowedOrigins: readonly string[] }) {
  const { pauses, tools } = stillClock();
  return { pauses, network: new Network({ settings: { patienceMs: 100_000_000, allowedOrigins }, tools }) };
}

const refused = (message: RegExp) => ({ code: 'input_data', message: expect.stringMatching(message) });

describe('a raster at an address that is not public', () => {
  it('is not requested, and not retried', async () => {
    const hidden = await listen();
    const { network, pauses } = patient({ allowedOrigins: [] });
    for (const host of ['127.0.0.1', '127.1', '0x7f000001', '[::1]', '[::ffff:127.0.0.1]', '0.0.0.0']) {
      const href = `http://${host}:${hidden.port}/x.tif`;
      await expect(openHttpSource(href, { network }), href).rejects.toMatchObject(
        refused(/to which no requests are sent/),
      );
    }
    expect([hidden.asked, pauses]).toEqual([[], []]);
  });
});

describe('a response body', () => {
  it('of a range is refused if it is longer than the requested range', async () => {
    const front = await listen((_, response) => void response.writeHead(206).end(new Uint8Array(16 * 1024 + 1)));
    const { network } = patient({ allowedOrigins: [front.origin] });
    const opened = openHttpSource(`${front.origin}/x.tif`, { network });
    await expect(opened).rejects.toMatchObject(refused(/larger than the 16384 bytes/));
  });

  it('of a range that would fill the memory is not requested', async () => {
    const head = { 'content-range': 'bytes 0-3/999999999999' };
    const front = await listen((_, response) => void response.writeHead(206, head).end('II*\0'));
    const { network } = patient({ allowedOrigins: [front.origin] });
    const source = await openHttpSource(`${front.origin}/x.tif`, { network });
    await expect(source.read(0, 2 ** 31)).rejects.toMatchObject(
      refused(/would need 2147483648 bytes; rewrite it as COG/),
    );
    expect(front.asked).toHaveLength(1);
  });
});
