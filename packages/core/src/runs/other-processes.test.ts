import { afterEach, expect, it } from 'vitest';
import { createManualTime } from '../testing/manual-time.ts';
import { createMemoryDomainStores } from '../memory/stores.ts';
import type { RunChange, RunChanges } from '../ports/installation.ts';
import { bench, CLAIM, principal, type Bench } from './bench.fixture.ts';
import { createRunService } from './service.ts';
import { createRunSignals, relayChanges } from './signals.ts';

function changeSource(): RunChanges & { readonly emit: (change: RunChange) => void; readonly size: () => number } {
  const listeners = new Set<(change: RunChange) => void>();
  return {
    listen: (onChange) => {
      listeners.add(onChange);
      return () => void listeners.delete(onChange);
    },
    emit: (change) => listeners.forEach((listener) => listener(change)),
    size: () => listeners.size,
  };
}

let b: Bench | undefined;
afterEach(async () => {
  await b?.stopAll();
  b = undefined;
});

it('a cancel by another process stops the pipeline immediately, before the next heartbeat', async () => {
  b = bench();
  const changes = changeSource();
  const end = relayChanges(changes, b.signals);
  b.worker().start();
  const id = await b.start(1);
  const { context } = await b.step();
  await b.stores.runs.requestCancel(id);
  changes.emit({ kind: 'cancel', runId: 'another' });
  await b.time.advance(0);
  expect(context.signal.aborted).toBe(false);
  changes.emit({ kind: 'cancel', runId: id });
  await b.time.advance(0);
  expect(context.signal.aborted).toBe(true);
  expect(await b.stores.runs.get(id)).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
  end();
  expect(changes.size()).toBe(0);
});

it('a process that missed changes reads them from the store: a queued run and a cancel', async () => {
  b = bench();
  const changes = changeSource();
  const end = relayChanges(changes, b.signals);
  b.worker().start();
  await b.time.advance(0);
  const stored = { id: 'r1', pipeline: 'test', params: { n: 1 }, fingerprint: 'f', ownerId: 1 };
  await b.stores.runs.enqueue(stored);
  await b.time.advance(0);
  expect(b.begun()).toBe(0);
  changes.emit({ kind: 'missed' });
  const { context } = await b.step();
  await b.stores.runs.requestCancel('r1');
  changes.emit({ kind: 'missed' });
  await b.time.advance(0);
  expect(context.signal.aborted).toBe(true);
  end();
});

it('an event of another process is delivered immediately, before the next poll', async () => {
  const time = createManualTime();
  const stores = createMemoryDomainStores({ clock: time });
  const [changes, signals] = [changeSource(), createRunSignals()];
  relayChanges(changes, signals);
  const service = createRunService({ stores, signals, clock: time, timers: time });
  await stores.runs.enqueue({
    id: 'r1',
    pipeline: 'test',
    params: {},
    fingerprint: 'f',
    ownerId: principal(1).user.id,
  });
  await stores.runs.claim(CLAIM);
  const seen: unknown[] = [];
  const stop = new AbortController();
  const reading = (async () => {
    for await (const { kind } of service.subscribe('r1', 0, stop.signal)) seen.push(kind);
  })();
  await time.advance(0);
  await stores.runs.appendEvent('r1', { kind: 'log', data: {} });
  await time.advance(0);
  expect(seen).toEqual(['state', 'state']);
  changes.emit({ kind: 'changed', runId: 'r1' });
  await time.advance(0);
  expect(seen).toEqual(['state', 'state', 'log']);
  stop.abort();
  await reading;
});
