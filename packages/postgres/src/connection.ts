/** Where a database is and who asks. Never logged whole: `password` is a secret. */
export interface Connection {
  /** Host name, address, or absolute folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password?: string;
  /** TLS: `true` checks the server's certificate against the system's roots. */
  readonly ssl?: boolean | { readonly ca?: string; readonly rejectUnauthorized?: boolean };
  /** Set by `openEmbedded`: one connection wide, so the pool is 1. */
  readonly embedded?: boolean;
}

/**
 * Reads a `postgres://user:password@host:port/database` address; `?host=/folder` names a Unix socket.
 * @throws TypeError when the text is no such address; the message never repeats it (it may hold a password).
 */
export function parseConnection(address: string): Connection {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new TypeError('The database address must look like postgres://user:password@host:5432/database');
  }
  const password = decodeURIComponent(url.password);
  return {
    host: url.searchParams.get('host') ?? (url.hostname === '' ? 'localhost' : url.hostname),
    port: url.port === '' ? Number(url.searchParams.get('port') ?? 5432) : Number(url.port),
    database: decodeURIComponent(url.pathname.slice(1)),
    user: decodeURIComponent(url.username),
    ...(password === '' ? {} : { password }),
  };
}

/** Place of a database in words, for messages: host, port and name, never user or password. */
export function describeConnection(connection: Connection): string {
  if (connection.embedded === true) return `the embedded database (socket in ${connection.host})`;
  const host = connection.host.startsWith('/') ? `socket ${connection.host}, port ` : `${connection.host}:`;
  return `PostgreSQL database "${connection.database}" at ${host}${connection.port}`;
}
