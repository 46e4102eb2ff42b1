// Run by `npm run test:airflow`, which starts an Airflow and names it.
import { createOrchestratorClient } from '@headwater/orchestrator-client';
import { describe } from 'vitest';
import { z } from 'zod';
import { describeOrchestrated } from './orchestrated-suite.fixture.ts';
import type { OrchestratorHarness } from './orchestrated-server.fixture.ts';

const TARGET = process.env['HEADWATER_TEST_AIRFLOW'];

const RunList = z.object({ dag_runs: z.array(z.object({ conf: z.unknown(), state: z.string() })) });

async function openAirflow(): Promise<OrchestratorHarness> {
  const { origin, username, password } = new URL(TARGET ?? '');
  const apiBase = `${origin}/api/v1`;
  const client = createOrchestratorClient({ baseUrl: apiBase, credentials: { username, password } });
  const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}` };
  return {
    apiBase,
    username,
    password,
    pause: async (dagId, isPaused) => {
      await (isPaused ? client.pause(dagId) : client.unpause(dagId));
    },
    runs: async (dagId) => {
      const answer = await fetch(`${apiBase}/dags/${dagId}/dagRuns?limit=100`, { headers });
      return RunList.parse(await answer.json()).dag_runs;
    },
    // It is stopped by who started it.
    stop: async () => {},
  };
}

if (TARGET === undefined) {
  describe.skip('a server before a real Airflow: HEADWATER_TEST_AIRFLOW is not set; `npm run test:airflow` starts one and sets it', () => {});
} else {
  describeOrchestrated('a server before a real Airflow', openAirflow);
}
