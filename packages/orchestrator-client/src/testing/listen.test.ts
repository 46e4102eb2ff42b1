import { expect, it } from 'vitest';
import { createOrchestratorClient } from '../index.ts';
import { FakeOrchestrator } from './index.ts';

it('a fake orchestrator listens on the requested port, also a second time, and rejects a port that is taken', async () => {
  const fake = new FakeOrchestrator();
  const first = await fake.listen();
  const port = Number(new URL(first.url).port);
  await expect(new FakeOrchestrator().listen(port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
  await first.close();
  const again = await fake.listen(port);
  try {
    expect(again.url).toBe(first.url);
    expect(await createOrchestratorClient({ baseUrl: again.url }).version()).toBe('2.10.3');
  } finally {
    await again.close();
  }
});
