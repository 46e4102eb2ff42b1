import { createRunSignals, type ItemForm, type Logger, SILENT } from '@headwater/core';
import { describe, expect, it, vi } from 'vitest';
import { createItemTexts } from './item-texts.ts';

const form: ItemForm = { name: 'a form', text: () => '{}' };

/** A store with so many texts to write, some at once; each write that fails is told in advance. */
function store(left: number, failures = 0) {
  const state = { left, failures, asked: 0 };
  const write = async (given: ItemForm, most: number): Promise<number> => {
    expect(given).toBe(form);
    state.asked += 1;
    if (state.failures > 0) {
      state.failures -= 1;
      throw new Error('the store is away');
    }
    const written = Math.min(most, state.left);
    state.left -= written;
    return written;
  };
  return { state, write };
}

function texts(search: ReturnType<typeof store>) {
  const signals = createRunSignals();
  const error = vi.fn<Logger['error']>();
  const logger: Logger = { ...SILENT, error };
  const made = createItemTexts({ search, form, signals, timers: { sleep: async () => {} }, logger });
  return { signals, error, ...made };
}

describe('texts of Items', () => {
  it('are all written at the start, and again when a run has published', async () => {
    const search = store(130);
    const { start, close, signals } = texts(search);
    start();
    start();
    await vi.waitFor(() => expect(search.state.left).toBe(0));
    search.state.left = 3;
    signals.emit('changed', 'r1');
    await vi.waitFor(() => expect(search.state.left).toBe(0));
    await close();
    const { asked } = search.state;
    signals.emit('changed', 'r2');
    expect(search.state.asked).toBe(asked);
  });

  it('are written with the next publication where the store did not answer', async () => {
    const search = store(1, 1);
    const { start, close, signals, error } = texts(search);
    start();
    await vi.waitFor(() => expect(error).toHaveBeenCalledOnce());
    expect(search.state.left).toBe(1);
    signals.emit('changed');
    await vi.waitFor(() => expect(search.state.left).toBe(0));
    await close();
  });
});
