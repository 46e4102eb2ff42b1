import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { FakeOrchestrator } from './index.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: unknown = runInNewContext('gc');

it('a request without a response aborts with its signal, even if the request is no longer referenced', async () => {
  if (typeof collectGarbage !== 'function') throw new Error('this Node cannot collect garbage on request');
  const fake = new FakeOrchestrator();
  fake.fault = () => ({ kind: 'hang' });
  let ended = 0;
  const controllers = Array.from({ length: 20 }, () => new AbortController());
  for (const { signal } of controllers)
    void fake.fetch(new Request(`${fake.baseUrl}/api/v1/health`, { signal })).catch(() => {
      ended += 1;
    });
  await expect.poll(() => fake.requests.length).toBe(controllers.length);
  for (let round = 0; round < 3; round++) {
    await pause(1);
    collectGarbage();
  }
  for (const controller of controllers) controller.abort();
  await expect.poll(() => ended).toBe(controllers.length);
});
