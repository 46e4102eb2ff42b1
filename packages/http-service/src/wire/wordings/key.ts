import { z } from 'zod';
import type { WireError } from '../wire-error.ts';
import { problemMembers } from './problem.ts';
import { JSON_TYPE, type Wording, type WordingContext } from './wording.ts';

const KeyProblem = z
  .looseObject({
    error: z.string(),
    details: z.string().optional(),
    success: z.literal(false).optional().describe('On routes whose clients read it.'),
  })
  .meta({ id: 'KeyProblem' });

/**
 * Bodies of rows behind an API key (wire-contract 1.6): a short `error`, what is the matter in `details`, and beside them the
 * members of problem details, because dashboards read `message` or `detail`.
 */
export const key = keyWith({});

/** The same with `success: false`, as the routes answer that make and end keys (wire-contract 1.7). */
export const apiKeys = keyWith({ success: false });

function keyWith(change: Readonly<Record<string, unknown>>): Wording {
  return {
    mediaType: JSON_TYPE,
    schema: KeyProblem,
    render: (error, context) =>
      JSON.stringify(problemMembers(error, context, { ...shortMembers(error, context), ...change })),
  };
}

function shortMembers(error: WireError, { method }: WordingContext): Record<string, string> {
  const { code, status, message } = error;
  if (code === 'user_not_found') return { error: 'User not found' };
  if (code === 'method_not_allowed') return { error: `Method ${method} not allowed` };
  if (status === 401) return { error: 'Authentication failed', details: refusal(error) };
  return status >= 500 ? { error: 'Server error', details: message } : {};
}

/** What our policies ask for, by their names; `details.policies` of a refusal lists those that were asked. */
const WANTED: Readonly<Record<string, string>> = {
  bearer: 'JWT token required in Authorization header',
  apiKey: 'API key required in X-API-Key header',
};
const EITHER = "Authentication required. Provide 'Authorization: Bearer <token>' or 'X-API-Key: <key>'";
const INVALID: Readonly<Record<string, string>> = { access: 'Invalid or expired JWT token' };

/** Sentences of the live system for its own two policies; what a policy of somebody else says is told as it is. */
function refusal({ code, message, details: { token, policies } }: WireError): string {
  if (code === 'token_not_valid') return INVALID[String(token)] ?? message;
  if (code !== 'not_authenticated') return code in OF_BEARER ? 'Invalid or expired JWT token' : message;
  const asked = Array.isArray(policies) ? policies.map(String) : [];
  if (asked.length === 0 || asked.some((name) => !Object.hasOwn(WANTED, name))) return message;
  return asked.length > 1 ? EITHER : (WANTED[asked[0] ?? ''] ?? message);
}

/** Other refusals of the bearer policy. */
const OF_BEARER = { bad_authorization_header: true, user_inactive: true, no_active_account: true } as const;
