import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock, Logger } from '@headwater/core';
import { SCOPE_PIPELINE } from '@headwater/core/runs';
import type { Stores } from '@headwater/identity';
import { getEventListeners } from 'node:events';
import {
  buildOperations,
  type Headwater,
  type HeadwaterOptions,
  operation,
  type Operation,
  toFetchHandler,
} from '@headwater/http-service';
import { createImporters } from '@headwater/ingest';
import { createSampleService, SAMPLE_PIPELINES, SAMPLE_USERS } from '../http/fixture/sample-service.ts';
import { jsonInit } from '../http/suite/harness.ts';
import { hiddenFields } from '../http/suite/screen-browser.ts';
import { stacItem } from '@headwater/testkit/stores';
import {
  type BrowserFacts,
  rowRequests,
  type RowRequest,
  adminUploadRequest,
  kmlRequest,
  uploadRequest,
  waitingRequests,
  type WorldFacts,
} from './requests.fixture.ts';

const NOW = new Date('2026-03-01T06:00:00Z');
export const STILL: Clock = { now: () => new Date(NOW) };
const ADDRESS = '127.0.0.1';

/** A response whose body was read. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

/** A sample service with the data that requests to all operations need. */
export interface World {
  readonly service: Headwater;
  readonly requests: readonly RowRequest[];
  /** Requests that wait for a worker. */
  readonly waiting: readonly RowRequest[];
  /** Sends a request and reads the response; rejects if the transfer is aborted. */
  readonly ask: (request: RowRequest) => Promise<Answer>;
  /** Listeners on the signal that is aborted at close. */
  readonly closing: () => number;
  /** Listeners on the signals of all requests. */
  readonly signals: () => number;
  /** Log lines since the last call. */
  readonly lines: () => readonly string[];
  /** Resolves with the next matching log line. */
  readonly lineLike: (pattern: RegExp) => Promise<string>;
  readonly close: () => Promise<void>;
}

/** Builds the service over the given stores. */
export async function createWorld(stores: Stores, options: Partial<HeadwaterOptions> = {}): Promise<World> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-faults-'));
  const mails: string[] = [];
  const log = new Log();
  const probe = closingProbe();
  const service = await createSampleService({
    stores,
    logger: log.logger,
    identity: { mail: { send: async ({ text }) => void mails.push(text) } },
    imports: { importers: (of) => createImporters({ stores: of, scratchDir: folder }), scratchDir: folder },
    operations: [probe.row],
    ...options,
  });
  const handle = toFetchHandler(service.service);
  const send = (path: string, init?: RequestInit): Promise<Response> =>
    handle(new Request(`http://headwater.example${path}`, init), { remoteAddress: ADDRESS });
  const facts = await worldFacts({ service, send, log, mails });
  const requests = [
    ...rowRequests(facts),
    uploadRequest(rowNamed('importFile'), facts),
    kmlRequest(rowNamed('uploadKml'), facts),
    adminUploadRequest(rowNamed('importByAdminForm'), facts),
  ];
  await send('/faults/closing');
  const signals: AbortSignal[] = [];
  return {
    service,
    requests,
    waiting: waitingRequests(facts),
    closing: () => listenersOf(probe.signal()),
    signals: () => signals.reduce((sum, each) => sum + listenersOf(each), 0),
    ask: async ({ path, init }) => {
      const request = new Request(`http://headwater.example${path}`, init);
      signals.push(request.signal);
      const answer = await handle(request, { remoteAddress: ADDRESS });
      const body = Buffer.from(await answer.arrayBuffer()).toString('latin1');
      return { status: answer.status, headers: answer.headers, body };
    },
    lines: () => log.take(),
    lineLike: (pattern) => log.next(pattern),
    close: async () => {
      await service.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Operation for this suite, and a function that returns the signal that is aborted when the service closes. */
function closingProbe(): { readonly row: Operation; readonly signal: () => AbortSignal } {
  let found: AbortSignal | undefined;
  const row = operation({
    id: 'findClosing',
    method: 'GET',
    path: '/faults/closing',
    auth: 'public',
    tag: 'system',
    summary: 'Captures the signal of the closing service, for this suite',
    responses: { 204: { description: 'Captured' } },
    errors: [],
    examples: [{ name: 'probe', status: 204 }],
    handler: (_input, { closing }) => {
      found = closing;
      return { status: 204, headers: {}, body: undefined };
    },
  });
  const signal = (): AbortSignal => {
    if (found === undefined) throw new Error('fixture: the probe was not requested');
    return found;
  };
  return { row, signal };
}

const listenersOf = (signal: AbortSignal): number => getEventListeners(signal, 'abort').length;

function rowNamed(name: string) {
  const row = buildOperations(SAMPLE_PIPELINES).find(({ id }) => id === name);
  if (row === undefined) throw new Error(`fixture: there is no row ${name}`);
  return row;
}

interface WorldParts {
  readonly service: Headwater;
  readonly send: (path: string, init?: RequestInit) => Promise<Response>;
  readonly log: Log;
  readonly mails: readonly string[];
}

async function worldFacts({ service, send, log, mails }: WorldParts): Promise<WorldFacts> {
  const { stores, apiKeys } = service;
  const login = async (user: keyof typeof SAMPLE_USERS): Promise<Readonly<Record<'access' | 'refresh', string>>> => {
    const answer = await send('/api/v1/auth/login/', jsonInit(SAMPLE_USERS[user]));
    return (await answer.json()) as { access: string; refresh: string };
  };
  const owner = await login('owner');
  const operator = await login('operator');
  const user = await stores.users.byUsername(SAMPLE_USERS.owner.username);
  const other = await stores.users.byUsername(SAMPLE_USERS.other.username);
  if (user === undefined || other === undefined) throw new Error('fixture: a sample user is missing');
  await stores.people.change(user.id, { email: 'owner@example.org' });
  const sent = log.next(/password_link_sent/);
  await send('/api/v1/auth/forgot-password/', jsonInit({ username: user.username }));
  await sent;
  const [, uid = '', token = ''] = /reset-password\/([^/]+)\/([^/]+)\//.exec(mails[0] ?? '') ?? [];
  const { text: keyText } = await apiKeys.generate({ kind: 'user', user });
  const { id: organizationId } = await stores.people.organizationNamed('Water Board', true);
  const { id: projectId } = await stores.teams.createProject({ name: 'Ponds of the south', organizationId: null });
  const member = await stores.teams.setMember(projectId, { userId: user.id, groupId: 3 });
  const jobId = '0190a000-0000-7000-8000-00000000000a';
  const params = { region: [85, 24, 85.02, 24.02], year: 2021 };
  await stores.jobs.add({ id: jobId, op: 'export', params }, { mostOpen: 9, mostEnded: 9, keepMs: 86_400_000 });
  const queuedRun = '0190a000-0000-7000-8000-00000000000b';
  const [pipeline] = SAMPLE_PIPELINES;
  const run = { id: queuedRun, pipeline: pipeline.name, params: { startYear: 2020 }, fingerprint: 'queued' };
  await stores.runs.enqueue({ ...run, ownerId: user.id });
  const unownedRun = '0190a000-0000-7000-8000-00000000000c';
  await stores.runs.enqueue({ ...run, id: unownedRun, fingerprint: 'unowned', ownerId: null });
  const scopeRun = '0190a000-0000-7000-8000-0000000000e1';
  const request = { startYear: 2021, endYear: 2021, eoAccountId: 1 };
  const area = { scope: 'district', state: 'Sample State', district: 'Sample District' };
  const scopeParams = { ...area, computes: pipeline.name, request, overwrite: false, withDependencies: false };
  const scope = { id: scopeRun, pipeline: SCOPE_PIPELINE, params: scopeParams, fingerprint: 'scope' };
  // The run has one part, for an unknown tehsil. The run is cancelled, so that a request can retry it.
  await stores.runs.enqueue({ ...scope, ownerId: user.id }, { parts: [{ tehsilId: 99, work: 1 }] });
  await stores.runs.requestCancel(scopeRun);
  const openScopeRun = '0190a000-0000-7000-8000-0000000000e2';
  const open = { ...scope, id: openScopeRun, fingerprint: 'open scope', ownerId: user.id };
  await stores.runs.enqueue(open, { parts: [{ tehsilId: 99, work: 1 }] });
  return {
    bearer: { authorization: `Bearer ${owner.access}` },
    superuser: { authorization: `Bearer ${operator.access}` },
    apiKey: { 'x-api-key': keyText },
    refreshToken: owner.refresh,
    ...(await browserFacts(send)),
    keyText,
    ownerId: user.id,
    otherId: other.id,
    link: { uid, token },
    organizationId,
    projectId,
    memberId: member.id,
    jobId,
    queuedRun,
    scopeRun,
    openScopeRun,
    unownedRun,
    region: await publishRegion(stores),
  };
}

async function browserFacts(send: WorldParts['send']): Promise<Pick<WorldFacts, 'visitor' | 'browser' | 'admin'>> {
  const origin = 'http://headwater.example';
  const cookieOf = (answer: Response): string => answer.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const tokenOf = async (answer: Response): Promise<string> => hiddenFields(await answer.text())['token'] ?? '';
  const page = await send('/login/');
  const visitor = { headers: { cookie: cookieOf(page), origin }, token: await tokenOf(page) };
  const signIn = async (user: (typeof SAMPLE_USERS)[keyof typeof SAMPLE_USERS]): Promise<BrowserFacts> => {
    const body = new URLSearchParams({ ...user, token: visitor.token });
    const done = await send('/login/', { method: 'POST', headers: visitor.headers, body });
    const headers = { cookie: cookieOf(done), origin };
    return { headers, token: await tokenOf(await send('/logout/', { headers })) };
  };
  return { visitor, browser: await signIn(SAMPLE_USERS.owner), admin: await signIn(SAMPLE_USERS.operator) };
}

async function publishRegion({ runs }: Stores): Promise<string> {
  const name = 'region_0123456789abcdef';
  const id = '0190a000-0000-7000-8000-00000000000d';
  const [pipeline, item] = ['regions', stacItem(`${name}_map`, 'a map')];
  await runs.enqueue({ id, pipeline, params: {}, fingerprint: 'region', ownerId: null });
  const run = await runs.claim({ workerId: 'fixture', leaseMs: 60_000, maxAttempts: 3, pipelines: [pipeline] });
  const items = [{ id: `${name}_map`, collectionPath: `regions/custom/${name}`, item }];
  await runs.publish(id, run?.token ?? 0, { items, layers: [], timings: {} });
  return name;
}

class Log {
  #lines: string[] = [];
  readonly #waiting = new Set<(line: string) => void>();

  readonly logger: Logger = {
    debug: (...logged) => this.#add('debug', logged),
    info: (...logged) => this.#add('info', logged),
    error: (...logged) => this.#add('error', logged),
  };

  take(): readonly string[] {
    return this.#lines.splice(0);
  }

  async next(pattern: RegExp): Promise<string> {
    const { promise, resolve } = Promise.withResolvers<string>();
    const listener = (line: string): void => {
      if (pattern.test(line)) resolve(line);
    };
    this.#waiting.add(listener);
    const line = await promise;
    this.#waiting.delete(listener);
    return line;
  }

  #add(level: string, logged: readonly unknown[]): void {
    const line = `${level} ${JSON.stringify(logged)}`;
    this.#lines.push(line);
    for (const listener of this.#waiting) listener(line);
  }
}
