export { tablesOf } from './copy/own-objects.ts';
export { copyIn, type CopyInOptions, hasData, type LineSource, refuseData, refuseNewerCopy } from './copy/copy-in.ts';
export {
  type CopiedDatabase,
  copyOut,
  type LineReceiver,
  type SequenceState,
  type TableHead,
} from './copy/copy-out.ts';
export type { Connection } from './connection.ts';
export { describeConnection, parseConnection } from './connection.ts';
export type { Database, PoolOptions, SearchSql, Sql, StatementTrace, Values } from './database.ts';
export type { DatabaseHandle, PoolState } from './pool.ts';
export { openDatabase } from './database.ts';
export { migrate, type Migration, readMigrations, readSchemaState } from './migrate.ts';
export type { PostgresStores, PostgresStoresOptions } from './stores.ts';
export { createPostgresStores, storesOver } from './stores.ts';
