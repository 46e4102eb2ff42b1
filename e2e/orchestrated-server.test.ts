import { setTimeout as pause } from 'node:timers/promises';
import { type FakeContext, FakeOrchestrator } from '@headwater/orchestrator-client/testing';
import { isLong } from '../scripts/test-length.mjs';
import { describeOrchestrated } from './orchestrated-suite.fixture.ts';
import type { OrchestratorHarness } from './orchestrated-server.fixture.ts';

const raised = (message: string): Error => Object.assign(new Error(message), { name: 'RuntimeError' });

/** Repeats `callBack` until a restarting service responds. */
async function later(callBack: () => Promise<unknown>, signal: AbortSignal): Promise<unknown> {
  await pause(3000, null, { signal });
  for (let tries = 1; tries < 120; tries++) {
    try {
      return await callBack();
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
      await pause(1000, null, { signal });
    }
  }
  return await callBack();
}

/** Does the same as `execute` of scripts/airflow/dags/headwater_tests.py. */
async function execute({ conf, post, print, signal }: FakeContext): Promise<unknown> {
  const block = conf['block'];
  if (block === 'Empty') return { status: 'success' };
  if (block === 'Failing') {
    print(`run_token is ${String(conf['run_token'])}`);
    throw raised('export failed: quota exceeded');
  }
  if (block === 'Slow') await pause(300_000, null, { signal });
  const callBack = (): Promise<unknown> => post(`${String(conf['api_base'])}/api/export-asset`, { conf });
  const result = (await (block === 'Later' ? later(callBack, signal) : callBack())) as { readonly status: string };
  if (block === 'Broken') throw raised('the verification failed');
  return { status: result.status };
}

/** Does the same as `do_job` of scripts/airflow/dags/headwater_tests.py. */
async function doJob({ conf, post }: FakeContext): Promise<void> {
  const base = String(conf['api_base']);
  const outcome = await post(`${base}/api/export-asset`, conf['params']).then(
    (result) => ({ ok: true, result }),
    (error: unknown) => ({ ok: false, error: String(error) }),
  );
  await post(`${base}/api/jobs/${String(conf['run_id'])}/result`, outcome);
  if ('error' in outcome) throw raised(outcome.error);
}

async function openFake(version: string, api: 'v1' | 'v2'): Promise<OrchestratorHarness> {
  const tasks = [{ id: 'execute', run: execute }];
  const fake = new FakeOrchestrator({
    version,
    dags: [
      { id: 'h_headwater', tasks },
      { id: 'h_paused', tasks, isPaused: true },
      { id: 'h_job', tasks: [{ id: 'work', run: doJob }] },
    ],
  });
  const { url, close } = await fake.listen();
  return {
    apiBase: `${url}/api/${api}`,
    username: 'admin',
    password: 'admin',
    pause: async (dagId, isPaused) => {
      fake.world.dagOf(dagId).isPaused = isPaused;
    },
    runs: async (dagId) => fake.runsOf(dagId).map(({ conf, state }) => ({ conf, state })),
    stop: close,
  };
}

if (isLong) describeOrchestrated('a server in front of the fake of Airflow 2', () => openFake('2.10.3', 'v1'));
else
  console.log(
    'left to npm run test:long: the fake of Airflow 2; npm run test:airflow runs the same cases on a real Airflow 2',
  );
describeOrchestrated('a server in front of the fake of Airflow 3', () => openFake('3.0.2', 'v2'));
