import { join } from 'node:path';
import { createPostgresStores, openDatabase, parseConnection } from '@headwater/postgres';
import { type DatabaseState, DatabaseWatch } from './database-state.ts';
import { FaultyWire, type StatementFault } from './faulty-wire.ts';
import type { RowRequest } from './requests.fixture.ts';
import { type Answer, createWorld, type World } from './world.fixture.ts';

/** Outcome of a request on PostgreSQL. */
export interface PostgresOutcome {
  /** Undefined if the response was aborted after the status was sent. */
  readonly answer: Answer | undefined;
  /** Statements of the request, in order. */
  readonly statements: readonly string[];
  readonly state: DatabaseState;
  /** Transactions, statements and locks that the request left open, or too many connections; empty if none. */
  readonly left: readonly string[];
}

/** A service with data, which reaches PostgreSQL through a proxy. */
export interface PostgresWorld extends Pick<World, 'service' | 'requests' | 'closing' | 'signals' | 'lines'> {
  /** Initial state of the database. */
  readonly first: DatabaseState;
  readonly send: (request: RowRequest, fault?: StatementFault) => Promise<PostgresOutcome>;
  /** Restores the initial state. */
  readonly reset: () => Promise<void>;
  readonly close: () => Promise<void>;
}

const POOL = { poolSize: 3, searchPoolSize: 2 };
const MOST_CONNECTIONS = POOL.poolSize + POOL.searchPoolSize + 1;
/** Number of polls after which no transaction, statement or lock may be left. */
const MOST_LOOKS = 300;

/** Builds the service in a new database. */
export async function createPostgresWorld(address: string, name: string): Promise<PostgresWorld> {
  const admin = openDatabase(parseConnection(address), { poolSize: 2 });
  await admin.script(`drop database if exists ${name} with (force)`);
  await admin.script(`create database ${name}`);
  const connection = { ...parseConnection(address), database: name };
  const wire = await FaultyWire.open({
    target: join(connection.host, `.s.PGSQL.${connection.port}`),
    terminate: async (pid) => void (await admin.run('select pg_terminate_backend($1::int)', [pid])),
  });
  const world = await createWorld(await createPostgresStores({ connection: wire.through(connection), ...POOL }));
  const direct = openDatabase(connection, { poolSize: 1 });
  const watch = await DatabaseWatch.start(direct);
  const first = await watch.state();
  let now = first;
  return {
    ...world,
    first,
    reset: async () => {
      await watch.reset(first, now);
      now = first;
    },
    send: async (request, fault) => {
      const last = request.lastLine === undefined ? undefined : world.lineLike(request.lastLine);
      const end = wire.watch(fault);
      const answer = await world.ask(request).catch(() => undefined);
      if (answer?.status === request.status) await last;
      const left = await leftIn(watch);
      const statements = end();
      now = await watch.state();
      return { answer, statements, left, state: now };
    },
    close: async () => {
      await world.close();
      await direct.close();
      await wire.close();
      await admin.script(`drop database ${name} with (force)`);
      await admin.close();
    },
  };
}

async function leftIn(watch: DatabaseWatch): Promise<readonly string[]> {
  const heldNow = async (): Promise<readonly string[]> => {
    const { inTransaction, active, advisoryLocks, connections } = await watch.sessionsAndLocks();
    const held = { 'a transaction': inTransaction, 'a statement': active, 'an advisory lock': advisoryLocks };
    const names = Object.entries(held).flatMap(([what, count]) => (count > 0 ? [what] : []));
    return connections > MOST_CONNECTIONS ? [...names, `${connections} connections`] : names;
  };
  let left = await heldNow();
  for (let looks = 0; looks < MOST_LOOKS && left.length > 0; looks += 1) left = await heldNow();
  return left;
}
