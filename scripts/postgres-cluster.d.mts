/** A PostgreSQL + PostGIS for tests. */
export interface Cluster {
  /** Folder of the socket. Clients use this folder as the host (port 5432, database `postgres`). */
  readonly folder: string;
  /** Superuser role without a password. */
  readonly role: string;
  /** Connection string of role and socket. */
  readonly address: string;
  /** Starts PostgreSQL after `stop`. Returns when PostgreSQL accepts connections. */
  start(): void;
  /** Stops PostgreSQL; `immediate` as in a crash. */
  stop(mode?: 'fast' | 'immediate'): void;
  /** Kills all processes with SIGKILL. */
  kill(): void;
  /** Freezes all processes: connections stay open without responses. */
  freeze(): void;
  /** Lets a frozen PostgreSQL continue. */
  thaw(): void;
  /** Kills the process of a connection, after which PostgreSQL recovers. False without connections. */
  killBackend(): boolean;
  /** Restarts PostgreSQL. Then it also listens on `port` of 127.0.0.1, with TLS (for `localhost`) and a password. */
  encrypt(port: number): { readonly port: number; /** Certificate of the authority. */ readonly caFile: string };
  /** Stops PostgreSQL and deletes its files. */
  remove(): void;
}
/** Finds PostgreSQL. `make` creates and starts a cluster; `env` has additional environment variables for PostgreSQL. */
export function findPostgres():
  | { readonly make: (env?: Readonly<Record<string, string>>) => Cluster; readonly missing?: undefined }
  | { readonly missing: string; readonly make?: undefined };
