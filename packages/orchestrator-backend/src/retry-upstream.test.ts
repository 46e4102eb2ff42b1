import { OrchestratorError } from '@headwater/orchestrator-client';
import { expect, it } from 'vitest';
import { retryUpstream } from './retry-upstream.ts';

it.each([
  ['the requested time', 120_000, 120_000],
  ['the default pause if it is longer', 1000, 4000],
  ['the default pause if none is requested', undefined, 4000],
])('a retry pauses for %s', async (_name, requested, paused) => {
  const pauses: number[] = [];
  const failed = new OrchestratorError('throttled', 'busy', {
    details: {
      method: 'GET',
      path: 'x',
      status: 503,
      responseText: '',
      ...(requested === undefined ? {} : { retryAfterMs: requested }),
    },
  });
  const result = await retryUpstream((attempt) => (attempt === 1 ? Promise.reject(failed) : Promise.resolve('done')), {
    timers: { sleep: async (ms) => void pauses.push(ms) },
    now: () => new Date(0),
    retryMs: 4000,
    patienceMs: 1,
    signal: new AbortController().signal,
  });
  expect([result, pauses]).toEqual(['done', [paused]]);
});
