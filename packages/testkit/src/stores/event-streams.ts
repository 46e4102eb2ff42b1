import { createRunSignals, type RunSignals } from '@headwater/core/runs';
import { createHeadwater, createScryptHasher, toFetchHandler } from '@headwater/http-service';
import { expect, it, onTestFinished, vi } from 'vitest';
import type { Get } from './sample.ts';

const CREDENTIALS = { username: 'name', password: 'example-password' };
const RUN_ID = '01900000-0000-7000-8000-000000000001';
const EVENTS = 10;

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function readUpTo(reader: Reader, seq: number): Promise<void> {
  for (let text = ''; !text.includes(`id: ${seq}\n`);) {
    const { value, done } = await reader.read();
    if (done) throw new Error(`the stream ended before event ${seq}`);
    text = new TextDecoder().decode(value);
  }
}

/** Moments of a disconnect: before a read, while events are buffered, and while the client waits. */
const LEAVING: Readonly<Record<string, (reader: Reader) => Promise<void>>> = {
  before: async () => {},
  buffered: (reader) => readUpTo(reader, 3),
  waiting: async (reader) => {
    await readUpTo(reader, EVENTS);
    void reader.read();
  },
};

function countListeners(): () => number {
  const all = Object.getPrototypeOf(createRunSignals()) as RunSignals;
  const [on, off] = [vi.spyOn(all, 'on'), vi.spyOn(all, 'off')];
  onTestFinished(() => {
    on.mockRestore();
    off.mockRestore();
  });
  const countOf = (calls: readonly (readonly unknown[])[]): number =>
    calls.filter(([name]) => name === 'changed').length;
  return () => countOf(on.mock.calls) - countOf(off.mock.calls);
}

/** Test case of event streams, which must release resources after a disconnect. */
export function eventStreamCases(get: Get): void {
  it('a disconnected event stream leaves no listener and no longer counts towards the limit', async () => {
    const stores = get();
    const listeners = countListeners();
    const headwater = createHeadwater({
      baseUrl: 'http://headwater.example',
      secret: 'a key for suites only, never for a real service',
      stores,
      identity: { hasher: createScryptHasher({ N: 1024, r: 8, p: 1 }) },
      limits: { eventStreams: 1 },
    });
    const handler = toFetchHandler(headwater.service);
    const ask = (path: string, init?: RequestInit): Promise<Response> =>
      handler(new Request(`http://headwater.example/api/v1/${path}/`, init));
    const { id: ownerId } = await headwater.accounts.createUser(CREDENTIALS);
    const headers = { 'content-type': 'application/json' };
    const signedIn = await ask('auth/login', { method: 'POST', headers, body: JSON.stringify(CREDENTIALS) });
    const { access } = (await signedIn.json()) as { readonly access: string };
    await stores.runs.enqueue({ id: RUN_ID, pipeline: 'p', params: {}, fingerprint: 'f', ownerId });
    for (let seq = 2; seq <= EVENTS; seq += 1) await stores.runs.appendEvent(RUN_ID, { kind: 'log', data: { seq } });
    const before = listeners();
    for (const [when, leave] of Object.entries(LEAVING)) {
      const answer = await ask(`runs/${RUN_ID}/events`, { headers: { authorization: `Bearer ${access}` } });
      expect([when, answer.status]).toEqual([when, 200]);
      const reader = answer.body?.getReader();
      if (reader === undefined) throw new Error('the answer has no body');
      await leave(reader);
      await reader.cancel();
      expect([when, listeners() - before]).toEqual([when, 0]);
    }
  });
}
