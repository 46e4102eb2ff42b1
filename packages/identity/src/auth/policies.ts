import { DomainError } from '@headwater/core';
import { decide } from './decide.ts';
import type { Policy, RequestHeaders } from './policy.ts';
import { tokenError } from './tokens.ts';
import type { AnonymousPrincipal, ApiKeyPrincipal, AuthDeps, UserPrincipal, Credentials } from './types.ts';

/** Whose requests do: those of everybody, or not of users who must change their password first. */
type Admitted = 'everybody' | 'withOwnPassword';

/**
 * Policy of computing routes: an access token of an active user in `Authorization: Bearer <token>`, made since the password was
 * last changed, of a session that was not ended; and a password that nobody else knows, where no other rule is given.
 */
async function bearer(
  credentials: Credentials,
  deps: Pick<AuthDeps, 'tokens' | 'users'>,
  admitted: Admitted = 'withOwnPassword',
): Promise<UserPrincipal> {
  const verdict = await deps.tokens.verify(bearerToken(credentials.authorization), 'access');
  if (!verdict.ok) throw tokenError('access', verdict.problem);
  const { userId, familyId, sessionVersion } = verdict.claims;
  const found = await deps.users.ofSession(userId, familyId);
  if (found === undefined) throw new DomainError('user_not_found', `No user has the id ${userId}.`);
  const { user, isOpen } = found;
  if (!user.isActive) throw new DomainError('user_inactive', `User ${user.id} is disabled.`);
  if (!isOpen || sessionVersion !== user.sessionVersion) throw tokenError('access', 'invalid');
  if (user.mustChangePassword && admitted !== 'everybody')
    throw new DomainError('password_change_required', `User ${user.id} must change his password first.`);
  return { kind: 'user', user };
}

function bearerToken(authorization: string | undefined): string {
  // HTTP allows blanks and tabs around the parts; the scheme's case does not matter (RFC 9110, 11.1).
  const parts = (authorization ?? '').split(/[ \t]+/).filter((part) => part !== '');
  if (parts[0]?.toLowerCase() !== 'bearer') {
    throw new DomainError('not_authenticated', 'The request has no bearer token.', {
      details: { policies: ['bearer'] },
    });
  }
  const [, token, ...rest] = parts;
  if (token === undefined || rest.length > 0) {
    throw new DomainError('bad_authorization_header', 'A bearer header holds the scheme and one token, nothing else.');
  }
  return token;
}

const ANONYMOUS: AnonymousPrincipal = { kind: 'anonymous' };
const BEARER_CHALLENGE = 'Bearer realm="api"';

/** Takes everybody. A refusal of its own rows (a wrong password) invites to what they lead to: the bearer surface. */
const publicPolicy: Policy<AnonymousPrincipal> = {
  name: 'public',
  places: [],
  challenge: BEARER_CHALLENGE,
  refusesFirst: 'method',
  authenticate: async () => ANONYMOUS,
};

const accessToken: Omit<Policy<UserPrincipal>, 'challenge' | 'refusesFirst'> = {
  name: 'bearer',
  scheme: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
  places: [{ in: 'header', name: 'authorization' }],
  // The scheme's case does not matter, and blanks may stand before it (RFC 9110, 11.1).
  recognises: (text) => /^[ \t]*bearer(?:[ \t]|$)/i.test(text),
  authenticate: ({ value }, deps) => bearer({ authorization: value }, deps),
};

/** Computing rows and what belongs to them: paths tell nothing to strangers, as in the live system. */
const bearerPolicy: Policy<UserPrincipal> = {
  ...accessToken,
  challenge: BEARER_CHALLENGE,
  refusesFirst: 'credentials',
};

/**
 * The same credentials on rows that the live system guards by its own decorator (API keys and some computations): a wrong method is
 * told before credentials are asked for, and refusals carry no challenge.
 */
const tokenPolicy: Policy<UserPrincipal> = { ...accessToken, refusesFirst: 'method' };

/** Rows that start computations: a superuser must have allowed it, where an account was not made by an operator. */
const computingPolicy: Policy<UserPrincipal> = {
  ...bearerPolicy,
  authenticate: async ({ value }, deps) => {
    const principal = await bearer({ authorization: value }, deps);
    const { id, mayCompute, isSuperuser } = principal.user;
    if (mayCompute || isSuperuser) return principal;
    throw new DomainError(
      'computing_not_allowed',
      `User ${id} registered by himself, and no superuser has allowed him to compute.`,
      {
        details: { userId: id },
      },
    );
  },
};

/** Rows that change what others have: for superusers alone. */
const superuserPolicy: Policy<UserPrincipal> = {
  ...bearerPolicy,
  authenticate: async ({ value }, deps) => {
    const principal = await bearer({ authorization: value }, deps);
    if (principal.user.isSuperuser) return principal;
    throw new DomainError('forbidden', `User ${principal.user.id} is no superuser.`, {
      details: { needs: 'superuser' },
    });
  },
};

/** The bearer surface for whoever must change his password before anything else: the row that changes it. */
const passwordChangePolicy: Policy<UserPrincipal> = {
  ...bearerPolicy,
  authenticate: ({ value }, deps) => bearer({ authorization: value }, deps, 'everybody'),
};

/** A program's own key, for data that the live system gives to whoever registered: neither a session nor a token does in its place. */
const apiKeyPolicy: Policy<ApiKeyPrincipal> = {
  name: 'apiKey',
  scheme: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  places: [{ in: 'header', name: 'x-api-key' }],
  refusesFirst: 'method',
  limits: ({ keyLimits = [] }) => keyLimits,
  authenticate: ({ value }, { apiKeys }) => apiKeys.authenticate(value),
};

/** Policies that rows may name by a word; a new surface is one line here. */
export const policies = {
  public: publicPolicy,
  bearer: bearerPolicy,
  computing: computingPolicy,
  superuser: superuserPolicy,
  token: tokenPolicy,
  passwordChange: passwordChangePolicy,
  apiKey: apiKeyPolicy,
} as const;

/** Name of a policy of ours. There is no default: each operation says one. */
export type AuthPolicy = keyof typeof policies;

/** A policy as a row gives it: the name of one of ours, or a value. */
export type PolicyRef = AuthPolicy | Policy;

/** What a row asks for: one policy, or several of which the first that finds its credentials decides. */
export type Auth = PolicyRef | readonly PolicyRef[];

type PrincipalOfRef<R> = R extends AuthPolicy
  ? PrincipalOfRef<(typeof policies)[R]>
  : R extends Policy<infer P>
    ? P
    : never;

/** The principal that a row's policies yield, a union where there are several: `PrincipalOf<'bearer'>` is a `UserPrincipal`. */
export type PrincipalOf<A extends Auth> = A extends readonly (infer R)[] ? PrincipalOfRef<R> : PrincipalOfRef<A>;

/** Principal of any policy of ours. */
export type Principal = PrincipalOf<AuthPolicy>;

/** The policies that a row asks for, in its order. Throws where a name is none of ours. */
export function policiesOf(auth: Auth): readonly Policy[] {
  return isSeveral(auth) ? auth.map(policyOf) : [policyOf(auth)];
}

function isSeveral(auth: Auth): auth is readonly PolicyRef[] {
  return Array.isArray(auth);
}

function policyOf(ref: PolicyRef): Policy {
  if (typeof ref !== 'string') return ref;
  if (!Object.hasOwn(policies, ref)) {
    throw new Error(`policy ${ref} is unknown; name one of ${Object.keys(policies).join(', ')} or give a value`);
  }
  return policies[ref];
}

/** Runs policies over headers, for a host's routes of its own; rejects with a `DomainError` when the credentials do not do. */
export async function authenticate<A extends Auth>(
  auth: A,
  headers: RequestHeaders,
  deps: AuthDeps,
): Promise<PrincipalOf<A>> {
  const { policy, credential } = decide(policiesOf(auth), { headers, method: 'GET' });
  // Each policy of `auth` yields one of its principals: the only place where that is asserted.
  return policy.authenticate(credential, deps) as Promise<PrincipalOf<A>>;
}
