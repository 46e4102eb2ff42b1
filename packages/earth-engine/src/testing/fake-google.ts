import { createPublicKey, generateKeyPairSync, type KeyObject, verify } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { computedPixels, type FakeGrid, type FakeImages, listedImages } from './fake-images.ts';
import { FAKE_EECU_PER_MILLION, FakeUsage, type FakeUsageOptions } from './fake-usage.ts';

export type { FakeBand, FakeGrid, FakeImage, FakeImages, FakePixels } from './fake-images.ts';
export { FAKE_EECU_PER_MILLION, type FakeUsage, type FakeUsageOptions, seriesOf } from './fake-usage.ts';

/** Key pair of the service account of a fake. */
export interface AccountKeys {
  /** Private key, PKCS #8 as PEM. */
  readonly pem: string;
  readonly publicKey: KeyObject;
}

/** Creates the key pair of a service account. Takes some hundreds of milliseconds. */
export function createAccountKeys(): AccountKeys {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
  return { pem, publicKey: createPublicKey(privateKey) };
}

/**
 * Fault of one request. These faults replace the normal response: a status, `quota` (the quota is spent), `rate` (a
 * limit per minute), `html` and `json`. All other faults damage the normal response:
 * - `lost`: the connection breaks
 * - `half`: the body is cut
 * - `stall`: the body never ends
 * - `long`: the body is longer than declared
 * - `smaller`: the image has half the pixels
 * - `silent`: no response is sent
 */
export type Fault =
  | 400
  | 401
  | 403
  | 404
  | 429
  | 503
  | 'quota'
  | 'rate'
  | 'lost'
  | 'half'
  | 'silent'
  | 'html'
  | 'stall'
  | 'long'
  | 'smaller'
  | { readonly json: unknown };

/** Chooses the fault of a request; undefined means no fault. It is not called for requests for tokens. */
export type FaultRule = (request: {
  readonly method: string;
  readonly path: string;
}) => Fault | undefined | Promise<Fault | undefined>;

/** Options of a fake. */
export interface FakeGoogleOptions extends FakeUsageOptions {
  readonly fault?: FaultRule;
  /** Number of polls after which an operation ends; default 2. */
  readonly polls?: number;
  readonly now?: () => Date;
  /** Lifetime of a token, seconds; default 3600. */
  readonly tokenSeconds?: number;
  readonly images?: FakeImages;
  readonly keys?: AccountKeys;
}

interface Operation {
  readonly name: string;
  readonly requestId: string;
  readonly description: string;
  readonly manifest: Readonly<Record<string, unknown>>;
  readonly createTime: string;
  polls: number;
  isDone: boolean;
  error?: string;
}

/** A listening fake. The token endpoint and the three services of Google have the same origin. */
export interface ListeningGoogle {
  readonly origin: string;
  readonly close: () => Promise<void>;
}

const EMAIL = 'runner@project.iam.gserviceaccount.com';
const PROJECT = 'project';

/** Fake of Google's token endpoint, Cloud Storage, Earth Engine and Cloud Monitoring. */
export class FakeGoogle {
  readonly assets = new Map<string, Record<string, unknown>>();
  readonly objects = new Map<string, Uint8Array>();
  readonly policies = new Map<string, readonly unknown[]>();
  readonly operations: Operation[] = [];
  readonly requests: string[] = [];
  readonly importErrors = new Map<string, string>();
  readonly workloadTags = new Set<string>();
  readonly usage: FakeUsage;
  tokensGiven = 0;
  readonly #options: FakeGoogleOptions;
  readonly #tokens = new Map<string, number>();
  #keys: AccountKeys | undefined;

  constructor(options: FakeGoogleOptions = {}) {
    this.#options = options;
    this.#keys = options.keys;
    this.usage = new FakeUsage(options);
  }

  keyFor(origin: string): Readonly<Record<string, string>> {
    return {
      type: 'service_account',
      project_id: PROJECT,
      private_key_id: 'k1',
      private_key: this.#accountKeys().pem,
      client_email: EMAIL,
      token_uri: `${origin}/token`,
    };
  }

  issueToken(): string {
    const { tokenSeconds = 3600 } = this.#options;
    this.tokensGiven += 1;
    const token = `token-${this.tokensGiven}`;
    this.#tokens.set(token, this.#now().getTime() + tokenSeconds * 1000);
    return token;
  }

  expireTokens(): void {
    this.#tokens.clear();
  }

  /** Responds to a request; undefined means that the connection breaks. */
  async handle(request: Request): Promise<Response | undefined> {
    const url = new URL(request.url);
    if (url.pathname === '/token') return this.#token(await request.text(), url.origin);
    const fault = await this.#options.fault?.({ method: request.method, path: url.pathname });
    this.requests.push(`${request.method} ${url.pathname}`);
    if (typeof fault === 'number' || fault === 'quota' || fault === 'rate') return faulty(fault);
    if (fault === 'html') return new Response('<html>Sign in</html>', { headers: { 'content-type': 'text/html' } });
    if (!this.#isAllowed(request))
      return failure(401, 'UNAUTHENTICATED', 'Request had invalid authentication credentials.');
    if (typeof fault === 'object') return Response.json(fault.json);
    const answer = await this.#route(request, url, fault === 'smaller');
    if (fault === 'lost') return undefined;
    if (fault === 'silent') return await new Promise<never>(() => {});
    if (fault === undefined || fault === 'smaller' || !answer.ok) return answer;
    return damaged(fault, new Uint8Array(await answer.arrayBuffer()));
  }

  async listen(): Promise<ListeningGoogle> {
    const answer = async (incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
      const { method = 'GET', url = '/', headers } = incoming;
      const hasBody = method !== 'GET' && method !== 'DELETE';
      const init = {
        method,
        headers: { authorization: headers.authorization ?? '', 'content-type': headers['content-type'] ?? '' },
        ...(hasBody ? { body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>, duplex: 'half' as const } : {}),
      };
      const found = await this.handle(new Request(`http://${headers.host ?? 'localhost'}${url}`, init));
      if (found === undefined) incoming.socket.destroy();
      else await send(found, response);
    };
    const server = createServer((incoming, response) => void answer(incoming, response));
    await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    return {
      origin: `http://127.0.0.1:${port}`,
      close: () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    };
  }

  #accountKeys(): AccountKeys {
    return (this.#keys ??= createAccountKeys());
  }

  #now(): Date {
    return this.#options.now?.() ?? new Date();
  }

  #token(body: string, origin: string): Response {
    const form = new URLSearchParams(body);
    const [head = '', claims = '', signature = ''] = (form.get('assertion') ?? '').split('.');
    const isSigned = verify(
      'sha256',
      Buffer.from(`${head}.${claims}`),
      this.#accountKeys().publicKey,
      Buffer.from(signature, 'base64url'),
    );
    const { iss, aud } = JSON.parse(Buffer.from(claims, 'base64url').toString() || '{}') as Record<string, unknown>;
    if (!isSigned || iss !== EMAIL || aud !== `${origin}/token`)
      return Response.json({ error: 'invalid_grant', error_description: 'Invalid JWT Signature.' }, { status: 400 });
    const { tokenSeconds = 3600 } = this.#options;
    return Response.json({ access_token: this.issueToken(), expires_in: tokenSeconds, token_type: 'Bearer' });
  }

  #isAllowed(request: Request): boolean {
    const token = (request.headers.get('authorization') ?? '').replace('Bearer ', '');
    return (this.#tokens.get(token) ?? 0) > this.#now().getTime();
  }

  async #route(request: Request, url: URL, isSmaller: boolean): Promise<Response> {
    const { pathname } = url;
    const body = request.method === 'POST' ? new Uint8Array(await request.arrayBuffer()) : new Uint8Array();
    if (pathname.startsWith('/upload/storage/')) return this.#upload(url, body);
    if (pathname.startsWith('/storage/')) return this.#remove(decodeURIComponent(pathname.replace(/^.*\/o\//, '')));
    const json =
      request.method === 'POST' ? (JSON.parse(new TextDecoder().decode(body)) as Record<string, unknown>) : {};
    const name = decodeURIComponent(pathname.replace(/^\/v1\//, ''));
    const { images } = this.#options;
    if (name.endsWith('/image:computePixels')) {
      const answer = await computedPixels(images, isSmaller ? withHalfTheRows(json) : json);
      if (answer.ok) this.#count(json);
      return answer;
    }
    if (/^\/v3\/projects\/[^/]+\/timeSeries$/.test(pathname)) return this.usage.answer(url.searchParams, this.#now());
    if (name.endsWith(':listAssets')) return listedImages(images ?? { list: [], pixels: noPixels }, url.searchParams);
    if (name.endsWith(':import')) return this.#import(json);
    if (name.endsWith('IamPolicy')) return this.#policy(name, json);
    if (/^projects\/[^/]+\/operations$/.test(name))
      return Response.json({ operations: this.operations.map((each) => shownOperation(each)) });
    if (name.includes('/operations/')) return this.#poll(name);
    if (request.method === 'POST') return this.#create(`${name}/${url.searchParams.get('assetId') ?? ''}`, json);
    const asset = this.assets.get(name);
    return asset === undefined ? failure(404, 'NOT_FOUND', `Asset "${name}" does not exist.`) : Response.json(asset);
  }

  #count({ workloadTag, grid, bandIds }: Record<string, unknown>): void {
    if (typeof workloadTag !== 'string') return;
    const { width, height } = (grid as FakeGrid).dimensions;
    const pixels = width * height * Math.max(1, (bandIds as readonly string[] | undefined)?.length ?? 0);
    this.workloadTags.add(workloadTag);
    this.usage.add(workloadTag, (pixels * FAKE_EECU_PER_MILLION) / 1e6, this.#now());
  }

  #upload(url: URL, body: Uint8Array): Response {
    const name = url.searchParams.get('name') ?? '';
    if (this.objects.has(name)) return failure(412, 'FAILED_PRECONDITION', 'conditionNotMet');
    this.objects.set(name, body);
    return Response.json({ kind: 'storage#object', name, size: String(body.byteLength) });
  }

  #remove(name: string): Response {
    return this.objects.delete(name)
      ? new Response(null, { status: 204 })
      : failure(404, 'NOT_FOUND', 'No such object.');
  }

  #create(name: string, asset: Record<string, unknown>): Response {
    if (this.assets.has(name)) return failure(409, 'ALREADY_EXISTS', `Cannot overwrite asset '${name}'.`);
    this.assets.set(name, { ...asset, name, id: name });
    return Response.json(this.assets.get(name));
  }

  #import({ imageManifest, requestId, description }: Record<string, unknown>): Response {
    const manifest = imageManifest as { name: string; tilesets: { sources: { uris: string[] }[] }[] };
    const id = String(requestId);
    if (this.operations.some((each) => each.requestId === id))
      return failure(409, 'ALREADY_EXISTS', `A request with id ${id} was already accepted.`);
    const object = manifest.tilesets[0]?.sources[0]?.uris[0]?.replace(/^gs:\/\/[^/]+\//, '') ?? '';
    if (!this.objects.has(object)) return failure(400, 'INVALID_ARGUMENT', `No such object: ${object}`);
    const parent = manifest.name.replace(/\/[^/]+$/, '');
    if (!parent.endsWith('/assets') && !this.assets.has(parent))
      return failure(404, 'NOT_FOUND', `Parent "${parent}" does not exist.`);
    const operation: Operation = {
      name: `projects/${PROJECT}/operations/OP${this.operations.length + 1}`,
      requestId: id,
      description: String(description),
      manifest: { ...manifest },
      createTime: this.#now().toISOString(),
      polls: 0,
      isDone: false,
    };
    this.operations.push(operation);
    return Response.json(shownOperation(operation));
  }

  #poll(name: string): Response {
    const operation = this.operations.find((each) => each.name === name);
    if (operation === undefined) return failure(404, 'NOT_FOUND', 'Operation not found.');
    operation.polls += 1;
    if (operation.polls >= (this.#options.polls ?? 2)) this.#end(operation);
    return Response.json(shownOperation(operation));
  }

  #end(operation: Operation): void {
    if (operation.isDone) return;
    const asset = String(operation.manifest['name']);
    const error = this.importErrors.get(asset);
    operation.isDone = true;
    if (error === undefined)
      this.assets.set(asset, { type: 'IMAGE', name: asset, id: asset, properties: operation.manifest['properties'] });
    else operation.error = error;
  }

  #policy(name: string, { policy }: Record<string, unknown>): Response {
    const [asset = '', method] = name.split(':');
    if (!this.assets.has(asset)) return failure(404, 'NOT_FOUND', `Asset "${asset}" does not exist.`);
    if (method === 'setIamPolicy') this.policies.set(asset, (policy as { bindings: unknown[] }).bindings);
    return Response.json({ bindings: this.policies.get(asset) ?? [], etag: 'BwX=' });
  }
}

const noPixels = (): Promise<Uint8Array> => Promise.reject(new Error('the fake has no images'));

function withHalfTheRows(body: Record<string, unknown>): Record<string, unknown> {
  const grid = body['grid'] as { readonly dimensions: { readonly width: number; readonly height: number } };
  const { width, height } = grid.dimensions;
  return { ...body, grid: { ...grid, dimensions: { width, height: Math.max(1, Math.floor(height / 2)) } } };
}

function damaged(fault: 'half' | 'stall' | 'long', bytes: Uint8Array<ArrayBuffer>): Response {
  const half = Math.floor(bytes.byteLength / 2);
  if (fault === 'half') return new Response(bytes.slice(0, half), { status: 200 });
  if (fault === 'stall')
    return new Response(new ReadableStream({ start: (body) => body.enqueue(bytes.slice(0, half)) }));
  const headers = { 'content-length': String(half) };
  return new Response(bytes, { headers });
}

async function send({ status, headers, body }: Response, response: ServerResponse): Promise<void> {
  response.writeHead(status, Object.fromEntries(headers));
  const reader = body?.getReader();
  for (let next = await reader?.read(); next !== undefined && !next.done; next = await reader?.read())
    response.write(next.value);
  response.end();
}

function shownOperation({ name, description, createTime, isDone, error }: Operation): object {
  const state = isDone ? (error === undefined ? 'SUCCEEDED' : 'FAILED') : 'RUNNING';
  const metadata = {
    '@type': 'type.googleapis.com/google.earthengine.v1.OperationMetadata',
    state,
    description,
    createTime,
  };
  const usage = isDone ? { batchEecuUsageSeconds: 1.25 } : {};
  const end = error === undefined ? { response: {} } : { error: { code: 3, message: error } };
  return { name, metadata: { ...metadata, type: 'INGEST_IMAGE', ...usage }, ...(isDone ? { done: true, ...end } : {}) };
}

function failure(code: number, status: string, message: string): Response {
  return Response.json({ error: { code, message, status } }, { status: code });
}

function after(seconds: number, answer: Response): Response {
  answer.headers.set('retry-after', String(seconds));
  return answer;
}

function faulty(fault: number | 'quota' | 'rate'): Response {
  if (fault === 'quota')
    return after(600, failure(429, 'RESOURCE_EXHAUSTED', 'Quota exceeded for the EECU-time of this project.'));
  if (fault === 'rate')
    return failure(
      429,
      'RESOURCE_EXHAUSTED',
      "Quota exceeded for quota metric 'Requests' and limit 'Requests per minute' of service 'earthengine.googleapis.com' for consumer 'project_number:1'.",
    );
  if (fault === 429) return after(7, failure(429, 'RESOURCE_EXHAUSTED', 'Too many concurrent requests.'));
  if (fault === 503) return failure(503, 'UNAVAILABLE', 'The service is currently unavailable.');
  if (fault === 403) return failure(403, 'PERMISSION_DENIED', 'Permission denied.');
  if (fault === 400) return failure(400, 'INVALID_ARGUMENT', 'Image.load: the expression is not valid.');
  return fault === 404 ? failure(404, 'NOT_FOUND', 'Not found.') : failure(401, 'UNAUTHENTICATED', 'Token expired.');
}
