import { describe } from 'vitest';
import { airflowTarget, missingAirflow, openAirflowTarget } from './airflow-target.fixture.ts';
import type { OrchestratorHarness } from './orchestrated-server.fixture.ts';
import { describeOrchestrated } from './orchestrated-suite.fixture.ts';
import { describeOwnWorkflow } from './own-workflow-suite.fixture.ts';

async function openReal(): Promise<OrchestratorHarness> {
  const { url, username, password } = airflowTarget();
  const ask = async (path: string, init: RequestInit = {}): Promise<unknown> => {
    const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}`, 'content-type': 'application/json' };
    const answer = await fetch(`${url}/api/v1${path}`, { ...init, headers });
    if (!answer.ok) throw new Error(`${path} responded ${answer.status}: ${await answer.text()}`);
    return answer.json();
  };
  return {
    apiBase: `${url}/api/v1`,
    username,
    password,
    pause: async (dagId, isPaused) => {
      await ask(`/dags/${dagId}`, { method: 'PATCH', body: JSON.stringify({ is_paused: isPaused }) });
    },
    runs: async (dagId) => {
      const listed = (await ask(`/dags/${dagId}/dagRuns?limit=100&order_by=execution_date`)) as {
        readonly dag_runs: readonly { readonly conf: unknown; readonly state: string }[];
      };
      return listed.dag_runs;
    },
    stop: () => Promise.resolve(),
  };
}

describe.skipIf(missingAirflow !== undefined)('needs npm run test:airflow', () => {
  describeOrchestrated('a server in front of a real Airflow', openReal);
  describeOwnWorkflow('a server in front of the workflow of deploy/airflow', openAirflowTarget);
});
