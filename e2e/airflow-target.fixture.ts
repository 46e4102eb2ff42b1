import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createOrchestratorClient, type OrchestratorClient } from '@headwater/orchestrator-client';

/** An Airflow with our own workflow in it: the real one that `npm run test:airflow` has started, or the fake. */
export interface AirflowTarget {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Id of the workflow of deploy/airflow. */
  readonly dagId: string;
  /** Folder in which the workflow looks for workflow files. */
  readonly workflows: string;
  /** DATA_DIR of what runs in containers there. */
  readonly dataDir: string;
  /** Port of the service in whose name containers publish. */
  readonly servicePort: number;
  readonly client: OrchestratorClient;
  /** How long the workflow waits for a service that does not answer, s; undefined = as the environment of its workers says. */
  readonly setPatience: (seconds: number | undefined) => Promise<void>;
  readonly close: () => Promise<void>;
}

const given = process.env['HEADWATER_TEST_AIRFLOW'] ?? '';
const home = process.env['HEADWATER_TEST_AIRFLOW_HOME'] ?? '';

/** Why there is none; undefined where there is one. */
export const missingAirflow =
  given === '' || home === '' ? 'HEADWATER_TEST_AIRFLOW is not set; `npm run test:airflow` sets it' : undefined;
if (missingAirflow !== undefined) console.warn(`skipped: a real Airflow: ${missingAirflow}`);

const POLL_MS = 1000;

/** The real Airflow as it is. */
export function airflowTarget(): AirflowTarget {
  const { origin: url, username, password } = new URL(given);
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

/** The real Airflow with nothing left of the suite before. */
export async function openAirflowTarget(): Promise<AirflowTarget> {
  const target = airflowTarget();
  await emptyFolders(target);
  return target;
}

/** Takes away what the suite before has left for the workflow: its files, and the data folder with a database in it. */
async function emptyFolders({ workflows, dataDir }: AirflowTarget): Promise<void> {
  for (const folder of [workflows, dataDir]) {
    // What was killed a moment ago may still have a file open.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
    await mkdir(folder);
  }
}

/** By an Airflow variable, which goes before the environment. */
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
  if (!answer.ok)
    throw new Error(`setting the patience of the workflow answered ${answer.status}: ${await answer.text()}`);
}
