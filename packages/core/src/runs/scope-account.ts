import { type DomainError, isDomainError } from '../errors.ts';
import { checkAccount } from '../places/computed-place.ts';
import type { CallerAccounts } from '../ports/eo-accounts.ts';

/** State of a run whose account cannot be used: no tehsil is started before `untilMs`. */
export interface AccountWait {
  readonly tries: number;
  readonly untilMs: number;
  readonly reason: string;
  /** True if the account was removed or hidden, so that waiting does not help. */
  readonly isUnknown: boolean;
}

const LONGEST_PAUSE = 64;

/** True if the error refuses the account. All tehsils of a run have the same account, so all of them are refused. */
export const isAccountRefusal = (error: unknown): error is DomainError =>
  isDomainError(error) && Object.keys(error.fields).join() === 'eoAccountId';

/** State after one more refusal of an account. */
export function accountWait(
  { fields, message }: DomainError,
  {
    before,
    nowMs,
    idleMs,
  }: { readonly before: AccountWait | undefined; readonly nowMs: number; readonly idleMs: number },
): AccountWait {
  const tries = (before?.tries ?? 0) + 1;
  const [problem] = fields['eoAccountId'] ?? [];
  return {
    tries,
    untilMs: nowMs + idleMs * Math.min(LONGEST_PAUSE, 2 ** tries),
    reason: problem?.message ?? message,
    isUnknown: problem?.rule === 'unknown',
  };
}

/** Throws `validation` if the account of a run over a district or a state cannot be used. */
export async function checkScopeAccount(
  { request }: { readonly request: Readonly<Record<string, unknown>> },
  eoAccounts: CallerAccounts,
): Promise<void> {
  const id = request['eoAccountId'];
  if (typeof id === 'number') await checkAccount(id, eoAccounts);
}
