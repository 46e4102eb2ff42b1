import { isOrchestratorError, OrchestratorError } from '../errors.ts';
import type { ApiVersion, BaseAddress } from '../http/address.ts';
import { type Authorization, authorizationOf, type Credentials, providedToken } from '../http/credentials.ts';
import type { Ask, Transport, TransportParts } from '../http/transport.ts';
import { Transport as Connected } from '../http/transport.ts';
import { type Dialect, DIALECTS, isAtLeast, LEAST_VERSION } from './dialect.ts';
import { tokenSchema, versionSchema } from './schemas.ts';

/** A way to the orchestrator whose interface is known. */
export interface Connection {
  readonly transport: Transport;
  readonly dialect: Dialect;
  /** Such as `2.10.3`. */
  readonly version: string;
  /** Has the version asked for again at the next call: an answer looked as if another orchestrator were there now. */
  readonly forget: () => void;
}

/** What a connection is made of. */
export interface ConnectionParts {
  readonly address: BaseAddress;
  readonly credentials: Credentials;
  readonly transport: Omit<TransportParts, 'root' | 'authorization'>;
  /** Attempts of the requests that several calls wait for, those for the version and a token; absent = those of the transport. */
  readonly connectAttempts?: number | undefined;
}

/** A connection that is made at the first call and kept until it is forgotten; a call that cannot make it leaves it to the next. */
export function connector(given: ConnectionParts): () => Promise<Connection> {
  const { address, credentials, transport: parts, connectAttempts: attempts } = given;
  const basic = authorizationOf(credentials, parts.timeoutMs);
  const transport = new Connected({ ...parts, root: address.root, authorization: basic });
  let made: Promise<Connection> | undefined;
  return () => {
    if (made !== undefined) return made;
    const forget = (): void => {
      if (made === making) made = undefined;
    };
    const making: Promise<Connection> = connect(transport, address.api, attempts).then(({ api, version }) => {
      const authorization = api === 'v2' ? signedIn(transport, { credentials, basic, attempts }) : basic;
      return { transport: transport.with(authorization), dialect: DIALECTS[api], version, forget };
    });
    made = making;
    making.catch(forget);
    return making;
  };
}

type Known = { readonly api: ApiVersion; readonly version: string };

/**
 * Asks for the version: `v1` first, then `v2`, where the address named neither. Without credentials, so that a wrong address is told from wrong
 * credentials, and then with them: a proxy before a managed orchestrator may let nobody else through.
 */
async function connect(
  transport: Transport,
  named: ApiVersion | undefined,
  attempts: number | undefined,
): Promise<Known> {
  const apis = named === undefined ? (['v1', 'v2'] as const) : [named];
  let failure: unknown;
  for (const authorized of transport.hasCredentials ? [false, true] : [false]) {
    for (const api of apis) {
      try {
        return await probe(transport, { api, authorized, attempts });
      } catch (error) {
        const isShut = isOrchestratorError(error, 'unauthorized') || isOrchestratorError(error, 'forbidden');
        const isElsewhere = isOrchestratorError(error, 'not_json') || isOrchestratorError(error, 'not_found');
        if (!isElsewhere && (!isShut || authorized || !transport.hasCredentials)) throw error;
        failure = error;
      }
    }
  }
  throw failure;
}

async function probe(
  transport: Transport,
  { api, authorized, attempts }: Pick<Ask, 'attempts'> & { readonly api: ApiVersion; readonly authorized: boolean },
): Promise<Known> {
  const path = `${DIALECTS[api].prefix}version`;
  const { version } = await transport.json({ method: 'GET', path, authorized, attempts }, versionSchema);
  if (!isAtLeast(version, LEAST_VERSION)) throw unsupported(version);
  return { api, version };
}

function unsupported(version: string): OrchestratorError<'unsupported'> {
  const least = LEAST_VERSION.join('.');
  const message = `the orchestrator is Airflow ${version}, and ${least} is the oldest that this client works with: older ones cannot list the runs that have changed. Update it.`;
  return new OrchestratorError('unsupported', message, { details: { version, least } });
}

/** Airflow 3 takes no basic authentication: user name and password are exchanged for a token, again when it is refused. */
function signedIn(
  transport: Transport,
  {
    credentials,
    basic,
    attempts,
  }: Pick<Ask, 'attempts'> & { readonly credentials: Credentials; readonly basic: Authorization },
): Authorization {
  const { username, password, token } = credentials;
  if ((token !== undefined && token !== '') || username === undefined || username === '') return basic;
  return providedToken(async () => {
    const ask = {
      method: 'POST',
      path: 'auth/token',
      json: { username, password: password ?? '' },
      authorized: false,
      repeatable: true,
      attempts,
    } as const;
    return (await transport.json(ask, tokenSchema)).access_token;
  });
}
