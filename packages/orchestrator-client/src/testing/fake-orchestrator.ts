import { type Clock, systemClock } from '../clock.ts';
import type { FakeAnswer } from './wire.ts';
import { Gate } from './gate.ts';
import { listen, type Listening } from './listen.ts';
import type { FakeDag, FakeRun, FakeUser, Fault, RecordedRequest } from './model.ts';
import { decoded, matchPath, type Route, takesQuery } from './route.ts';
import { CLOSED, missingAs, type MissingForm, otherCall, type OtherCalls, THREE_ROUTES } from './three-calls.ts';
import { DAG_ROUTES } from './routes-dags.ts';
import { htmlError, RUN_ROUTES } from './routes-runs.ts';
import { TASK_ROUTES } from './routes-tasks.ts';
import { V1, V2, type Wire } from './wire.ts';
import { World } from './world.ts';

/** Error response to a body that is not JSON or has another content type. */
function unreadable(body: unknown, type: string | undefined, wire: Wire): FakeAnswer | undefined {
  if (body === undefined) return undefined;
  const isJson = /\bjson\b/i.test(type ?? '');
  if (isJson && typeof body !== 'string') return undefined;
  if (wire.api === 'v2')
    return wire.invalid('body', isJson ? 'JSON decode error' : 'Input should be a valid dictionary');
  return isJson
    ? wire.problem({ status: 400, title: 'Bad Request', detail: 'Request body is not valid JSON' })
    : wire.problem({
        status: 415,
        title: 'Unsupported Media Type',
        detail: `Invalid Content-type (${type ?? ''}), expected JSON data`,
      });
}

/** Options of a fake. */
export interface FakeOptions {
  /** Version such as `2.10.3` (default; v1) or `3.0.2` (v2). */
  readonly version?: string;
  readonly dags?: readonly FakeDag[];
  /** Users by name. Default: `admin` with password `admin`. */
  readonly users?: Readonly<Record<string, FakeUser>>;
  /** Accepted bearer tokens. Airflow 2 itself has none; there they stand for the tokens of a proxy. */
  readonly tokens?: readonly string[];
  readonly isBasicEnabled?: boolean;
  readonly clock?: Clock;
  /** Orchestrator's clock minus the test's clock, ms. */
  readonly skewMs?: number;
  /**
   * Offers only POST dagRuns, GET of a run and PATCH of a DAG. A trigger ignores the requested run id. The value is
   * the response to other calls.
   */
  readonly threeCalls?: OtherCalls;
  /** Form of the 404 of the three calls. Default: `airflow`. */
  readonly missing?: MissingForm;
  /** Sends the callbacks of tasks. */
  readonly fetch?: typeof globalThis.fetch;
}

const ALL_ROUTES: readonly Route[] = [...DAG_ROUTES, ...RUN_ROUTES, ...TASK_ROUTES];

/**
 * An orchestrator for tests with the real protocol. Use its `fetch`, pass requests of msw to `respond`, or `listen` on
 * a port.
 */
export class FakeOrchestrator {
  /** Base address for `fetch` and msw. */
  readonly baseUrl = 'http://orchestrator.test';
  readonly world: World;
  readonly gate: Gate;
  /** All requests, oldest first. */
  readonly requests: RecordedRequest[] = [];
  /** Returns the fault of a request; undefined: no fault. */
  fault: ((request: RecordedRequest) => Fault | undefined) | undefined;
  readonly #wire: Wire;
  readonly #version: string;
  readonly #others: OtherCalls | undefined;
  readonly #missing: MissingForm;
  readonly #clock: Clock;
  /** Keeps the requests referenced, so that their signals work (`#aborted`). */
  readonly #unanswered = new Set<Request>();

  constructor(options: FakeOptions = {}) {
    this.#version = options.version ?? '2.10.3';
    this.#wire = this.#version.startsWith('3.') ? V2 : V1;
    this.#others = options.threeCalls;
    this.#missing = options.missing ?? 'airflow';
    this.#clock = options.clock ?? systemClock;
    const fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
    this.world = new World({ clock: this.#clock, skewMs: options.skewMs ?? 0, fetch }, options.dags ?? []);
    this.gate = new Gate({
      users: options.users ?? { admin: { password: 'admin', role: 'Admin' } },
      tokens: options.tokens ?? [],
      isBasicEnabled: options.isBasicEnabled ?? true,
    });
  }

  /** Runs of a DAG, oldest first. */
  runsOf(dagId: string): readonly FakeRun[] {
    return [...this.world.dagOf(dagId).runs.values()];
  }

  /** Recorded requests of a method to matching paths. */
  received(method: string, path: RegExp): readonly RecordedRequest[] {
    return this.requests.filter((request) => request.method === method && path.test(request.path));
  }

  /** Replaces `fetch` of a client. A broken connection is a `TypeError`, as in Node. */
  readonly fetch: typeof globalThis.fetch = async (input, init) => {
    const request = new Request(input, init);
    const response = await this.respond(request);
    if (response.type !== 'error') return response;
    throw new TypeError('fetch failed', { cause: new Error('read ECONNRESET') });
  };

  /**
   * Responds to a request; `Response.error()` is a broken connection. Rejects if the signal aborts during a fault
   * `hang`, `delay` or `late`.
   */
  async respond(request: Request): Promise<Response> {
    const recorded = await record(request);
    this.requests.push(recorded);
    const fault = this.fault?.(recorded);
    switch (fault?.kind) {
      case 'reset':
        return Response.error();
      case 'hang':
        return this.#aborted(request);
      case 'status':
        return new Response(fault.body ?? '', {
          status: fault.status,
          headers: { date: this.#date(), ...fault.headers },
        });
      case 'delay':
        await this.#clock.sleep(fault.ms, request.signal);
        break;
      case 'late':
        return Promise.race([this.#late(recorded, request, fault.ms), this.#aborted(request)]);
      case 'lost':
        this.#answer(recorded, request);
        return Response.error();
      case undefined:
    }
    return this.#written(this.#answer(recorded, request));
  }

  /** Opens a port of 127.0.0.1; 0 is any free port. Rejects if the port is taken. */
  listen(port = 0): Promise<Listening> {
    return listen((request) => this.respond(request), port);
  }

  /** Rejects if the signal aborts. The request stays referenced, because otherwise Node does not abort its signal. */
  #aborted(request: Request): Promise<never> {
    const { signal } = request;
    this.#unanswered.add(request);
    return new Promise((_settle, reject) => {
      const abort = (): void => {
        this.#unanswered.delete(request);
        reject(signal.reason);
      };
      if (signal.aborted) abort();
      else signal.addEventListener('abort', abort, { once: true });
    });
  }

  async #late(recorded: RecordedRequest, request: Request, ms: number): Promise<Response> {
    await this.#clock.sleep(ms);
    return this.#written(this.#answer(recorded, request));
  }

  #date(): string {
    return new Date(this.world.now()).toUTCString();
  }

  #written({ status, body, type, headers }: FakeAnswer): Response {
    if (status === CLOSED) return Response.error();
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    return new Response(text, {
      status,
      headers: { date: this.#date(), 'content-type': type ?? 'application/json', ...headers },
    });
  }

  /** Response to a request. Airflow 2 checks the body before the credentials, Airflow 3 after the credentials. */
  #answer({ method, path, body, headers }: RecordedRequest, request: Request): FakeAnswer {
    if (method === 'POST' && path === '/auth/token' && this.#wire.api === 'v2') return this.gate.signIn(body);
    const url = new URL(request.url);
    const prefix = `/api/${this.#wire.api}/`;
    if (!url.pathname.startsWith(prefix)) return notFound();
    const below = url.pathname.slice(prefix.length);
    if (below === 'version' && this.#others === undefined)
      return { status: 200, body: { version: this.#version, git_version: null } };
    const routes = this.#others === undefined ? ALL_ROUTES : THREE_ROUTES;
    const fits = routes.filter(({ pattern }) => matchPath(pattern, below) !== undefined);
    const route = fits.find((each) => each.method === method);
    if (route === undefined) return otherCall(this.#others) ?? this.#noRoute(fits.length > 0);
    const extra = [...url.searchParams.keys()].find((name) => !takesQuery(route, name, this.#version));
    if (extra !== undefined && this.#wire.api === 'v1')
      return V1.problem({ status: 400, title: '', detail: `Extra query parameter(s) ${extra} not in spec` });
    const fault = unreadable(body, headers['content-type'], this.#wire) ?? route.bodyFault?.(body, this.#wire);
    if (fault !== undefined && this.#wire.api === 'v1') return fault;
    const refusal = this.gate.refusal(headers['authorization'] ?? '', method === 'GET', this.#wire);
    if (refusal !== undefined && route.isPublic !== true) return refusal;
    if (fault !== undefined) return fault;
    const params = matchPath(route.pattern, below) ?? {};
    const accept = headers['accept'] ?? 'application/json';
    const call = { world: this.world, wire: this.#wire, params, query: url.searchParams, body, accept };
    const answer = route.handle(call);
    return this.#others === undefined ? answer : missingAs(this.#missing, answer);
  }

  #noRoute(isOtherMethod: boolean): FakeAnswer {
    const problem = isOtherMethod ? { status: 405, title: 'Method Not Allowed' } : { status: 404, title: 'Not Found' };
    return this.#wire.problem({ ...problem, detail: `${problem.title}.` });
  }
}

/** 404 with HTML, for any address outside of `/api/v1` (Airflow 2) or `/api/v2` (Airflow 3). */
const notFound = (): FakeAnswer => ({
  ...htmlError(),
  status: 404,
  body: '<!DOCTYPE html>\n<html><head><title>Airflow 404</title></head></html>',
});

async function record(request: Request): Promise<RecordedRequest> {
  const url = new URL(request.url);
  const text = await request.text();
  return {
    method: request.method,
    path: decoded(url.pathname),
    query: Object.fromEntries(url.searchParams),
    headers: Object.fromEntries(request.headers),
    body: text === '' ? undefined : parsed(text),
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
