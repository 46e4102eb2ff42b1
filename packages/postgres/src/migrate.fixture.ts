import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Connection } from './connection.ts';
import { parseConnection } from './connection.ts';
import { openDatabase } from './database.ts';
import { openEmbedded } from './embedded/open.ts';
import { copyDatabase } from '../../../scripts/database-template.mjs';

/** Address of the PostgreSQL server under test; '' if none is given. */
export const address = process.env['HEADWATER_TEST_PG'] ?? '';

/** An empty database. */
export interface Fresh {
  readonly connection: Connection;
  readonly stop: () => Promise<void>;
}

/** Kind of database; `missing` is true if this machine has no database of this kind. */
export interface Source {
  readonly start: () => Promise<Fresh>;
  readonly missing?: boolean;
}

/** Starts an embedded database in its own folder. */
export async function startEmbedded(): Promise<Fresh> {
  const dataDir = await mkdtemp(join(tmpdir(), 'headwater-migrate-'));
  await copyDatabase(dataDir, 'new');
  const embedded = await openEmbedded({ dataDir });
  const stop = async (): Promise<void> => {
    await embedded.close();
    await rm(dataDir, { recursive: true, force: true });
  };
  return { connection: embedded.connection, stop };
}

/** Creates a database on the server under test; `stop` removes it. */
export async function freshDatabase(name: string): Promise<Fresh> {
  const server = openDatabase(parseConnection(address));
  await server.script(`drop database if exists ${name} with (force)`);
  await server.script(`create database ${name}`);
  const stop = async (): Promise<void> => {
    await server.script(`drop database ${name} with (force)`);
    await server.close();
  };
  return { connection: { ...parseConnection(address), database: name }, stop };
}

/** Runs `migrate` in a child process; returns the revisions that it applied. */
export async function migrateInProcess(connection: Connection): Promise<number[]> {
  const module = (file: string): string => JSON.stringify(fileURLToPath(new URL(file, import.meta.url)));
  const code = `
    import { openDatabase } from ${module('database.ts')};
    import { migrate } from ${module('migrate.ts')};
    const database = openDatabase(${JSON.stringify(connection)});
    console.log(JSON.stringify(await migrate(database)));
    await database.close();`;
  const child = spawn(process.execPath, ['--conditions=@headwater/source', '--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [output] = await Promise.all([once(child.stdout, 'data'), once(child, 'exit')]);
  const revisions: number[] = JSON.parse(String(output[0]));
  return revisions;
}
