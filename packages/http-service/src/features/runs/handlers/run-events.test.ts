import { createRunService, createRunSignals, type RunSignals } from '@headwater/core/runs';
import type { RunEvent } from '@headwater/core';
import { createMemoryStores } from '@headwater/identity/memory';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventStream } from './run-events.ts';

const RUN_ID = '0190a000-0000-7000-8000-000000000001';
const EVENTS = 250;

interface Followed {
  readonly reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly signals: RunSignals;
  readonly readAll: () => Promise<void>;
}

async function follow(change: (event: RunEvent) => RunEvent = (event) => event): Promise<Followed> {
  const [stores, signals, stop] = [createMemoryStores(), createRunSignals(), new AbortController()];
  await stores.runs.enqueue({ id: RUN_ID, pipeline: 'p', params: {}, fingerprint: 'f', ownerId: 1 });
  for (let count = 1; count < EVENTS; count += 1) await stores.runs.appendEvent(RUN_ID, { kind: 'log', data: {} });
  const { subscribe } = createRunService({ stores, signals, clock: { now: () => new Date() } });
  const events = async function* (): AsyncGenerator<RunEvent> {
    for await (const event of subscribe(RUN_ID, 0, stop.signal)) yield change(event);
  };
  const reader = eventStream(events(), () => stop.abort()).getReader();
  const readAll = async (): Promise<void> => {
    for (let count = 0; count <= EVENTS; count += 1) await reader.read();
  };
  return { reader, signals, readAll };
}

afterEach(() => void vi.useRealTimers());

describe('a client that leaves an event stream leaves no listener behind', () => {
  it('if it leaves before it has read anything', async () => {
    const { reader, signals } = await follow();
    await reader.cancel();
    expect(signals.listenerCount('changed')).toBe(0);
  });

  it('if it leaves while events are pending that it has not read', async () => {
    const { reader, signals } = await follow();
    for (let frame = 0; frame < 3; frame += 1) await reader.read();
    expect(signals.listenerCount('changed')).toBe(1);
    await reader.cancel();
    expect(signals.listenerCount('changed')).toBe(0);
  });

  it('if it leaves while the run has no new events', async () => {
    const { reader, signals, readAll } = await follow();
    await readAll();
    const rest = reader.read();
    await reader.cancel();
    expect([(await rest).done, signals.listenerCount('changed')]).toEqual([true, 0]);
  });

  it('if it leaves after a heartbeat', async () => {
    vi.useFakeTimers();
    const { reader, signals, readAll } = await follow();
    await readAll();
    const beat = reader.read();
    await vi.advanceTimersByTimeAsync(15_000);
    expect(new TextDecoder().decode((await beat).value)).toBe(': heartbeat\n\n');
    await reader.cancel();
    expect([signals.listenerCount('changed'), vi.getTimerCount()]).toEqual([0, 0]);
  });
});

it('ends the stream at an event that cannot be serialized, and leaves no listener behind', async () => {
  const { reader, signals } = await follow((event) => {
    const data: Record<string, unknown> = {};
    return { ...event, data: Object.assign(data, { itself: data }) };
  });
  await reader.read();
  await expect(reader.read()).rejects.toThrow(/circular/);
  expect(signals.listenerCount('changed')).toBe(0);
});
