import { DomainError, messageOf } from '@headwater/core/errors';
import { backoffMs, isTransientStatus, retry } from '@headwater/net/retry';

/** Settings of the connection to a GeoServer. */
export interface GeoServerSettings {
  /** Address with its path, such as `http://10.0.0.5:8080/geoserver`. */
  readonly url: string;
  readonly username: string;
  readonly password: string;
  /** Time limit of a request, a forwarded read or a piece of an upload, ms. Default: 60,000. */
  readonly timeoutMs?: number;
  /** Attempts of a repeatable request. Default: 3. */
  readonly attempts?: number;
}

/** Functions that tests replace. */
export interface RestTools {
  readonly fetch: typeof globalThis.fetch;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<unknown>;
  readonly random: () => number;
}

/** A file that is uploaded in pieces, because a raster may exceed the memory. */
export interface UploadFile {
  readonly length: number;
  /** Returns the content from the beginning; called for each attempt. */
  stream(): ReadableStream<Uint8Array>;
}

/** A request to the REST interface. */
export interface RestCall {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** Segments below `/rest`. No trailing slash, because GeoServer 3 responds with 404. */
  readonly path: readonly string[];
  readonly query?: Readonly<Record<string, string>>;
  /** Header Accept. Default: all types. GeoServer refuses a new style if the header is `application/json`. */
  readonly accept?: string;
  /** JSON body; `body` has a media type of its own. */
  readonly json?: unknown;
  readonly body?: { readonly type: string; readonly bytes: string | Uint8Array<ArrayBuffer> | UploadFile };
  /** True for a POST that may be repeated after an unknown outcome. */
  readonly isRepeatable?: boolean;
}

/** A response with any status. `text` must not reach clients, because it may contain SQL and paths. */
export interface RestAnswer {
  readonly status: number;
  readonly text: string;
}

const MOST_BYTES = 8 * 2 ** 20;
const TIMEOUT_MS = 60_000;
/** Lowest allowed mean speed of an upload, bytes per ms (128 KiB/s). */
const SLOWEST_UPLOAD = 131;
/**
 * Speed at which the server is assumed to process an uploaded file, bytes per ms (1 MiB/s). A lower speed may lead
 * to a timeout.
 */
const SLOWEST_READING = 1049;

/** Client of GeoServer's REST interface. Credentials are sent only below `/rest`; redirects are not followed. */
export class RestClient {
  readonly #settings: GeoServerSettings;
  readonly #tools: RestTools;
  readonly root: string;

  constructor(settings: GeoServerSettings, tools: RestTools) {
    this.#settings = settings;
    this.#tools = tools;
    this.root = settings.url.replace(/\/+$/, '');
  }

  /**
   * Returns the response. Throws `unavailable` for refused credentials, and if the last attempt gets no response or a
   * transient status other than 500.
   */
  async call(call: RestCall): Promise<RestAnswer> {
    const { attempts = 3 } = this.#settings;
    const most = call.method === 'POST' && call.isRepeatable !== true ? 1 : attempts;
    return await retry(() => this.#attempt(call), {
      pauseAfter: (error, attempt) =>
        attempt < most && error instanceof Unanswered
          ? backoffMs(attempt, { firstPauseMs: 500, longestPauseMs: 5000, random: this.#tools.random })
          : undefined,
      sleep: this.#tools.sleep,
    }).catch((error: unknown) => {
      throw error instanceof Unanswered ? error.asDomainError() : error;
    });
  }

  /** JSON of a resource; undefined for 404. Throws for statuses other than 200 and 404. */
  async resource(path: readonly string[]): Promise<unknown> {
    const json = [...path.slice(0, -1), `${path.at(-1)}.json`];
    const call: RestCall = {
      method: 'GET',
      path: json,
      query: { quietOnNotFound: 'true' },
      accept: 'application/json',
    };
    const { status, text } = await this.call(call);
    if (status === 404) return undefined;
    if (status !== 200) throw failed(call, { status, text });
    try {
      return JSON.parse(text) as unknown;
    } catch (cause) {
      throw new DomainError(
        'unavailable',
        `the map server sent no JSON for ${json.join('/')}; check that its address is that of a GeoServer`,
        { cause },
      );
    }
  }

  /** True if `/web/`, requested without credentials, responds with status 200 or 302. */
  async isReady(): Promise<boolean> {
    try {
      const { timeoutMs = TIMEOUT_MS } = this.#settings;
      const signal = AbortSignal.timeout(timeoutMs);
      const response = await this.#tools.fetch(`${this.root}/web/`, { method: 'GET', redirect: 'manual', signal });
      await response.body?.cancel();
      return response.status === 200 || response.status === 302;
    } catch {
      return false;
    }
  }

  async #attempt(call: RestCall): Promise<RestAnswer> {
    const { method, path, query = {}, accept = '*/*', json, body } = call;
    const search = new URLSearchParams(query).toString();
    const url = `${this.root}/rest/${path.map(encodeURIComponent).join('/')}${search === '' ? '' : `?${search}`}`;
    const { username, password } = this.#settings;
    const type = json === undefined ? body?.type : 'application/json';
    const content = json === undefined ? body?.bytes : JSON.stringify(json);
    const { timeoutMs = TIMEOUT_MS } = this.#settings;
    const limits = isFile(content) ? uploadLimits(content, timeoutMs) : { signal: AbortSignal.timeout(timeoutMs) };
    const response = await this.#answer(url, {
      method,
      redirect: 'manual',
      headers: {
        accept,
        authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`,
        ...(type === undefined ? {} : { 'content-type': type }),
        ...(isFile(content) ? { 'content-length': String(content.length) } : {}),
      },
      ...(content === undefined ? {} : { body: isFile(content) ? null : content, duplex: 'half' }),
      ...limits,
    });
    const { text } = response;
    // GeoServer 2.26 also responds with 401 to a DELETE of a store that is not empty.
    if (response.status === 401 && method !== 'DELETE')
      throw new DomainError(
        'unavailable',
        'the map server refuses the user name or the password; correct them in the settings',
      );
    // GeoServer also responds with 500 to permanent problems, so 500 is not retried. A proxy sends 502 to 504.
    if (response.status !== 500 && isTransientStatus(response.status))
      throw new Unanswered(`the map server answered with status ${response.status}`);
    return { status: response.status, text };
  }

  async #answer(url: string, init: RequestInit): Promise<RestAnswer> {
    try {
      const response = await this.#tools.fetch(url, init);
      return { status: response.status, text: await limitedText(response, MOST_BYTES) };
    } catch (error) {
      if (error instanceof DomainError) throw error;
      throw new Unanswered(`the map server does not answer (${causeOf(error)})`);
    }
  }
}

/**
 * Content of an upload, and its abort signal. The upload is aborted if a piece stalls for `timeoutMs`, if the whole is
 * too slow for its size, or if the response takes too long.
 */
function uploadLimits(
  file: UploadFile,
  timeoutMs: number,
): { readonly body: ReadableStream<Uint8Array>; readonly signal: AbortSignal } {
  const stalled = new AbortController();
  const end = (): void => stalled.abort(new DOMException('the upload stalled', 'TimeoutError'));
  let timer: NodeJS.Timeout | undefined;
  const restart = (ms: number): void => {
    clearTimeout(timer);
    timer = setTimeout(end, ms).unref();
  };
  restart(timeoutMs);
  const watched = new TransformStream<Uint8Array, Uint8Array>({
    transform: (piece, controller) => {
      controller.enqueue(piece);
      restart(timeoutMs);
    },
    flush: () => restart(timeoutMs + file.length / SLOWEST_READING),
  });
  return {
    body: file.stream().pipeThrough(watched),
    signal: AbortSignal.any([stalled.signal, AbortSignal.timeout(timeoutMs + Math.ceil(file.length / SLOWEST_UPLOAD))]),
  };
}

/** Failure after which a retry may succeed. */
class Unanswered extends Error {
  asDomainError(): DomainError {
    return new DomainError('unavailable', `${this.message}; check that it runs and that its address is right`);
  }
}

/** Error for an unexpected status. The server's text is only in `cause`, for logs. */
export function failed({ method, path }: Pick<RestCall, 'method' | 'path'>, { status, text }: RestAnswer): DomainError {
  return new DomainError(
    'unavailable',
    `the map server answered ${method} ${path.join('/')} with status ${status}; look into its log`,
    {
      cause: new Error(text.slice(0, 2000)),
    },
  );
}

/** True if the resource to create already exists: status 409, or status 403 or 500 with the text "already exists". */
export function alreadyExists({ status, text }: RestAnswer): boolean {
  return status === 409 || ((status === 403 || status === 500) && /already exists/i.test(text));
}

/** Members of a list. GeoServer writes an empty list as `""`, and a single member without a list. */
export function asArray(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return value === undefined || value === null || value === '' ? [] : [value];
}

/** Member of nested objects; undefined if an object is missing. */
export function member(value: unknown, ...names: readonly string[]): unknown {
  return names.reduce<unknown>(
    (at, name) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? Reflect.get(at, name) : undefined,
    value,
  );
}

const isFile = (content: NonNullable<RestCall['body']>['bytes'] | undefined): content is UploadFile =>
  typeof content === 'object' && 'stream' in content;

/** Text of a response. Throws `unavailable` above `mostBytes`. */
export async function limitedText(response: Response, mostBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength;
    if (bytes > mostBytes)
      throw new DomainError(
        'unavailable',
        `the map server sent more than ${mostBytes / 2 ** 20} MiB; check that its address is that of a GeoServer`,
      );
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function causeOf(error: unknown): string {
  const { cause } = error instanceof Error ? error : { cause: undefined };
  return messageOf(cause ?? error);
}
