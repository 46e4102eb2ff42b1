import { bearer } from './bearer.ts';
import type { AnonymousPrincipal, AuthDeps, Credentials, Policy } from './types.ts';

const ANONYMOUS: AnonymousPrincipal = { kind: 'anonymous' };

/** Every policy by the name that rows of the operations table use; a new surface is one line here. */
export const policies = {
  public: async (): Promise<AnonymousPrincipal> => ANONYMOUS,
  bearer,
} as const satisfies Readonly<Record<string, Policy<unknown>>>;

/** Name of a policy. There is no default: each operation says one. */
export type AuthPolicy = keyof typeof policies;

/** The principal that a policy yields: `PrincipalOf<'bearer'>` is a `UserPrincipal`. */
export type PrincipalOf<P extends AuthPolicy> = Awaited<ReturnType<(typeof policies)[P]>>;

/** The same table with each policy's own principal: what lets `authenticate` answer with the right type. */
type PolicyTable = { readonly [P in AuthPolicy]: Policy<PrincipalOf<P>> };

/** Principal of any policy. */
export type Principal = PrincipalOf<AuthPolicy>;

/** Runs the named policy; rejects with its `DomainError` when the credentials do not do. */
export function authenticate<P extends AuthPolicy>(
  policy: P,
  credentials: Credentials,
  deps: AuthDeps,
): Promise<PrincipalOf<P>> {
  const table: PolicyTable = policies;
  return table[policy](credentials, deps);
}
