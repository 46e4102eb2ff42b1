import { OrchestratorError } from '@headwater/orchestrator-client';
import { expect, it } from 'vitest';
import { retryUpstream } from './retry-upstream.ts';

it.each([
  ['what the orchestrator asks for', 120_000, 120_000],
  ['its own pause where that is longer', 1000, 4000],
  ['its own pause where nothing is asked for', undefined, 4000],
])('repeated work pauses for %s', async (_name, asked, paused) => {
  const pauses: number[] = [];
  const failed = new OrchestratorError('throttled', 'busy', {
    details: {
      method: 'GET',
      path: 'x',
      status: 503,
      said: '',
      ...(asked === undefined ? {} : { retryAfterMs: asked }),
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
