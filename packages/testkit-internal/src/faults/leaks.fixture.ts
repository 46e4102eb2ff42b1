import { createKeyedLimiter } from '@headwater/core/timing';
import { createRunSignals, type RunSignals } from '@headwater/core/runs';
import { vi } from 'vitest';
import type { MemoryWorld } from './memory-world.fixture.ts';

/** Counts resources that requests have not released. */
export interface LeakCounter {
  readonly count: (world: MemoryWorld) => Readonly<Record<string, number>>;
  /** Unhandled errors and rejections. */
  readonly unhandled: readonly unknown[];
  readonly end: () => void;
}

/** Starts counting. Throws unless the test file spies on the module of `createKeyedLimiter`. */
export function countLeaks(): LeakCounter {
  if (!vi.isMockFunction(createKeyedLimiter))
    throw new Error('limiters are not counted: the test file does not spy on createKeyedLimiter');
  const limiters = vi.mocked(createKeyedLimiter).mock.results;
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', note).on('uncaughtException', note);
  const listening = vi.spyOn(Object.getPrototypeOf(createRunSignals()) as RunSignals, 'on');
  return {
    unhandled,
    count: ({ faulty, closing, signals }) => {
      const buses = [...new Set(listening.mock.contexts.filter(isSignals))];
      const listenerCounts = buses.flatMap((bus) => EVENTS.map((event) => bus.listenerCount(event)));
      return {
        'an unhandled error': unhandled.length,
        'an open call of a store': faulty.open,
        'a listener of changes': faulty.listeners,
        'a listener of runs': listenerCounts.reduce((sum, each) => sum + each, 0),
        'a listener of the closing service': closing(),
        'a listener of a request': signals(),
        'a place of a limiter': limiters.reduce(
          (sum, { type, value }) => sum + (type === 'return' ? value.size() : 0),
          0,
        ),
      };
    },
    end: () => {
      process.off('unhandledRejection', note).off('uncaughtException', note);
      listening.mockRestore();
    },
  };
}

const EVENTS = ['queued', 'changed', 'cancel'] as const;

const isSignals = (each: unknown): each is RunSignals =>
  typeof each === 'object' && each !== null && 'listenerCount' in each;
