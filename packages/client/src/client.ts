import createFetchClient, { type ParamsOption, type RequestBodyOption } from 'openapi-fetch';
import type { components, paths } from './api.generated.ts';
import { addressAt, type ClientOptions, connect, type Tokens } from './connection.ts';
import { type Download, download, type DownloadOptions } from './download.ts';
import { isHeadwaterError, jsonOf } from './errors.ts';
import { nextQuery, type PageEntry, pageEntries } from './pages.ts';
import { type EventOptions, type Run, type RunEvent, runEvents, waitForRun, type WaitOptions } from './run-events.ts';

type Schemas = components['schemas'];
type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Paths of the service (as in `docs/openapi.json`) at which the method `M` exists. */
export type PathWith<M extends Method> = {
  [Path in keyof paths]: M extends keyof paths[Path] ? Path : never;
}[keyof paths];

type Row<Path extends keyof paths, M> = M extends keyof paths[Path] ? paths[Path][M] : never;

/** Options of a request: parameters, body, signal and headers. */
export type RequestInitOf<Path extends keyof paths, M> = ParamsOption<Row<Path, M>> &
  RequestBodyOption<Row<Path, M>> & {
    readonly signal?: AbortSignal | undefined;
    readonly headers?: Readonly<Record<string, string>> | undefined;
  };
type InitArguments<Init> = object extends Init ? [init?: Init] : [init: Init];

/** Body of the successful response of an operation; undefined for a response without content. */
export type Answer<Path extends keyof paths, M> =
  Row<Path, M> extends { responses: infer All } ? ContentOf<All> : never;
type ContentOf<All> = {
  [Status in keyof All]: All[Status] extends { content: infer Content } ? Content[keyof Content] : undefined;
}[keyof All];

/** Names of the computing routes: `lulc_for_tehsil` for `/api/v1/lulc_for_tehsil/`. */
export type ComputeRoute = {
  [Path in PathWith<'post'>]: Answer<Path, 'post'> extends
    | Schemas['ComputeSuccess']
    | Schemas['ComputeAccepted']
    | Schemas['DryRun']
    ? Path extends `/api/v1/${infer Route}/`
      ? Route
      : never
    : never;
}[PathWith<'post'>];

/** Body of a request that computes a layer. */
export type ComputeBody<Route extends ComputeRoute> =
  RequestInitOf<`/api/v1/${Route}/`, 'post'> extends { body?: infer Body } ? NonNullable<Body> : never;

/** Options of a computation. An aborted `signal` ends only the waiting, not the run. */
export interface ComputeOptions extends WaitOptions {
  /** A further request with an equal key and body returns the run of the first request. */
  readonly idempotencyKey?: string | undefined;
}

/** Paths whose response is a list, with or without further pages. */
export type ListPath = {
  [Path in PathWith<'get'>]: [PageEntry<Answer<Path, 'get'>>] extends [never] ? never : Path;
}[PathWith<'get'>];

type Call<M extends Method> = <Path extends PathWith<M>>(
  path: Path,
  ...init: InitArguments<RequestInitOf<Path, M>>
) => Promise<Answer<Path, M>>;

/** Typed client of a service. All methods throw a `HeadwaterError`, or the reason of the signal. */
export interface HeadwaterClient {
  /** Address of the service, without a slash at its end. */
  readonly baseUrl: string;
  readonly get: Call<'get'>;
  readonly post: Call<'post'>;
  readonly put: Call<'put'>;
  readonly patch: Call<'patch'>;
  readonly delete: Call<'delete'>;
  /** Sends a request to any address, with the errors of this client. Only the service gets the credentials. */
  fetch(address: string, init?: RequestInit): Promise<Response>;

  /** Signs in. The client renews an expired access token. */
  signIn(credentials: Schemas['LoginRequest']): Promise<Schemas['User']>;
  signOut(): Promise<void>;
  /** Tokens of the session; undefined without a session. */
  readonly tokens: Tokens | undefined;

  /** Computes a layer and returns the ended run. Throws the error of a run that failed. */
  compute<Route extends ComputeRoute>(route: Route, body: ComputeBody<Route>, options?: ComputeOptions): Promise<Run>;
  /** Waits until a run has ended. Throws the error of a run that failed. */
  waitForRun(runId: string, options?: WaitOptions): Promise<Run>;
  /** Yields the events of a run until the run ends. Reconnects after a lost connection. */
  runEvents(runId: string, options?: EventOptions): AsyncGenerator<RunEvent, void, undefined>;

  /** Yields the entries of a list, and requests further pages when needed. */
  list<Path extends ListPath>(
    path: Path,
    ...init: InitArguments<RequestInitOf<Path, 'get'>>
  ): AsyncGenerator<PageEntry<Answer<Path, 'get'>>, void, undefined>;
  /** Opens a file: the href of an asset or link, or a path of the service. */
  download(address: string, options?: DownloadOptions): Promise<Download>;

  readonly apiKeys: {
    /** Creates an API key. Only this response contains the full text of the key. */
    create(key?: Pick<Schemas['ApiKeyRequest'], 'name' | 'expiry_days'>): Promise<Schemas['MadeApiKey']['data']>;
    list(): Promise<Schemas['ApiKeys']['api_keys']>;
    /** Deactivates an API key of the user with this id. `apiKey` is the full or the masked text of the key. */
    deactivate(userId: number, apiKey: string): Promise<void>;
  };
}

interface PlainInit {
  readonly params?: { readonly query?: object; readonly path?: object };
  readonly signal?: AbortSignal | undefined;
}

/** Creates a client of the service at `baseUrl`. */
export function createClient(options: ClientOptions): HeadwaterClient {
  const connection = connect(options);
  const { baseUrl } = connection;
  const api = createFetchClient<Record<string, Record<Method, object>>>({
    baseUrl,
    fetch: (request) => connection.send(request),
  });
  const request = async (method: Method, path: string, init: PlainInit = {}): Promise<unknown> => {
    const sent: object = { ...init, parseAs: 'stream' };
    const { response } = await api.request(method, path, { ...sent });
    return await jsonOf(response, { url: baseUrl + path, signal: init.signal });
  };
  const call = <M extends Method>(method: M): Call<M> =>
    ((path: string, init?: PlainInit) => request(method, path, init)) as Call<M>;

  const client: HeadwaterClient = {
    baseUrl,
    get: call('get'),
    post: call('post'),
    put: call('put'),
    patch: call('patch'),
    delete: call('delete'),
    async fetch(address, init) {
      const url = addressAt(baseUrl, address).href;
      const again = (): Request => new Request(url, init);
      // Every body except a stream can be sent again after a renewal of the token.
      return await connection.send(again(), isStream(init?.body) ? null : again);
    },

    async signIn(body) {
      const { access, refresh, user } = await client.post('/api/v1/auth/login/', { body });
      connection.tokens = { access, refresh };
      return user;
    },
    async signOut() {
      const { tokens } = connection;
      if (tokens === undefined) return;
      const body = { refresh_token: tokens.refresh };
      await client.post('/api/v1/auth/logout/', { body }).catch((error: unknown) => {
        // If the token is not valid any more, the session has already ended.
        if (!isHeadwaterError(error) || error.code !== 'token_not_valid') throw error;
      });
      connection.tokens = undefined;
    },
    get tokens() {
      return connection.tokens;
    },

    async compute(route, body, { idempotencyKey, ...waiting } = {}) {
      const headers = idempotencyKey === undefined ? {} : { 'idempotency-key': JSON.stringify(idempotencyKey) };
      const init = { body, headers, signal: waiting.signal };
      const { run_id: runId } = (await request('post', `/api/v1/${route}/`, init)) as Schemas['ComputeAccepted'];
      return await waitForRun(connection, runId, waiting);
    },
    waitForRun: (runId, waiting) => waitForRun(connection, runId, waiting),
    runEvents: (runId, of) => runEvents(connection, runId, of),

    list: (path, ...[init]) => entriesOf((query) => request('get', path, withQuery(init, query))),
    download: (address, of) => download(connection, address, of),

    apiKeys: {
      async create(key = {}) {
        const made = await client.post('/api/v1/generate_api_key/', { body: { ...key, action: 'generate' } });
        return (made as Schemas['MadeApiKey']).data;
      },
      list: async () => (await client.get('/api/v1/get_user_api_keys/')).api_keys,
      async deactivate(userId, apiKey) {
        const body = { action: 'deactivate', user_id: userId, api_key: apiKey } as const;
        await client.post('/api/v1/generate_api_key/', { body });
      },
    },
  };
  return client;
}

function isStream(body: RequestInit['body']): boolean {
  return typeof body === 'object' && body !== null && (body instanceof ReadableStream || Symbol.asyncIterator in body);
}

function withQuery(init: PlainInit = {}, query: Readonly<Record<string, string>>): PlainInit {
  return { ...init, params: { ...init.params, query: { ...init.params?.query, ...query } } };
}

async function* entriesOf<Entry>(
  pageOf: (query: Readonly<Record<string, string>>) => Promise<unknown>,
): AsyncGenerator<Entry, void, undefined> {
  let query: Readonly<Record<string, string>> | undefined = {};
  while (query !== undefined) {
    const page: unknown = await pageOf(query);
    yield* pageEntries(page) as readonly Entry[];
    query = nextQuery(page);
  }
}
