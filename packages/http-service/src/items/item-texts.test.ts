import { createRunSignals, withItemForm } from '@headwater/core/runs';
import type { ItemForm, ItemSearch } from '@headwater/core/ports';
import { type Logger, SILENT } from '@headwater/core';
import type { Stores } from '@headwater/identity';
import { createMemoryStores } from '@headwater/identity/memory';
import { describe, expect, it, vi } from 'vitest';
import { createItemTexts } from './item-texts.ts';

const PATH = 'assam/cachar/lakhipur';
const MANY = 130;

function counting(name: string): ItemForm & { readonly written: () => number } {
  let count = 0;
  const text = (): string => {
    count += 1;
    return `{"form":"${name}"}`;
  };
  return { name, text, written: () => count };
}

let runs = 0;

async function publish(stores: Pick<Stores, 'runs'>, count: number): Promise<void> {
  runs += 1;
  const id = `r${runs}`;
  await stores.runs.enqueue({ id, pipeline: 'p', params: {}, fingerprint: id, ownerId: 1 });
  const run = await stores.runs.claim({ workerId: 'w', leaseMs: 60_000, pipelines: ['p'], maxAttempts: 1 });
  const items = Array.from({ length: count }, (_item, index) => {
    const name = `${id}_${index}`;
    return { id: name, collectionPath: PATH, item: { id: name, properties: {} } };
  });
  const outcome = await stores.runs.publish(id, run?.token ?? 0, { items, layers: [], timings: {} });
  expect(outcome).toBe('ok');
}

function textsOf(search: Pick<ItemSearch, 'unwritten' | 'write'>, form: ItemForm) {
  const signals = createRunSignals();
  const error = vi.fn<Logger['error']>();
  const logger: Logger = { ...SILENT, error };
  // Each pause of the job is one `setImmediate`, so that the test can run during the pause.
  const sleep = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));
  const itemTexts = createItemTexts({ search, form, signals, timers: { sleep }, logger });
  return { signals, error, ...itemTexts };
}

const expectAllWritten = async ({ search }: Stores, form: ItemForm): Promise<void> =>
  expect(await search.unwritten(form)).toBe(0);

describe('texts of Items', () => {
  it('are all written at the start, and later for Items that are published without text', async () => {
    const stores = createMemoryStores();
    const form = counting('a');
    await publish(stores, MANY);
    const { start, close, signals } = textsOf(stores.search, form);
    start();
    start();
    await vi.waitFor(() => expectAllWritten(stores, form));
    await publish(stores, 3);
    signals.emit('changed', 'r1');
    await vi.waitFor(() => expectAllWritten(stores, form));
    expect(form.written()).toBe(MANY + 3);
    await close();
    await publish(stores, 1);
    signals.emit('changed', 'r2');
    expect(await stores.search.unwritten(form)).toBe(1);
  });

  it('are written by the publication itself, so that no text is missing afterwards', async () => {
    const stores = createMemoryStores();
    const form = counting('a');
    await publish({ runs: withItemForm(form, stores.runs) }, MANY);
    await expectAllWritten(stores, form);
    expect(form.written()).toBe(MANY);
    await stores.search.search({ limit: MANY }, form);
    expect(form.written()).toBe(MANY);
  });

  it('are written at the next publication if the store did not answer', async () => {
    const stores = createMemoryStores();
    const form = counting('a');
    await publish(stores, 1);
    let failures = 1;
    const write: ItemSearch['write'] = async (...parameters) => {
      failures -= 1;
      if (failures >= 0) throw new Error('the store is unavailable');
      return await stores.search.write(...parameters);
    };
    const { start, close, signals, error } = textsOf({ ...stores.search, write }, form);
    start();
    await vi.waitFor(() => expect(error).toHaveBeenCalledOnce());
    expect(await stores.search.unwritten(form)).toBe(1);
    signals.emit('changed');
    await vi.waitFor(() => expectAllWritten(stores, form));
    await close();
  });

  it('that a server with other settings wrote are rewritten only at the start of a server', async () => {
    const stores = createMemoryStores();
    const forms = [counting('a'), counting('b')] as const;
    await publish(stores, MANY);
    const servers = forms.map((form) => textsOf(stores.search, form));
    const counts = (): readonly number[] => forms.map(({ written }) => written());
    const rounds = async (): Promise<void> => {
      for (let round = 0; round < 50; round++) {
        for (const { signals } of servers) signals.emit('changed');
        await new Promise((resolve) => void setImmediate(resolve));
      }
    };
    for (const { start } of servers) start();
    await rounds();
    for (const count of counts()) expect(count).toBeLessThanOrEqual(2 * MANY);
    const settled = counts();
    await publish({ runs: withItemForm(forms[0], stores.runs) }, 5);
    await rounds();
    expect(counts()).toEqual([(settled[0] ?? 0) + 5, settled[1]]);
    for (const { close } of servers) await close();
    const { items } = await stores.search.search({ limit: 1 }, forms[1]);
    expect(items[0]?.text).toBe('{"form":"b"}');
  });
});
