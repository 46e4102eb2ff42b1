import { z } from 'zod';
import type { WireError } from '../wire-error.ts';
import { problemMembers } from './problem.ts';
import { JSON_TYPE, type Wording, type WordingContext } from './wording.ts';

/**
 * Bodies of rows behind an API key (wire-contract 1.6): a short `error`, what is the matter in `details`, and beside them the
 * members of problem details, because dashboards read `message` or `detail`.
 */
export const key: Wording = {
  mediaType: JSON_TYPE,
  schema: z.looseObject({ error: z.string(), details: z.string().optional() }).meta({ id: 'KeyProblem' }),
  render: (error, context) => JSON.stringify(problemMembers(error, context, shortMembers(error, context))),
};

function shortMembers(
  { code, status, message, details }: WireError,
  { method }: WordingContext,
): Record<string, string> {
  if (code === 'user_not_found') return { error: 'User not found' };
  if (code === 'method_not_allowed') return { error: `Method ${method} not allowed` };
  if (status === 401) return { error: 'Authentication failed', details: refusal(code, details) };
  return status >= 500 ? { error: 'Server error', details: message } : {};
}

/** Names that policies of the service have; `details.policies` of a refusal lists those that were asked. */
const WANTED: Readonly<Record<string, string>> = {
  bearer: 'JWT token required in Authorization header',
  apiKey: 'API key required in X-API-Key header',
};
const EITHER = "Authentication required. Provide 'Authorization: Bearer <token>' or 'X-API-Key: <key>'";

function refusal(code: WireError['code'], { token, policies }: WireError['details']): string {
  if (code !== 'not_authenticated') return token === 'apiKey' ? 'Invalid API key' : 'Invalid or expired JWT token';
  const [policy = 'bearer', ...others] = Array.isArray(policies) ? policies.map(String) : [];
  return others.length > 0 ? EITHER : (WANTED[policy] ?? EITHER);
}
