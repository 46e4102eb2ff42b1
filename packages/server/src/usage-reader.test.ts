import { SILENT } from '@headwater/core';
import { FakeGoogle } from '@headwater/earth-engine/testing';
import { createHeadwater } from '@headwater/http-service';
import { createMemoryStores } from '@headwater/identity/memory';
import { Network } from '@headwater/net';
import { serviceAccountOf } from '@headwater/net/google';
import { assert, expect, it, onTestFinished } from 'vitest';
import { withUsage } from './composition.ts';
import { readConfig } from './config/read-config.ts';

const TEN_MINUTES_MS = 600_000;
const SECRET = crypto.getRandomValues(new Uint8Array(32));

it('a service reads the computing time of ended runs from EARTH_ENGINE_MONITORING_URL from its start until it stops', async () => {
  const google = new FakeGoogle();
  const { origin, close } = await google.listen();
  onTestFinished(close);
  const at = new Date(Date.now() - TEN_MINUTES_MS);
  const stores = createMemoryStores({ clock: { now: () => at } });
  const facts = { name: 'project', accountEmail: null, isVisible: true, platform: 'earth_engine' } as const;
  const { id: accountId } = await stores.eoAccounts.create(facts);
  const service = serviceAccountOf(google.keyFor(origin));
  const storeUse = async (runId: string): Promise<void> => {
    const workloadTag = `headwater-run-${runId}`;
    await stores.runs.enqueue({ id: runId, pipeline: 'p', params: {}, fingerprint: runId, ownerId: 1 });
    const run = await stores.runs.claim({ workerId: 'w', leaseMs: 1e9, maxAttempts: 1, pipelines: ['p'] });
    assert(run?.id === runId);
    const begun = { startedAt: at.toISOString(), dueAt: at.toISOString(), project: service.projectId ?? '' };
    await stores.sceneUses.begin({ ...begun, runId, accountId, workloadTag });
    await stores.sceneUses.end(runId, { requests: 1, pixels: 1, bytes: 1 });
    await stores.runs.fail(runId, run.token, { code: 'internal', message: 'a test' });
    google.usage.add(workloadTag, 3, at);
  };
  const headwater = withUsage(
    createHeadwater({ baseUrl: 'http://localhost', secret: SECRET, stores }),
    readConfig({ EARTH_ENGINE_SCENES: 'on', EARTH_ENGINE_MONITORING_URL: `${origin}/` }),
    {
      credentials: { serviceOf: async () => service },
      network: new Network({ settings: { allowedOrigins: [origin] } }),
      stores,
      logger: SILENT,
    },
  );
  await storeUse('a');
  expect(await stores.sceneUses.ofRun('a')).toMatchObject({ eecuSeconds: null, reads: 0 });
  await headwater.start();
  await expect.poll(() => stores.sceneUses.ofRun('a'), { interval: 5 }).toMatchObject({ eecuSeconds: 3, reads: 1 });
  const before = google.requests.length;
  await headwater.close();
  expect(google.requests).toHaveLength(before);
});
