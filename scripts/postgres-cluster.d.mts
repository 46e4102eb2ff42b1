/** A running PostgreSQL + PostGIS of the tests' own. */
export interface Cluster {
  /** Folder of its socket: the host to connect to, port 5432, database `postgres`. */
  readonly folder: string;
  /** Role with every right and no password. */
  readonly role: string;
  /** The same as one address. */
  readonly address: string;
  /** Starts it again after `stop`; returns when it answers. */
  start(): void;
  /** `immediate` ends it as a crash would. */
  stop(mode?: 'fast' | 'immediate'): void;
  /** Starts it anew with a door on `port` of 127.0.0.1: TLS only, with a password; its certificate names `localhost`. */
  encrypt(port: number): { readonly port: number; /** Certificate of who signed it. */ readonly caFile: string };
  /** Stops it and deletes its files. */
  remove(): void;
}
export function findPostgres():
  | { readonly make: () => Cluster; readonly missing?: undefined }
  | { readonly missing: string; readonly make?: undefined };
