import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createOrchestratorClient } from '@headwater/orchestrator-client';
import { type FakeContext, FakeOrchestrator, type FakeTask } from '@headwater/orchestrator-client/testing';
import { HEADWATER } from '../packages/server/src/algorithms/python.fixture.ts';
import { runWorkflowTask, type WorkflowTask } from '../packages/server/src/algorithms/workflow-task.fixture.ts';
import type { AirflowTarget } from './airflow-target.fixture.ts';
import { freePort } from './server-process.ts';

const DAG_ID = 'headwater';
const POLL_MS = 100;

/** Starts the fake orchestrator with the workflow of deploy/airflow. Python runs each task. */
export async function openFakeAirflow(): Promise<AirflowTarget> {
  const home = await mkdtemp(join(tmpdir(), 'headwater-fake-airflow-'));
  const [workflows, dataDir] = [join(home, 'workflows'), join(home, 'data')];
  for (const folder of [workflows, dataDir]) await mkdir(folder);
  const servicePort = await freePort();
  // Environment as in scripts/airflow-server.mjs.
  const env: Record<string, string> = {
    HEADWATER_WORKFLOWS: workflows,
    HEADWATER_COMMAND: HEADWATER,
    DATA_DIR: dataDir,
    PUBLIC_BASE_URL: `http://127.0.0.1:${servicePort}`,
  };
  const setPatience: AirflowTarget['setPatience'] = async (seconds = 60) => {
    env['HEADWATER_PATIENCE_SECONDS'] = String(seconds);
  };
  await setPatience(undefined);
  const fake = new FakeOrchestrator({ dags: [{ id: DAG_ID, tasks: workflowTasks(env) }] });
  const { url, close } = await fake.listen();
  const credentials = { username: 'admin', password: 'admin' };
  return {
    url,
    ...credentials,
    dagId: DAG_ID,
    workflows,
    dataDir,
    servicePort,
    client: createOrchestratorClient({ baseUrl: url, credentials, poll: { minMs: POLL_MS, maxMs: POLL_MS } }),
    setPatience,
    close: async () => {
      await close();
      await rm(home, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
    },
  };
}

/** Tasks of the workflow. The branch task chooses one task; the others are skipped. */
function workflowTasks(env: Readonly<Record<string, string>>): readonly FakeTask[] {
  const chosen = new Map<string, unknown>();
  const run = async (task: WorkflowTask['task'], { conf, runId, print }: FakeContext): Promise<unknown> =>
    await runWorkflowTask({ task, conf, runId, env, print });
  const branch: FakeTask = {
    id: 'choose_mode',
    run: async (context) => {
      const id = await run('choose_mode', context);
      chosen.set(context.runId, id);
      return id;
    },
  };
  const further = (['call_service', 'run_container', 'do_job'] as const).map((id): FakeTask => ({
    id,
    isCommand: id === 'run_container',
    run: (context) => (chosen.get(context.runId) === id ? run(id, context) : context.skip()),
  }));
  return [branch, ...further];
}
