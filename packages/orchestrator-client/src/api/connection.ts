import { isOrchestratorError, OrchestratorError } from '../errors.ts';
import type { ApiVersion, BaseAddress } from '../http/address.ts';
import { type Authorization, authorizationOf, type Credentials, providedToken } from '../http/credentials.ts';
import { type ApiRequest, Transport, type TransportParts } from '../http/transport.ts';
import { type Dialect, DIALECTS, isAtLeast, LEAST_VERSION } from './dialect.ts';
import { tokenSchema, versionSchema } from './schemas.ts';

/** A connection to an orchestrator of known version. */
export interface Connection {
  readonly transport: Transport;
  readonly dialect: Dialect;
  /** Such as `2.10.3`. */
  readonly version: string;
  /** Makes the next call read the version again, after a response that does not fit it. */
  readonly forget: () => void;
}

/** Parts of a connection. */
export interface ConnectionParts {
  readonly address: BaseAddress;
  readonly credentials: Credentials;
  readonly transport: Omit<TransportParts, 'root' | 'authorization'>;
  /** Attempts of the shared requests for the version and a token; absent = those of the transport. */
  readonly connectAttempts?: number | undefined;
}

/** Returns a function that connects at its first call and caches the connection until `forget`; a failure is not cached. */
export function connector(parts: ConnectionParts): () => Promise<Connection> {
  const { address, credentials, transport: transportParts, connectAttempts: attempts } = parts;
  const basic = authorizationOf(credentials, transportParts.timeoutMs);
  const transport = new Transport({ ...transportParts, root: address.root, authorization: basic });
  let cached: Promise<Connection> | undefined;
  return () => {
    if (cached !== undefined) return cached;
    const forget = (): void => {
      if (cached === connecting) cached = undefined;
    };
    const connecting: Promise<Connection> = connect(transport, address.api, attempts).then(({ api, version }) => {
      const authorization = api === 'v2' ? signedIn(transport, { credentials, basic, attempts }) : basic;
      return { transport: transport.with(authorization), dialect: DIALECTS[api], version, forget };
    });
    cached = connecting;
    connecting.catch(forget);
    return connecting;
  };
}

type DetectedApi = { readonly api: ApiVersion; readonly version: string };

/**
 * Reads the version: of `v1`, then of `v2`, if the address names neither. First without credentials, so that a wrong address is not
 * mistaken for wrong credentials, then with them: the proxy of a managed orchestrator may require them.
 */
async function connect(
  transport: Transport,
  named: ApiVersion | undefined,
  attempts: number | undefined,
): Promise<DetectedApi> {
  const apis = named === undefined ? (['v1', 'v2'] as const) : [named];
  let failure: unknown;
  for (const authorized of transport.hasCredentials ? [false, true] : [false]) {
    for (const api of apis) {
      try {
        return await probe(transport, { api, authorized, attempts });
      } catch (error) {
        const isDenied = isOrchestratorError(error, 'unauthorized') || isOrchestratorError(error, 'forbidden');
        const isWrongPath = isOrchestratorError(error, 'not_json') || isOrchestratorError(error, 'not_found');
        if (!isWrongPath && (!isDenied || authorized || !transport.hasCredentials)) throw error;
        failure = error;
      }
    }
  }
  throw failure;
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
  const { version } = await transport.json({ method: 'GET', path, authorized, attempts }, versionSchema);
  if (!isAtLeast(version, LEAST_VERSION)) throw unsupported(version);
  return { api, version };
}

function unsupported(version: string): OrchestratorError<'unsupported'> {
  const least = LEAST_VERSION.join('.');
  const message = `the orchestrator is Airflow ${version}, and ${least} is the oldest version that this client supports: older ones cannot list the changed runs. Update Airflow.`;
  return new OrchestratorError('unsupported', message, { details: { version, least } });
}

/** Exchanges user name and password for a token, also after a refusal: Airflow 3 does not accept basic authentication. */
function signedIn(
  transport: Transport,
  {
    credentials,
    basic,
    attempts,
  }: Pick<ApiRequest, 'attempts'> & { readonly credentials: Credentials; readonly basic: Authorization },
): Authorization {
  const { username, password, token } = credentials;
  if ((token !== undefined && token !== '') || username === undefined || username === '') return basic;
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
