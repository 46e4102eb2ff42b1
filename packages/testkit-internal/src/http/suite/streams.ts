import { describe, expect } from 'vitest';
import { EXAMPLE_RUN } from '@headwater/http-service';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, jsonInit, sendRaw, useHarness } from './harness.ts';

const FILE = `/api/v1/assets/${EXAMPLE_RUN}/1/example.tif`;

/** Test cases of streams, backpressure, aborts, and errors of handlers. */
export function streamCases(target: HttpTarget): void {
  describe('streams and failures', () => {
    const harness = useHarness(target);
    defineCase(
      target,
      'the source of a stream is paused if the client stops reading, and cancelled if it disconnects',
      async () => {
        const { get, probes } = harness();
        const abort = new AbortController();
        const answer = await get('/probe/stream', { signal: abort.signal });
        const reader = answer.body?.getReader();
        const { value } = (await reader?.read()) ?? {};
        expect(value?.byteLength).toBeGreaterThan(0);
        // The source must pause when buffers are full, and other requests must be served.
        for (let round = 0; round < 50; round += 1) await (await get('/probe/get/')).text();
        expect(probes.produced()).toBeLessThan(1024);
        abort.abort();
        await probes.streamCancelled;
      },
    );
    unsentCases(target, harness);
    defineCase(target, 'the signal of the handler aborts when the client disconnects', async () => {
      const { get, probes } = harness();
      const abort = new AbortController();
      const answer = get('/probe/wait', { signal: abort.signal }).catch((error: unknown) => error);
      await probes.isWaiting;
      abort.abort();
      await probes.signalAborted;
      expect(await answer).toMatchObject({ name: 'AbortError' });
    });
    defineCase(target, 'a failing stream aborts the response', async () => {
      const answer = await harness().get('/probe/breaks');
      await expect(answer.arrayBuffer()).rejects.toThrow(/./);
    });
    for (const name of ['throws', 'throws-text']) {
      defineCase(target, `a handler that ${name} causes a 500 with the request id, not the error text`, async () => {
        const answer = await harness().get(`/probe/${name}`);
        const text = await answer.text();
        expect(answer.status).toBe(500);
        expect(text).not.toContain('secret');
        expect(JSON.parse(text)).toMatchObject({ code: 'internal', request_id: answer.headers.get('x-request-id') });
      });
    }
    defineCase(target, 'a domain error has its own status and headers', async () => {
      const answer = await harness().get('/probe/throws-domain');
      expect([answer.status, answer.headers.get('retry-after')]).toEqual([429, '2']);
    });
    rangeCases(target, harness);
    runCases(target, harness);
  });
}

/** A stream that is not sent to its end must be cancelled: after a disconnect, a rejected header or a HEAD request. */
function unsentCases(target: HttpTarget, harness: ReturnType<typeof useHarness>): void {
  defineCase(target, 'disconnecting from a stalled stream cancels it', async () => {
    const { get, probes } = harness();
    const abort = new AbortController();
    await get('/probe/unsent-silent', { signal: abort.signal });
    abort.abort();
    await probes.unsentCancelled.silent;
  });
  defineCase(target, 'a stream created after the client disconnected is cancelled', async () => {
    const { get, probes } = harness();
    const abort = new AbortController();
    const answer = get('/probe/unsent-late', { signal: abort.signal }).catch(() => {});
    await probes.lateCalled;
    abort.abort();
    await Promise.all([answer, probes.unsentCancelled.late]);
  });
  defineCase(target, 'a stream with headers that the host rejects is cancelled', async () => {
    const { get, probes } = harness();
    await get('/probe/unsent-refused').catch(() => {});
    await probes.unsentCancelled.refused;
  });
  defineCase(target, 'a stream requested by HEAD is cancelled', async () => {
    const { get, probes } = harness();
    expect((await get('/probe/unsent-head', { method: 'HEAD' })).status).toBe(200);
    await probes.unsentCancelled.head;
  });
}

function rangeCases(target: HttpTarget, harness: ReturnType<typeof useHarness>): void {
  const ask = (headers: Record<string, string>): Promise<Response> => harness().get(FILE, { headers });
  defineCase(target, 'ranges of a file: first, middle, suffix, open, beyond the end', async () => {
    const whole = new Uint8Array(await (await ask({})).arrayBuffer());
    const wanted = {
      'bytes=0-3': [0, 4],
      'bytes=100-199': [100, 200],
      'bytes=-5': [4995, 5000],
      'bytes=4990-': [4990, 5000],
    };
    for (const [range, [start, end]] of Object.entries(wanted)) {
      const answer = await ask({ range });
      expect(answer.status).toBe(206);
      expect(answer.headers.get('content-range')).toBe(`bytes ${start}-${(end ?? 0) - 1}/5000`);
      expect(new Uint8Array(await answer.arrayBuffer())).toEqual(whole.slice(start, end));
    }
    const beyond = await ask({ range: 'bytes=5000-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */5000']);
  });
  defineCase(target, 'If-Range of another version returns the whole file; known validators return 304', async () => {
    const head = await harness().get(FILE, { method: 'HEAD' });
    expect([head.status, head.headers.get('content-length'), head.headers.get('accept-ranges')]).toEqual([
      200,
      '5000',
      'bytes',
    ]);
    const etag = head.headers.get('etag') ?? '';
    expect((await ask({ range: 'bytes=0-3', 'if-range': etag })).status).toBe(206);
    expect((await ask({ range: 'bytes=0-3', 'if-range': '"other"' })).status).toBe(200);
    expect((await ask({ 'if-none-match': etag })).status).toBe(304);
    expect((await ask({ 'if-modified-since': head.headers.get('last-modified') ?? '' })).status).toBe(304);
  });
}

function runCases(target: HttpTarget, harness: ReturnType<typeof useHarness>): void {
  const body = { state: 'Sample State', district: 'Sample District', block: 'Sample Tehsil', eo_account_id: 1 };
  defineCase(
    target,
    'a run is accepted; its event stream (SSE) is read to the end, and again from a given event',
    async () => {
      const { get, token } = harness();
      const headers = { authorization: `Bearer ${await token('owner')}` };
      const request = jsonInit({ ...body, start_year: 2019, end_year: 2019 }, headers);
      const accepted = await get('/api/v1/lulc_for_tehsil/', request);
      const { run_id: id } = (await accepted.json()) as { run_id: string };
      expect(accepted.headers.get('location')).toBe(`http://headwater.example/api/v1/runs/${id}/`);
      const events = await get(`/api/v1/runs/${id}/events/`, { headers });
      expect(events.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
      const text = await events.text();
      const ids = [...text.matchAll(/^id: (\d+)$/gm)].map(([, seq]) => Number(seq));
      expect(ids).toEqual(ids.map((_each, index) => index + 1));
      expect(text).toContain('event: log');
      expect(text.trimEnd().split('\n\n').at(-1)).toMatch(/"state":"success"/);
      const rest = await get(`/api/v1/runs/${id}/events/`, { headers: { ...headers, 'last-event-id': '1' } });
      expect(await rest.text()).toContain('id: 2\n');
      const after = { ...headers, 'last-event-id': String(ids.at(-1)) };
      expect((await get(`/api/v1/runs/${id}/events/`, { headers: after })).status).toBe(204);
    },
  );
  defineCase(target, 'an unknown place is refused with the error members that dashboards show', async () => {
    const { host, token } = harness();
    const answer = await sendRaw(host.url, '/api/v1/lulc_v3/', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await token('owner')}` },
      chunks: [JSON.stringify({ ...body, block: 'Nowhere', start_year: 2019, end_year: 2019 })],
    });
    expect(answer.status).toBe(404);
    const problem = JSON.parse(answer.body) as Record<string, unknown>;
    expect(problem).toMatchObject({ status: 'error', code: 'not_found' });
    expect(problem['block']).toEqual([expect.stringContaining('Nowhere')]);
    expect([problem['error'], problem['message']]).toEqual([problem['detail'], problem['detail']]);
  });
}
