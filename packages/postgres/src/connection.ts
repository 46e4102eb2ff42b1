/** Address and credentials of a database. Never log the whole object: `password` is a secret. */
export interface Connection {
  /** Host name, address, or absolute folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password?: string;
  /** TLS; `true` verifies the server's certificate with the system's root certificates. */
  readonly ssl?: boolean | { readonly ca?: string; readonly rejectUnauthorized?: boolean };
  /** Set by `openEmbedded`, which supports a single connection; the pool size is then 1. */
  readonly embedded?: boolean;
}

/**
 * Reads a `postgres://user:password@host:port/database` address; `?host=/folder` names a Unix socket.
 * @throws TypeError if the text is not such an address. The message never repeats the text, which may contain a
 * password.
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

/** Describes a database for messages: host, port and name, never user or password. */
export function describeConnection(connection: Connection): string {
  if (connection.embedded === true) return `the embedded database (socket in ${connection.host})`;
  const host = connection.host.startsWith('/') ? `socket ${connection.host}, port ` : `${connection.host}:`;
  return `PostgreSQL database "${connection.database}" at ${host}${connection.port}`;
}
