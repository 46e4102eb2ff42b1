/** A PostgreSQL + PostGIS for tests. */
export interface Cluster {
  /** Folder of its socket, the host of clients (port 5432, database `postgres`). */
  readonly folder: string;
  /** Superuser role without a password. */
  readonly role: string;
  /** Connection string of role and socket. */
  readonly address: string;
  /** Starts PostgreSQL after `stop`; returns when it accepts connections. */
  start(): void;
  /** Stops PostgreSQL; `immediate` as in a crash. */
  stop(mode?: 'fast' | 'immediate'): void;
  /** Kills all processes; `start` starts them again. */
  kill(): void;
  /** Freezes all processes: connections stay open without responses. */
  freeze(): void;
  /** Lets a frozen PostgreSQL continue. */
  thaw(): void;
  /**
   * Kills the process of a connection, so that PostgreSQL ends all connections and recovers. False if there is none.
   */
  killBackend(): boolean;
  /** Restarts with a TLS listener on `port` of 127.0.0.1 that needs a password. Its certificate names `localhost`. */
  encrypt(port: number): { readonly port: number; /** Certificate of the authority. */ readonly caFile: string };
  /** Stops PostgreSQL and deletes its files. */
  remove(): void;
}
/** Finds PostgreSQL. `make` gets environment variables for it, such as a changed clock. */
export function findPostgres():
  | { readonly make: (env?: Readonly<Record<string, string>>) => Cluster; readonly missing?: undefined }
  | { readonly missing: string; readonly make?: undefined };
