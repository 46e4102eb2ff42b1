import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SAMPLE_PLACE, SAMPLE_YEARS } from '@headwater/sample-world';
import type { Cluster } from '../scripts/postgres-cluster.mjs';
import { clientOf, type Client } from './client.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';

/** A run in a response of the service. */
export interface RunBody {
  readonly run_id: string;
  readonly pipeline: string;
  readonly state: string;
  readonly progress: number;
  readonly attempt: number;
  readonly error: { readonly code: string } | null;
  readonly stac_items: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
}

/** A PostgreSQL, a data folder, and servers that use them. */
export interface ServerYard {
  readonly dataDir: string;
  readonly env: Readonly<Record<string, string>>;
  /** Starts a server at this port; default: a free port. */
  start(env?: Readonly<Record<string, string>>, port?: number): Promise<ServerProcess>;
  /** Kills every server, then stops the database. */
  close(): Promise<void>;
}

/**
 * Creates the database and an empty data folder. If `makesSample` is false, a prepared sample is copied into the
 * folder before the first server starts.
 */
export async function openYard(make: () => Cluster, makesSample = false): Promise<ServerYard> {
  const dataDir = await mkdtemp(join(tmpdir(), 'headwater-yard-'));
  const cluster = make();
  const env = { DB_HOST: cluster.folder, DB_NAME: 'postgres', DB_USER: cluster.role };
  const servers: ServerProcess[] = [];
  return {
    dataDir,
    env,
    async start(more = {}, port) {
      const at = port === undefined ? {} : { port };
      const server = await startServerProcess({ dataDir, env: { ...env, ...more }, makesSample, ...at });
      servers.push(server);
      return server;
    },
    async close() {
      await Promise.all(servers.map((server) => server.stop('SIGKILL')));
      cluster.remove();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** Requests the sample's land cover from `firstYear` on, with overwrite; returns the run's id. */
export async function requestLandCover(client: Client, firstYear: number): Promise<string> {
  const { state, district, tehsil: block } = SAMPLE_PLACE;
  const years = { start_year: firstYear, end_year: SAMPLE_YEARS[2] };
  const body = { state, district, block, ...years, eo_account_id: 1, overwrite: true };
  const answer = await client.post<RunBody>('/api/v1/lulc_for_tehsil/', body);
  if (answer.status !== 202) throw new Error(`the request for a run got ${answer.status}`);
  return answer.body.run_id;
}

/** Returns the runs of land cover, newest first. */
export async function runsOfLandCover(client: Client): Promise<readonly RunBody[]> {
  const { status, body } = await client.get<{ results: RunBody[] }>('/api/v1/runs/?limit=100&parent=any');
  if (status !== 200) throw new Error(`the request for the runs got ${status}`);
  return body.results.filter(({ pipeline }) => pipeline === 'lulc_for_tehsil');
}

/** Polls a run until `isSo` returns true; returns the run. */
export async function runWhen(client: Client, id: string, isSo: (run: RunBody) => boolean): Promise<RunBody> {
  for (;;) {
    const { body } = await client.get<RunBody>(`/api/v1/runs/${id}/`);
    if (isSo(body)) return body;
    await new Promise((settle) => setTimeout(settle, 50));
  }
}

/** Waits until a server begins an attempt of the run. Returns this server (`at`) and another server. */
export async function worksOn(
  id: string,
  servers: readonly ServerProcess[],
): Promise<{ readonly at: ServerProcess; readonly other: ServerProcess }> {
  const begins = new RegExp(`"runId":"${id}".*attempt begins`);
  const at = await Promise.any(servers.map((server) => server.printed(begins, 120_000).then(() => server)));
  const other = servers.find((server) => server !== at);
  if (other === undefined) throw new Error('no other server');
  return { at, other };
}

/** Reads an event stream to its end. Returns the text, and the arrival times (`performance.now`) by event id. */
export async function followed(
  { baseUrl }: ServerProcess,
  { token }: Pick<Client, 'token'>,
  id: string,
): Promise<{ readonly arrivals: ReadonlyMap<string, number>; readonly text: string }> {
  const headers = { authorization: `Bearer ${token}` };
  const { body } = await fetch(`${baseUrl}/api/v1/runs/${id}/events/`, { headers });
  const arrivals = new Map<string, number>();
  let text = '';
  for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += chunk;
    for (const [, seq = ''] of text.matchAll(/^id: ?(\d+)$/gm))
      if (!arrivals.has(seq)) arrivals.set(seq, performance.now());
  }
  return { arrivals, text };
}

/** Returns a client for another server, with an existing token. */
export const at = ({ baseUrl }: Pick<ServerProcess, 'baseUrl'>, { token }: Client): Client => clientOf(baseUrl, token);
