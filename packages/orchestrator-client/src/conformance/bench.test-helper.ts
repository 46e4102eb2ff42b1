import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  createOrchestratorClient,
  type FailureDetails,
  isOrchestratorError,
  type OrchestratorClient,
  type OrchestratorErrorCode,
  type OrchestratorOptions,
} from '../index.ts';

/** A real or fake orchestrator with the DAGs of scripts/airflow/dags. */
export interface Target {
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Bearer token instead of user name and password, if accepted. */
  readonly token?: string;
  readonly api: 'v1' | 'v2';
  /** Pause between two reads of a run, ms. */
  readonly pollMs: number;
  readonly stop: () => Promise<void>;
}

/** Fixtures of a conformance test. */
export interface Bench {
  readonly target: Target;
  readonly callback: Callback;
  readonly client: OrchestratorClient;
  readonly clientWith: (options?: Partial<OrchestratorOptions>) => OrchestratorClient;
  readonly close: () => Promise<void>;
}

/** Starts the target and the HTTP service for callbacks of tasks. */
export async function openBench(start: () => Promise<Target>): Promise<Bench> {
  const [target, callback] = await Promise.all([start(), listenForCallbacks()]);
  const clientWith = (options: Partial<OrchestratorOptions> = {}): OrchestratorClient => {
    const { url, username, password, token, pollMs } = target;
    const poll = { minMs: pollMs, maxMs: pollMs };
    const credentials = token === undefined ? { username, password } : { token };
    return createOrchestratorClient({ baseUrl: url, credentials, poll, ...options });
  };
  const close = async (): Promise<void> => {
    await Promise.all([target.stop(), callback.close()]);
  };
  return { target, callback, client: clientWith(), clientWith, close };
}

/** Response of the callback, with values whose Python repr differs from JSON. */
export const CALLBACK_ANSWER = { status: 'success', n: 1, t: "it's", f: 1.5, z: null, ok: true };

export interface Callback {
  readonly url: string;
  readonly bodies: unknown[];
  readonly close: () => Promise<void>;
}

async function listenForCallbacks(): Promise<Callback> {
  const bodies: unknown[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      bodies.push(JSON.parse(body));
      return response.setHeader('content-type', 'application/json').end(JSON.stringify(CALLBACK_ANSWER));
    });
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  const close = (): Promise<void> =>
    new Promise((settle) => {
      server.close(() => settle());
      server.closeAllConnections();
    });
  return { url: `http://127.0.0.1:${port}/api/export-asset`, bodies, close };
}

/** Awaits a rejection with this code; returns the error. */
export async function rejects<Code extends OrchestratorErrorCode>(
  promise: Promise<unknown>,
  code: Code,
): Promise<{ details: FailureDetails[Code]; message: string }> {
  try {
    await promise;
  } catch (error) {
    if (isOrchestratorError(error, code)) return error;
    throw error;
  }
  throw new Error(`resolved, but ${code} was expected`);
}
