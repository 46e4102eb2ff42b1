import { isNotOffered, isOrchestratorError } from '../errors.ts';
import type { ApiVersion, BaseAddress } from '../http/address.ts';
import { type Authorization, authorizationOf, type Credentials, providedToken } from '../http/credentials.ts';
import { type ApiRequest, Transport, type TransportParts } from '../http/transport.ts';
import { type Dialect, DIALECTS } from './dialect.ts';
import { tokenSchema, versionSchema } from './schemas.ts';

/** A connection to an orchestrator. */
export interface Connection {
  readonly transport: Transport;
  readonly dialect: Dialect;
  /** Version such as `2.10.3`; undefined if not returned. */
  readonly version: string | undefined;
  /** True if neither the address nor a version shows the interface (`v1` or `v2`). */
  readonly isAssumed: boolean;
  /** Error of reading the version, if any. */
  readonly problem: unknown;
  /** Makes the next call read the version again; for responses that do not fit the version. */
  readonly forget: () => void;
}

/** Parts of a connection. */
export interface ConnectionParts {
  readonly address: BaseAddress;
  readonly credentials: Credentials;
  readonly transport: Omit<TransportParts, 'root' | 'authorization'>;
  /** Attempts of the requests for version and token. Default: the number of attempts of the transport. */
  readonly connectAttempts?: number | undefined;
}

const VERSION_RETRY_MS = 2 * 60_000;

/**
 * Returns a function that connects at its first call. The connection is cached until `forget`, or for two minutes if
 * its version is unknown. Failures are not cached.
 */
export function connector(parts: ConnectionParts): () => Promise<Connection> {
  const { address, credentials, transport: transportParts, connectAttempts: attempts } = parts;
  const direct = authorizationOf(credentials, transportParts.timeoutMs);
  const transport = new Transport({ ...transportParts, root: address.root, authorization: direct });
  const { clock } = transportParts;
  let cached: Promise<Connection> | undefined;
  let endsAt = Infinity;
  return () => {
    if (cached !== undefined && clock.now() < endsAt) return cached;
    const forget = (): void => {
      if (cached === connecting) cached = undefined;
    };
    const connecting: Promise<Connection> = connect(transport, address.api, attempts).then(({ api, ...found }) => {
      const authorization = api === 'v2' ? signedIn(transport, { credentials, direct, attempts }) : direct;
      if (found.version === undefined && cached === connecting) endsAt = clock.now() + VERSION_RETRY_MS;
      return { transport: transport.with(authorization), dialect: DIALECTS[api], ...found, forget };
    });
    [cached, endsAt] = [connecting, Infinity];
    connecting.catch(forget);
    return connecting;
  };
}

type DetectedApi = { readonly api: ApiVersion } & Pick<Connection, 'version' | 'problem' | 'isAssumed'>;

/**
 * Reads the version at the interface that the address names. If the address names none, reads it at `v1`, then at `v2`.
 * The first requests have no credentials, so that a wrong address does not look like wrong credentials. Without a
 * version, `v1` is the default.
 */
async function connect(
  transport: Transport,
  named: ApiVersion | undefined,
  attempts: number | undefined,
): Promise<DetectedApi> {
  const apis = named === undefined ? (['v1', 'v2'] as const) : [named];
  let problem: unknown;
  for (const authorized of transport.hasCredentials ? [false, true] : [false]) {
    for (const api of apis) {
      try {
        // If the address names the interface, the version is not essential, so one attempt is enough.
        return await probe(transport, { api, authorized, attempts: named === undefined ? attempts : 1 });
      } catch (error) {
        const isDenied = isOrchestratorError(error, 'unauthorized') && !authorized && transport.hasCredentials;
        problem = error;
        if (isDenied || isNotOffered(error)) continue;
        if (named === undefined) throw error;
        return { api: named, version: undefined, isAssumed: false, problem };
      }
    }
  }
  return { api: named ?? 'v1', version: undefined, isAssumed: named === undefined, problem };
}

async function probe(
  transport: Transport,
  {
    api,
    authorized,
    attempts,
  }: Pick<ApiRequest, 'attempts'> & { readonly api: ApiVersion; readonly authorized: boolean },
): Promise<DetectedApi> {
  const path = `${DIALECTS[api].prefix}version`;
  const { version } = await transport.json(
    { method: 'GET', path, authorized, attempts, isOptional: true },
    versionSchema,
  );
  return { api, version, isAssumed: false, problem: undefined };
}

/**
 * Authorization for Airflow 3, which refuses basic authentication: requests a token by user name and password, and
 * another token after a refusal. Without a user name, or with a configured token, returns `direct`.
 */
function signedIn(
  transport: Transport,
  {
    credentials,
    direct,
    attempts,
  }: Pick<ApiRequest, 'attempts'> & { readonly credentials: Credentials; readonly direct: Authorization },
): Authorization {
  const { username, password, token } = credentials;
  if ((token !== undefined && token !== '') || username === undefined || username === '') return direct;
  return providedToken(async () => {
    const request = {
      method: 'POST',
      path: 'auth/token',
      json: { username, password: password ?? '' },
      authorized: false,
      repeatable: true,
      attempts,
    } as const;
    return (await transport.json(request, tokenSchema)).access_token;
  });
}
