import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createOrchestratorClient, type OrchestratorClient } from '@headwater/orchestrator-client';

/** An Airflow with our own workflow: the real Airflow that `npm run test:airflow` started, or the fake orchestrator. */
export interface AirflowTarget {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Id of the workflow of deploy/airflow. */
  readonly dagId: string;
  /** Folder in which the workflow looks for workflow files. */
  readonly workflows: string;
  /** Value of the variable DATA_DIR for the containers that this Airflow starts. */
  readonly dataDir: string;
  /** Port of the service to which the containers publish their results. */
  readonly servicePort: number;
  readonly client: OrchestratorClient;
  /**
   * Sets how long the workflow retries a request to a service that does not respond, s. With undefined, the workflow
   * uses the value in the environment of Airflow's workers.
   */
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

/** The real Airflow, which may contain workflow files and runs of earlier suites. */
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

/** Returns the real Airflow after its folders have been emptied. */
export async function openAirflowTarget(): Promise<AirflowTarget> {
  const target = airflowTarget();
  await emptyFolders(target);
  return target;
}

/** Removes the files of the previous suite: workflow files, and the data folder with its database. */
async function emptyFolders({ workflows, dataDir }: AirflowTarget): Promise<void> {
  for (const folder of [workflows, dataDir]) {
    // Tries several times, because a process that was just killed may still be writing into the folder.
    await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
    await mkdir(folder);
  }
}

/**
 * Sets the Airflow variable that overrides the environment of Airflow's workers. With undefined, removes the variable.
 */
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
