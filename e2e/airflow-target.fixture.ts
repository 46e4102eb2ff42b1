import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createOrchestratorClient, type OrchestratorClient } from '@headwater/orchestrator-client';

/** An Airflow with our own workflow: the real Airflow of `npm run test:airflow`, or the fake orchestrator. */
export interface AirflowTarget {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Id of the workflow of deploy/airflow. */
  readonly dagId: string;
  /** Folder of the workflow files. */
  readonly workflows: string;
  /** DATA_DIR of the containers that this Airflow starts. */
  readonly dataDir: string;
  /** Port of the service that receives the containers' results. */
  readonly servicePort: number;
  readonly client: OrchestratorClient;
  /** Sets the time for retries of the workflow's requests, s; undefined: the default of the environment. */
  readonly setPatience: (seconds: number | undefined) => Promise<void>;
  readonly close: () => Promise<void>;
}

const address = process.env['HEADWATER_TEST_AIRFLOW'] ?? '';
const home = process.env['HEADWATER_TEST_AIRFLOW_HOME'] ?? '';

/** Reason why there is no real Airflow; undefined if there is one. */
export const missingAirflow =
  address === '' || home === '' ? 'HEADWATER_TEST_AIRFLOW is not set; `npm run test:airflow` sets it' : undefined;
if (missingAirflow !== undefined) console.warn(`skipped: a real Airflow: ${missingAirflow}`);

const POLL_MS = 1000;

/** Returns the real Airflow, which may contain files and runs of earlier suites. */
export function airflowTarget(): AirflowTarget {
  const { origin: url, username, password } = new URL(address);
  const client = createOrchestratorClient({
    baseUrl: url,
    credentials: { username, password },
    poll: { minMs: POLL_MS, maxMs: POLL_MS },
  });
  return {
    url,
    username,
    password,
    client,
    dagId: 'headwater',
    workflows: join(home, 'workflows'),
    dataDir: join(home, 'data'),
    servicePort: Number(process.env['HEADWATER_TEST_AIRFLOW_SERVICE_PORT']),
    setPatience: (seconds) => setPatience({ url, username, password }, seconds),
    close: () => Promise.resolve(),
  };
}

/** Empties the folders of the real Airflow and returns it. */
export async function openAirflowTarget(): Promise<AirflowTarget> {
  const target = airflowTarget();
  await emptyFolders(target);
  return target;
}

async function emptyFolders({ workflows, dataDir }: AirflowTarget): Promise<void> {
  for (const folder of [workflows, dataDir]) {
    // Retries, because a killed process may still be writing into the folder.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
    await mkdir(folder);
  }
}

async function setPatience(
  { url, username, password }: Pick<AirflowTarget, 'url' | 'username' | 'password'>,
  seconds: number | undefined,
): Promise<void> {
  const headers = { authorization: `Basic ${btoa(`${username}:${password}`)}` };
  const key = 'HEADWATER_PATIENCE_SECONDS';
  const change =
    seconds === undefined
      ? fetch(`${url}/api/v1/variables/${key}`, { method: 'DELETE', headers })
      : fetch(`${url}/api/v1/variables`, {
          method: 'POST',
          headers: { ...headers, 'content-type': 'application/json' },
          body: JSON.stringify({ key, value: String(seconds) }),
        });
  const answer = await change;
  if (!answer.ok) throw new Error(`setting the variable ${key} failed with ${answer.status}: ${await answer.text()}`);
}
