import {
  createOrchestratorClient,
  type OrchestratorClient,
  type OrchestratorOptions,
  type RequestNote,
} from './index.ts';
import { FakeOrchestrator, type FakeOptions, type Fault, VirtualClock } from './testing/index.ts';

/** A client and its fake orchestrator on one clock, whose pauses take no time. */
export interface Bench {
  readonly clock: VirtualClock;
  readonly fake: FakeOrchestrator;
  readonly client: OrchestratorClient;
  readonly notes: RequestNote[];
}

/** A DAG whose runs have the state that the test sets. */
export const DAG = { id: 'land_cover', tasks: [], isManual: true };

/** Creates a client and its fake orchestrator. */
export function bench(fakeOptions: FakeOptions = {}, options: Partial<OrchestratorOptions> = {}): Bench {
  const clock = new VirtualClock();
  const fake = new FakeOrchestrator({ dags: [DAG], clock, ...fakeOptions });
  const notes: RequestNote[] = [];
  const client = createOrchestratorClient({
    baseUrl: fake.baseUrl,
    credentials: { username: 'admin', password: 'admin' },
    clock,
    fetch: clock.holding(fake.fetch),
    requestTimeoutMs: 20,
    onRequest: (note) => notes.push(note),
    ...options,
  });
  return { clock, fake, client, notes };
}

/** Makes the first matching requests fail, one request with each fault, in order. */
export function fail(
  fake: FakeOrchestrator,
  { method, path = /dagRuns/ }: { readonly method: string; readonly path?: RegExp },
  faults: readonly Fault[],
): void {
  const left = [...faults];
  fake.fault = (request) => (request.method === method && path.test(request.path) ? left.shift() : undefined);
}

/** Response of a proxy whose web server is down. */
export const BAD_GATEWAY: Fault = {
  kind: 'status',
  status: 502,
  body: '<html><title>502 Bad Gateway</title></html>',
  headers: { 'content-type': 'text/html' },
};

/** Response of an ingress without a web server. */
export const NO_BACKEND: Fault = {
  kind: 'status',
  status: 404,
  body: '404 page not found\n',
  headers: { 'content-type': 'text/plain' },
};
