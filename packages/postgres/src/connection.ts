/** Address and credentials of a database. Never log the object, because `password` is a secret. */
export interface Connection {
  /** Host name, address, or folder of a Unix socket. */
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password?: string;
  /** TLS; `true` verifies the server's certificate with the system's root certificates. */
  readonly ssl?: boolean | { readonly ca?: string; readonly rejectUnauthorized?: boolean };
  /** True for an embedded database, which supports one connection. */
  readonly embedded?: boolean;
}

/** Supported parameters of an address. Others are refused, because an ignored parameter could disable TLS. */
const PARAMETERS = new Set(['host', 'port', 'sslmode', 'sslrootcert']);

/**
 * Parses `postgres://user:password@host:port/database`. `?host=/folder` or the host `%2Ffolder` names a Unix socket;
 * `sslmode`: `disable` (default), `require` or `verify-full`.
 * @throws TypeError without the text, which may contain a password.
 */
export function parseConnection(address: string): Connection {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url === undefined || !/^postgres(ql)?:$/.test(url.protocol)) {
    throw new TypeError('The database address must look like postgres://user:password@host:5432/database');
  }
  const parameters = url.searchParams;
  for (const name of parameters.keys()) {
    if (!PARAMETERS.has(name))
      throw new TypeError(
        `The parameter ${JSON.stringify(name)} of the database address is not supported; remove it. Supported: ${[...PARAMETERS].join(', ')}`,
      );
  }
  const password = decodeURIComponent(url.password);
  // An IPv6 address is in brackets; slashes of a socket's folder are %2F.
  const named = decodeURIComponent(url.hostname).replace(/^\[(.*)\]$/, '$1');
  const ssl = tlsMode(parameters.get('sslmode') ?? 'disable', parameters.get('sslrootcert'));
  return {
    host: parameters.get('host') ?? (named === '' ? 'localhost' : named),
    port: url.port === '' ? Number(parameters.get('port') ?? 5432) : Number(url.port),
    database: decodeURIComponent(url.pathname.slice(1)),
    user: decodeURIComponent(url.username),
    ...(password === '' ? {} : { password }),
    ...(ssl === undefined ? {} : { ssl }),
  };
}

/** TLS settings of a mode. `require` verifies the certificate only if `sslrootcert` is `system`. */
function tlsMode(mode: string, root: string | null): Connection['ssl'] | undefined {
  if (root !== null && root !== 'system')
    throw new TypeError(
      'sslrootcert of the database address can only be "system"; for a certificate of your own, pass ssl: { ca } in the connection',
    );
  if (mode === 'verify-full') return true;
  if (mode === 'require') return root === null ? { rejectUnauthorized: false } : true;
  if (mode === 'disable') return undefined;
  throw new TypeError(
    `sslmode=${JSON.stringify(mode).slice(1, -1)} of the database address is not supported; write disable, require or verify-full`,
  );
}

/** Host, port and name of a database, for messages. */
export function describeConnection(connection: Connection): string {
  if (connection.embedded === true) return `the embedded database (socket in ${connection.host})`;
  const { host: named } = connection;
  const host = named.startsWith('/') ? `socket ${named}, port ` : named.includes(':') ? `[${named}]:` : `${named}:`;
  return `PostgreSQL database "${connection.database}" at ${host}${connection.port}`;
}
