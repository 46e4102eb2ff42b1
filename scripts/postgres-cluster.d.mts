/** A PostgreSQL + PostGIS that runs for the tests only. */
export interface Cluster {
  /** Folder of its socket. Clients use the folder as the host (port 5432, database `postgres`). */
  readonly folder: string;
  /** Superuser role without a password. */
  readonly role: string;
  /** Connection string of role and socket. */
  readonly address: string;
  /** Starts PostgreSQL again after `stop`; returns when it accepts connections. */
  start(): void;
  /** Stops PostgreSQL. With `immediate`, PostgreSQL ends without a clean shutdown, as in a crash. */
  stop(mode?: 'fast' | 'immediate'): void;
  /** Kills all processes of PostgreSQL with SIGKILL; `start` starts it again. */
  kill(): void;
  /** Freezes all processes of PostgreSQL, as if its machine had lost the network: connections stay open, and no request is answered. */
  freeze(): void;
  /** Lets a frozen PostgreSQL continue. */
  thaw(): void;
  /** Kills one process that serves a connection with SIGKILL. PostgreSQL then ends all connections and recovers. False if there is none. */
  killBackend(): boolean;
  /**
   * Restarts PostgreSQL with a listener on `port` of 127.0.0.1 that requires TLS and a password. The certificate of the listener names
   * `localhost`.
   */
  encrypt(port: number): { readonly port: number; /** Certificate of the authority. */ readonly caFile: string };
  /** Stops PostgreSQL and deletes its files. */
  remove(): void;
}
/** `make` gets additional environment variables for PostgreSQL, such as the variables of a library that changes its clock. */
export function findPostgres():
  | { readonly make: (env?: Readonly<Record<string, string>>) => Cluster; readonly missing?: undefined }
  | { readonly missing: string; readonly make?: undefined };
