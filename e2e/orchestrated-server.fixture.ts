import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlaceBundle } from '@headwater/core';
import { writePlace } from '@headwater/ingest';
import { boxPolygon } from '../scripts/boxes.mjs';
import { type Client, signIn } from './client.ts';
import { freePort, startServerProcess, type ServerProcess } from './server-process.ts';
import { scenesAround, smallPlace, writeScenes } from '../packages/server/src/small-world.fixture.ts';

/** A real Airflow or the fake orchestrator, with the workflows of `scripts/airflow/dags/headwater_tests.py`. */
export interface OrchestratorHarness {
  readonly apiBase: string;
  readonly username: string;
  readonly password: string;
  readonly pause: (dagId: string, isPaused: boolean) => Promise<void>;
  /** Returns conf (the input) and state of each run of a workflow, oldest first. */
  readonly runs: (dagId: string) => Promise<readonly { readonly conf: unknown; readonly state: string }[]>;
  readonly stop: () => Promise<void>;
}

/** Places of the suite; the name selects the behaviour of the workflow. */
export const BLOCKS = ['Calls', 'Failing', 'Slow', 'Later', 'Empty', 'Broken'] as const;

export type Block = (typeof BLOCKS)[number];

/** District whose tehsils one run computes. */
export const DISTRICT = { name: 'Tarai', blocks: ['Calls', 'Failing', 'Later', 'Ramnagar'] } as const;
export const SLOW_DISTRICT = {
  name: 'Dooars',
  blocks: ['Slow', 'Alipur', 'Birpara', 'Chalsa', 'Dhupguri', 'Falakata', 'Goyerkata', 'Hasimara'],
} as const;

const PASSWORD = 'tall-river-42';
const SIDE = 0.01;

function place(block: string, index: number, district = 'Nirmalgarh'): PlaceBundle {
  const west = 78 + (index % 100) * 0.1;
  const south = 17.5 + Math.floor(index / 100);
  const geometry = boxPolygon({ west, south, east: west + SIDE, north: south + SIDE });
  const uid = `12_90${index}001`;
  return {
    state: 'Virtapradesh',
    district,
    tehsil: block,
    geometry,
    mws: [{ uid, geometry }],
    villages: [],
  };
}

/** A tehsil that the scenes cover, for layers that need land cover. */
export const SEEN = 'Seen';

function seenPlace(): PlaceBundle {
  const { mws, ...place } = smallPlace(SEEN);
  return { ...place, mws: mws.map(({ geometry }, index) => ({ uid: `12_95000${index + 1}`, geometry })) };
}

/** A data folder and a port on which a server is started several times. */
export interface OrchestratedYard {
  /** Restarts the server with these variables. */
  start(env?: Readonly<Record<string, string>>): Promise<Client>;
  kill(): Promise<void>;
  output(): string;
  close(): Promise<void>;
}

/** A region and a year that the scenes of this server cover. */
export const REGION_WITH_SCENES = { region: [77.982, 17.503, 77.984, 17.505], year: 2021 } as const;

/** Creates the folder with the places, and with scenes for `REGION_WITH_SCENES`. */
export async function openOrchestratedYard(harness: OrchestratorHarness): Promise<OrchestratedYard> {
  const dataDir = await mkdtemp(join(tmpdir(), 'headwater-orchestrated-'));
  const port = await freePort();
  for (const [index, block] of BLOCKS.entries()) await writePlace(join(dataDir, 'places', block), place(block, index));
  for (const [at, { name, blocks }] of [DISTRICT, SLOW_DISTRICT].entries())
    for (const [index, block] of blocks.entries())
      await writePlace(join(dataDir, 'places', `${name}-${block}`), place(block, 100 * (at + 1) + index, name));
  await writePlace(join(dataDir, 'places', SEEN), seenPlace());
  await writeScenes(dataDir, scenesAround(REGION_WITH_SCENES.year));
  let server: ServerProcess | undefined;
  const base = {
    SUPERUSER_PASSWORD: PASSWORD,
    ORCHESTRATOR_API_BASE: harness.apiBase,
    ORCHESTRATOR_DAG_ID: 'h_headwater',
    ORCHESTRATOR_JOB_DAG_ID: 'h_job',
    ORCHESTRATOR_USERNAME: harness.username,
    ORCHESTRATOR_PASSWORD: harness.password,
    SERVICE_API_BASE: `http://127.0.0.1:${port}`,
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    await server?.stop(signal);
    server = undefined;
  };
  return {
    start: async (env = {}) => {
      await end('SIGTERM');
      server = await startServerProcess({ dataDir, port, env: { ...base, ...env }, args: ['--no-sample'] });
      const [, username = ''] = await server.printed(/superuser {8}(test_user_\d{4})\n/, 60_000);
      // Waits until the places are stored, because the server listens before that.
      await server.printed(/\n {2}Open http/, 60_000);
      return await signIn(server.baseUrl, username, PASSWORD);
    },
    kill: () => end('SIGKILL'),
    output: () => server?.output() ?? '',
    close: async () => {
      await end('SIGKILL');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
