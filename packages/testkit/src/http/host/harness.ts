import { request as httpRequest } from 'node:http';
import type { Headwater, HeadwaterOptions, Operation } from '@headwater/http-service';
import { afterAll, beforeAll, it } from 'vitest';
import { createKitService, SAMPLE_USERS } from './kit-service.ts';
import { createProbes, type ProbeLog } from '../probes/index.ts';
import type { HttpTarget, RunningHost } from './target.ts';

type CreateService = (options: Partial<HeadwaterOptions>) => Promise<Headwater>;

/** A listening host with a service and the test operations ("probes"). */
export interface Harness {
  readonly target: HttpTarget;
  readonly host: RunningHost;
  readonly service: Headwater;
  readonly probes: ProbeLog;
  /**
   * Sends a request to the host without following redirects. `path` is appended as text, even if it begins with `//`.
   */
  readonly get: (path: string, init?: RequestInit) => Promise<Response>;
  /** Access token of a sample user. */
  readonly token: (user: keyof typeof SAMPLE_USERS) => Promise<string>;
  /** API key of the sample user `owner`. */
  readonly key: () => Promise<string>;
  /**
   * Headers with the credentials of `owner`, or of `operator` if only superusers may call the operation. No headers for
   * public operations and for pages with a session.
   */
  readonly credentials: (row: Operation) => Promise<Record<string, string>>;
}

/** Starts host and service before the test cases. Call the result inside of a test case. */
export function useHarness(target: HttpTarget, create: CreateService = createKitService): () => Harness {
  let harness: Harness | undefined;
  beforeAll(async () => {
    harness = await startHarness(target, create);
  });
  afterAll(async () => {
    await harness?.service.close();
    await harness?.host.close();
    // The reference is removed, because otherwise the memory of the service would not be freed.
    harness = undefined;
  });
  return () => {
    if (harness === undefined) throw new Error('harness: not started');
    return harness;
  };
}

async function startHarness(target: HttpTarget, create: CreateService): Promise<Harness> {
  const { operations, tags, log } = createProbes();
  const service = await create({ operations, tags });
  await service.start();
  const host = await target.start({ mounts: [{ service: service.service, prefix: '' }] });
  const tokens = new Map<string, string>();
  const get = (path: string, init?: RequestInit): Promise<Response> =>
    fetch(host.url + path, { redirect: 'manual', ...init });
  const token: Harness['token'] = (user) => tokenOf(user, { tokens, get });
  let newest: Promise<string> | undefined;
  const key = (): Promise<string> => (newest ??= newKey(service));
  const credentials: Harness['credentials'] = async ({ auth }) => {
    if (auth === 'public' || auth === 'session') return {};
    if (auth === 'superuser') return { authorization: `Bearer ${await token('operator')}` };
    return auth === 'apiKey' ? { 'x-api-key': await key() } : { authorization: `Bearer ${await token('owner')}` };
  };
  return { target, host, service, probes: log, get, token, key, credentials };
}

async function newKey({ stores, apiKeys }: Headwater): Promise<string> {
  const user = await stores.users.byUsername(SAMPLE_USERS.owner.username);
  if (user === undefined) throw new Error('fixture: the owner is missing');
  return (await apiKeys.generate({ kind: 'user', user })).text;
}

async function tokenOf(
  user: keyof typeof SAMPLE_USERS,
  { tokens, get }: Pick<Harness, 'get'> & { readonly tokens: Map<string, string> },
): Promise<string> {
  const known = tokens.get(user);
  if (known !== undefined) return known;
  const answer = await get('/api/v1/auth/login/', jsonInit(SAMPLE_USERS[user]));
  const { access } = (await answer.json()) as { access: string };
  tokens.set(user, access);
  return access;
}

/** Options of a POST request with a JSON body. */
export function jsonInit(body: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json', ...headers }, body: JSON.stringify(body) };
}

/** Defines a test case. If the target skips the case, the title contains the reason. */
export function defineCase(target: HttpTarget, name: string, run: () => Promise<void>): void {
  const reason = target.skips[name];
  const define = reason === undefined ? it : it.skip;
  define(reason === undefined ? name : `${name} (${reason})`, run);
}

/** Response of `sendRaw`. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly body: string;
  /** The received body, not decoded. */
  readonly bytes: Uint8Array;
}

/** Sends requests that `fetch` cannot send: any method and path, chunked bodies, repeated headers. */
export function sendRaw(
  url: string,
  path: string,
  options: {
    readonly method?: string;
    readonly headers?: Record<string, string | string[]>;
    readonly chunks?: readonly (string | Uint8Array)[];
  } = {},
): Promise<RawAnswer> {
  const { hostname, port } = new URL(url);
  const { method = 'GET', headers: ownHeaders = {}, chunks = [] } = options;
  // Without the header `transfer-encoding`, the server would read the body of a DELETE as the next request.
  const isFramed = method !== 'DELETE' || chunks.length === 0;
  const headers = isFramed ? ownHeaders : { 'transfer-encoding': 'chunked', ...ownHeaders };
  return new Promise((resolve, reject) => {
    const outgoing = httpRequest({ hostname, port, path, method, headers, agent: false }, (incoming) => {
      const parts: Buffer[] = [];
      incoming.on('data', (part: Buffer) => parts.push(part));
      incoming.on('end', () => {
        const bytes = Buffer.concat(parts);
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, body: bytes.toString(), bytes });
      });
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    for (const chunk of chunks) outgoing.write(chunk);
    outgoing.end();
  });
}
