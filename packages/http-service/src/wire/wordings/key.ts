import { z } from 'zod';
import { paths } from '../paths.ts';
import { sentences } from '../sentences.ts';
import type { WireError } from '../wire-error.ts';
import { CodeMember, problemMembers, type ProblemForm } from './problem.ts';
import { JSON_TYPE, type Wording, type WordingContext } from './wording.ts';

const KeyProblem = z
  .looseObject({
    error: z.string(),
    code: CodeMember,
    details: z.string().optional(),
    success: z.literal(false).optional().describe('Present only on routes whose existing clients read it.'),
  })
  .meta({ id: 'KeyProblem' });

/** Error bodies of operations with an API key: the text in `error`, or a short `error` and the text in `details`. */
export const key = keyWith({ texts: ['error'] });

/** Error bodies of the routes that manage keys, with the members that dashboards read. */
export const apiKeys = keyWith({ texts: ['detail', 'error', 'message'], change: { success: false } });

function keyWith({ texts, change }: ProblemForm): Wording {
  return {
    mediaType: JSON_TYPE,
    schema: KeyProblem,
    render: (error, context) =>
      JSON.stringify(problemMembers(error, context, { texts, change: { ...shortMembers(error, context), ...change } })),
  };
}

function shortMembers(error: WireError, { method }: WordingContext): Record<string, string> {
  const { code, status, message } = error;
  if (code === 'user_not_found') return { error: 'User not found' };
  if (code === 'method_not_allowed') return { error: `Method ${method} not allowed` };
  if (status === 401) return { error: 'Authentication failed', details: refusal(error) };
  return status >= 500 ? { error: 'Server error', details: message } : {};
}

const NEEDED: Readonly<Record<string, string>> = {
  bearer: sentences.noToken,
  apiKey: 'API key required in X-API-Key header',
};
const EITHER = `Authentication required. Provide 'Authorization: Bearer <token>' or 'X-API-Key: <key>'; POST ${paths.login} returns a token.`;
const INVALID: Readonly<Record<string, string>> = { access: 'Invalid or expired JWT token' };

/** Text of a refusal. Policies other than `bearer` and `apiKey` have their own message. */
function refusal({ code, message, details: { token, policies } }: WireError): string {
  if (code === 'token_not_valid') return INVALID[String(token)] ?? message;
  if (code !== 'not_authenticated') return code in OF_BEARER ? 'Invalid or expired JWT token' : message;
  const names = Array.isArray(policies) ? policies.map(String) : [];
  if (names.length === 0 || names.some((name) => !Object.hasOwn(NEEDED, name))) return message;
  return names.length > 1 ? EITHER : (NEEDED[names[0] ?? ''] ?? message);
}

const OF_BEARER = { bad_authorization_header: true, user_inactive: true, no_active_account: true } as const;
