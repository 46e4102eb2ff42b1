/** A PostgreSQL + PostGIS that runs for the tests only. */
export interface Cluster {
  /** Folder of its socket, which is the host to connect to (port 5432, database `postgres`). */
  readonly folder: string;
  /** Superuser role without a password. */
  readonly role: string;
  /** Connection string of role and socket. */
  readonly address: string;
  /** Starts it again after `stop`; returns when it accepts connections. */
  start(): void;
  /** Stops it; `immediate` stops it as a crash would. */
  stop(mode?: 'fast' | 'immediate'): void;
  /** Restarts it with a listener on `port` of 127.0.0.1 that requires TLS and a password; its certificate names `localhost`. */
  encrypt(port: number): { readonly port: number; /** Certificate of the authority. */ readonly caFile: string };
  /** Stops it and deletes its files. */
  remove(): void;
}
export function findPostgres():
  | { readonly make: () => Cluster; readonly missing?: undefined }
  | { readonly missing: string; readonly make?: undefined };
