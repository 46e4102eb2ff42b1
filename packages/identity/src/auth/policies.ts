import { DomainError } from '@headwater/core';
import { decide, refuse } from './decide.ts';
import type { Credential, Policy } from './policy.ts';
import { displayName } from './host-accounts.ts';
import type { User } from '../ports/accounts.ts';
import { tokenError } from './tokens.ts';
import type {
  AnonymousPrincipal,
  ApiKeyPrincipal,
  AuthDeps,
  Credentials,
  CredentialSource,
  RequestHeaders,
  SessionCheck,
  SessionPrincipal,
  UserPrincipal,
} from './types.ts';

/** Admitted users: all, or all except those who must change their password first. */
type AdmittedUsers = 'all' | 'withOwnPassword';

/**
 * Authenticates a user by the access token in `Authorization: Bearer <token>`. The user must be active, the session must not have ended,
 * and the token must be newer than the last change of the password. By default users who must change their password first are refused.
 */
async function bearer(
  { value, request }: Pick<Credential, 'value' | 'request'>,
  deps: Pick<AuthDeps, 'tokens' | 'users' | 'host'>,
  admitted: AdmittedUsers = 'withOwnPassword',
): Promise<UserPrincipal> {
  if (deps.host !== undefined) return (await deps.host(request)) ?? refuseVisitor();
  const credentials: Credentials = { authorization: value };
  const verdict = await deps.tokens.verify(bearerToken(credentials.authorization), 'access');
  if (!verdict.ok) throw tokenError('access', verdict.problem);
  const { userId, familyId, sessionVersion } = verdict.claims;
  const found = await deps.users.ofSession(userId, familyId);
  if (found === undefined) throw new DomainError('user_not_found', `No user has the id ${userId}.`);
  const { user, isOpen } = found;
  if (!user.isActive) throw new DomainError('user_inactive', `User ${user.id} is disabled.`);
  if (!isOpen || sessionVersion !== user.sessionVersion) throw tokenError('access', 'invalid');
  if (user.mustChangePassword && admitted !== 'all')
    throw new DomainError('password_change_required', `User ${user.id} must change the password first.`);
  return { kind: 'user', user };
}

/** Refuses a visitor who is not signed in at a host that has its own sign-in. */
function refuseVisitor(): never {
  const text = 'No user is signed in: sign in at this site, or send a token of its identity provider.';
  throw new DomainError('not_authenticated', text, { details: { policies: ['host'] } });
}

function bearerToken(authorization: string | undefined): string {
  // HTTP allows blanks and tabs around the scheme and the token; the case of the scheme does not matter (RFC 9110,
  // 11.1).
  const parts = (authorization ?? '').split(/[ \t]+/).filter((part) => part !== '');
  if (parts[0]?.toLowerCase() !== 'bearer') {
    throw new DomainError('not_authenticated', 'The request has no bearer token.', {
      details: { policies: ['bearer'] },
    });
  }
  const [, token, ...rest] = parts;
  if (token === undefined || rest.length > 0) {
    throw new DomainError(
      'bad_authorization_header',
      'A bearer header must have the scheme and one token, and nothing else.',
    );
  }
  return token;
}

const ANONYMOUS: AnonymousPrincipal = { kind: 'anonymous' };
const BEARER_CHALLENGE = 'Bearer realm="api"';

/**
 * Accepts every request. If an operation with this policy refuses a request, for example a sign-in with a wrong password, the response
 * has the `WWW-Authenticate` header of the bearer policy.
 */
const publicPolicy: Policy<AnonymousPrincipal> = {
  name: 'public',
  places: [],
  challenge: BEARER_CHALLENGE,
  refusesFirst: 'method',
  authenticate: async () => ANONYMOUS,
};

const accessToken: Omit<Policy<UserPrincipal>, 'challenge' | 'refusesFirst'> = {
  name: 'bearer',
  isOfUsers: true,
  scheme: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  places: [{ in: 'header', name: 'authorization' }],
  // The case of the scheme does not matter, and blanks may precede the scheme (RFC 9110, 11.1).
  recognises: (text) => /^[ \t]*bearer(?:[ \t]|$)/i.test(text),
  authenticate: (credential, deps) => bearer(credential, deps),
};

/**
 * Policy of operations for signed-in users. A request without credentials always gets 401, also with a wrong method, so that
 * the response does not reveal the methods of the path.
 */
const bearerPolicy: Policy<UserPrincipal> = {
  ...accessToken,
  challenge: BEARER_CHALLENGE,
  refusesFirst: 'credentials',
};

/**
 * Policy with the same credentials as `bearer`, for operations that create, list and deactivate API keys. The method is checked before the
 * credentials. Refusals have no `WWW-Authenticate` header, as clients of the original API expect.
 */
const tokenPolicy: Policy<UserPrincipal> = { ...accessToken, refusesFirst: 'method' };

/** Policy of operations that start computations. Users who registered themselves need the permission of a superuser. */
const computingPolicy: Policy<UserPrincipal> = {
  ...bearerPolicy,
  authenticate: async (credential, deps) => {
    const principal = await bearer(credential, deps);
    checkMayCompute(principal.user, deps);
    return principal;
  },
};

/** Throws `computing_not_allowed` for a user without the permission to compute. */
export function checkMayCompute(user: User, { host }: Pick<AuthDeps, 'host'> = {}): void {
  const { id, mayCompute, isSuperuser } = user;
  if (mayCompute || isSuperuser) return;
  if (host !== undefined) {
    const username = displayName(user);
    const text = `${username} may not compute; ask the operator of this site for the role "compute".`;
    throw new DomainError('computing_not_allowed', text, { details: { hostUser: username } });
  }
  const text = `User ${id} is self-registered, and no superuser has allowed this user to compute.`;
  throw new DomainError('computing_not_allowed', text, { details: { userId: id } });
}

/** Policy of operations that change data of other users. Only superusers are admitted. */
const superuserPolicy: Policy<UserPrincipal> = {
  ...bearerPolicy,
  authenticate: async (credential, deps) => {
    const principal = await bearer(credential, deps);
    if (principal.user.isSuperuser) return principal;
    throw new DomainError('forbidden', `User ${principal.user.id} is not a superuser.`, {
      details: { needs: 'superuser' },
    });
  },
};

/** Policy of the operation that changes a password. It also admits users who must change their password first. */
const passwordChangePolicy: Policy<UserPrincipal> = {
  ...bearerPolicy,
  authenticate: (credential, deps) => bearer(credential, deps, 'all'),
};

/** Policy of public data. It accepts the API key of a program, but no session and no token. */
const apiKeyPolicy: Policy<ApiKeyPrincipal> = {
  name: 'apiKey',
  scheme: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  places: [{ in: 'header', name: 'x-api-key' }],
  refusesFirst: 'method',
  limits: ({ keyLimits = [] }) => keyLimits,
  authenticate: ({ value }, { apiKeys }) => apiKeys.authenticate(value),
};

/**
 * Security scheme of the session cookie. The name of the cookie has a suffix if the service has a path prefix or a port. Over https, the
 * name begins with `__Host-`.
 */
const SESSION_SCHEME = {
  type: 'apiKey',
  in: 'cookie',
  name: 'headwater_session',
  description: 'Browser session of the pages, opened by the sign-in page.',
} as const;

/**
 * Policy of pages. The principal is the user of the browser's session, or an anonymous visitor. The policy refuses no request, because a
 * page shows visitors how to sign in. Requests that send a form are checked separately.
 */
const sessionPolicy: Policy<SessionPrincipal | AnonymousPrincipal> = {
  name: 'session',
  isOfUsers: true,
  scheme: SESSION_SCHEME,
  places: [],
  refusesFirst: 'method',
  authenticate: async ({ request }, { sessions }) => (await sessions?.of(request)) ?? ANONYMOUS,
};

/**
 * Policy that follows `bearer` in operations that also have a page. The browser session opens only the page, not the JSON. A request
 * without a session is refused with the error of `bearer`.
 */
const pagePolicy: Policy<SessionPrincipal> = {
  name: 'session',
  isOfUsers: true,
  scheme: SESSION_SCHEME,
  places: [],
  challenge: BEARER_CHALLENGE,
  refusesFirst: 'credentials',
  authenticate: async ({ request }, { sessions, host }) => {
    const principal = await sessions?.of(request);
    if (principal === undefined) return host === undefined ? refuse([bearerPolicy]) : refuseVisitor();
    if (!principal.user.mustChangePassword) return principal;
    throw new DomainError('password_change_required', `User ${principal.user.id} must change the password first.`);
  },
};

/**
 * Like the policy `page`, for requests that an open page repeats on its own, such as requests for the events of a run. These requests do
 * not extend the session.
 */
const watchPolicy: Policy<SessionPrincipal> = {
  ...pagePolicy,
  authenticate: (credential, deps) =>
    pagePolicy.authenticate(credential, { ...deps, ...(deps.sessions && { sessions: watching(deps.sessions) }) }),
};

const watching = (sessions: SessionCheck): SessionCheck => ({
  of: (request) => sessions.of({ ...request, isWatch: true }),
});

/** Built-in policies that operations can name. To add a built-in policy, add one line to this object. */
export const policies = {
  public: publicPolicy,
  bearer: bearerPolicy,
  computing: computingPolicy,
  superuser: superuserPolicy,
  token: tokenPolicy,
  passwordChange: passwordChangePolicy,
  apiKey: apiKeyPolicy,
  session: sessionPolicy,
  page: pagePolicy,
  watch: watchPolicy,
} as const;

/** Name of a built-in policy. There is no default: each operation names a policy. */
export type AuthPolicy = keyof typeof policies;

/** A policy of an operation: the name of a built-in policy, or a policy object. */
export type PolicyRef = AuthPolicy | Policy;

/**
 * One or several policies of an operation. Of several policies, the first whose credentials are in the request applies.
 */
export type Auth = PolicyRef | readonly PolicyRef[];

type PrincipalOfRef<R> = R extends AuthPolicy
  ? PrincipalOfRef<(typeof policies)[R]>
  : R extends Policy<infer P>
    ? P
    : never;

/**
 * The principal of the policies of an operation; a union if there are several policies: `PrincipalOf<'bearer'>` is a
 * `UserPrincipal`.
 */
export type PrincipalOf<A extends Auth> = A extends readonly (infer R)[] ? PrincipalOfRef<R> : PrincipalOfRef<A>;

/** Principal of any built-in policy. */
export type Principal = PrincipalOf<AuthPolicy>;

/** Returns the policies of an operation, in their order. Throws for an unknown name. */
export function policiesOf(auth: Auth): readonly Policy[] {
  return isSeveral(auth) ? auth.map(policyOf) : [policyOf(auth)];
}

/**
 * The policies of an operation, in the order in which requests are checked. With the sign-in of a host, only the host can check the
 * credentials of users. So of the policies for users only the first remains. This policy then reads no credentials itself, and comes
 * after the policies with other credentials.
 */
export function appliedPolicies(auth: Auth, { host }: Pick<AuthDeps, 'host'>): readonly Policy[] {
  const all = policiesOf(auth);
  const first = all.find(({ isOfUsers }) => isOfUsers);
  if (host === undefined || first === undefined) return all;
  const { recognises: _recognises, ...policy } = first;
  return [...all.filter(({ isOfUsers }) => isOfUsers !== true), { ...policy, places: [] }];
}

function isSeveral(auth: Auth): auth is readonly PolicyRef[] {
  return Array.isArray(auth);
}

function policyOf(ref: PolicyRef): Policy {
  if (typeof ref !== 'string') return ref;
  if (!Object.hasOwn(policies, ref)) {
    throw new Error(
      `policy ${ref} is unknown; name one of ${Object.keys(policies).join(', ')} or pass a policy object`,
    );
  }
  return policies[ref];
}

/**
 * Authenticates the caller of a route that the host itself serves, by the headers of the request. Rejects with a `DomainError` if
 * the credentials are invalid.
 */
export async function authenticate<A extends Auth>(
  auth: A,
  headers: RequestHeaders,
  deps: AuthDeps,
): Promise<PrincipalOf<A>> {
  return await authenticateRequest(auth, { headers, method: 'GET' }, deps);
}

/**
 * As `authenticate`, for a request whose method and address are known; the sign-in of a host may use the method and the
 * address.
 */
export async function authenticateRequest<A extends Auth>(
  auth: A,
  request: CredentialSource,
  deps: AuthDeps,
): Promise<PrincipalOf<A>> {
  const { policy, credential } = decide(appliedPolicies(auth, deps), request);
  // Each policy of `auth` returns a principal of `PrincipalOf<A>`, which TypeScript cannot prove.
  return policy.authenticate(credential, deps) as Promise<PrincipalOf<A>>;
}
