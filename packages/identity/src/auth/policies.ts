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

/** Users whom a policy admits. `withOwnPassword`: all except users who must first change their password. */
type AdmittedUsers = 'all' | 'withOwnPassword';

/**
 * Authenticates an active user by the access token in `Authorization: Bearer`. The session must not have ended, and the
 * token must be newer than the last change of the password. If `deps.host` is set, the host finds the user instead.
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

function refuseVisitor(): never {
  const text = 'No user is signed in: sign in at this site, or send a token of its identity provider.';
  throw new DomainError('not_authenticated', text, { details: { policies: ['host'] } });
}

function bearerToken(authorization: string | undefined): string {
  // Blanks and tabs may surround scheme and token; the case of the scheme does not matter (RFC 9110, 11.1).
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
 * Accepts every request. If the operation itself responds with 401, for example for a wrong password, the response has
 * the `WWW-Authenticate` header of `bearer`.
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
  // The case of the scheme does not matter, and blanks may precede it (RFC 9110, 11.1).
  recognises: (text) => /^[ \t]*bearer(?:[ \t]|$)/i.test(text),
  authenticate: (credential, deps) => bearer(credential, deps),
};

/** Policy for signed-in users. Without credentials always 401, so that the methods of a path are not revealed. */
const bearerPolicy: Policy<UserPrincipal> = {
  ...accessToken,
  challenge: BEARER_CHALLENGE,
  refusesFirst: 'credentials',
};

/** Same as `bearer`, for operations on API keys. Refusals have no `WWW-Authenticate`, as existing clients expect. */
const tokenPolicy: Policy<UserPrincipal> = { ...accessToken, refusesFirst: 'method' };

/** Policy of operations that start computations. Self-registered users need a superuser's permission. */
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
  const text = `User ${id} may not start computations; a superuser can allow it.`;
  throw new DomainError('computing_not_allowed', text, { details: { userId: id } });
}

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

/** Policy of the password change; it admits users who must first change their password. */
const passwordChangePolicy: Policy<UserPrincipal> = {
  ...bearerPolicy,
  authenticate: (credential, deps) => bearer(credential, deps, 'all'),
};

const apiKeyPolicy: Policy<ApiKeyPrincipal> = {
  name: 'apiKey',
  scheme: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  places: [{ in: 'header', name: 'x-api-key' }],
  refusesFirst: 'method',
  limits: ({ keyLimits = [] }) => keyLimits,
  authenticate: ({ value }, { apiKeys }) => apiKeys.authenticate(value),
};

/** Security scheme of the session cookie. The real name may have a prefix and a suffix. */
const SESSION_SCHEME = {
  type: 'apiKey',
  in: 'cookie',
  name: 'headwater_session',
  description: 'Browser session of the pages, opened by the sign-in page.',
} as const;

/**
 * Policy of pages. It refuses no request, because a page shows visitors how to sign in. Forms are checked separately.
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
 * Second policy, after `bearer`, of operations that return a page or JSON. A browser session opens only the page
 * (decision 199).
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

/** Same as `page`, for requests that an open page repeats; they do not extend the session. */
const watchPolicy: Policy<SessionPrincipal> = {
  ...pagePolicy,
  authenticate: (credential, deps) =>
    pagePolicy.authenticate(credential, { ...deps, ...(deps.sessions && { sessions: watching(deps.sessions) }) }),
};

const watching = (sessions: SessionCheck): SessionCheck => ({
  of: (request) => sessions.of({ ...request, isWatch: true }),
});

/** Built-in policies that operations can name. */
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

/** Name of a built-in policy. An operation has no default policy. */
export type AuthPolicy = keyof typeof policies;

/** Policy of an operation: the name of a built-in policy, or an object. */
export type PolicyRef = AuthPolicy | Policy;

/** One or several policies; the first one whose credentials are in the request applies. */
export type Auth = PolicyRef | readonly PolicyRef[];

type PrincipalOfRef<R> = R extends AuthPolicy
  ? PrincipalOfRef<(typeof policies)[R]>
  : R extends Policy<infer P>
    ? P
    : never;

/** Principal of an operation's policies, such as a `UserPrincipal` for `PrincipalOf<'bearer'>`. */
export type PrincipalOf<A extends Auth> = A extends readonly (infer R)[] ? PrincipalOfRef<R> : PrincipalOfRef<A>;

/** Principal of any built-in policy. */
export type Principal = PrincipalOf<AuthPolicy>;

/** Policies of an operation, in order. Throws for an unknown name. */
export function policiesOf(auth: Auth): readonly Policy[] {
  return isSeveral(auth) ? auth.map(policyOf) : [policyOf(auth)];
}

/**
 * Policies in the order of their checks. With a host's sign-in, the first policy for users replaces all policies for
 * users; it is checked last and reads no credentials.
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
 * Authenticates the caller of a route of the host by the headers. Rejects with a `DomainError` for invalid credentials.
 */
export async function authenticate<A extends Auth>(
  auth: A,
  headers: RequestHeaders,
  deps: AuthDeps,
): Promise<PrincipalOf<A>> {
  return await authenticateRequest(auth, { headers, method: 'GET' }, deps);
}

/** Same as `authenticate`, with the method and address for the sign-in of a host. */
export async function authenticateRequest<A extends Auth>(
  auth: A,
  request: CredentialSource,
  deps: AuthDeps,
): Promise<PrincipalOf<A>> {
  const { policy, credential } = decide(appliedPolicies(auth, deps), request);
  // TypeScript cannot prove that each policy returns a principal of `PrincipalOf<A>`.
  return policy.authenticate(credential, deps) as Promise<PrincipalOf<A>>;
}
