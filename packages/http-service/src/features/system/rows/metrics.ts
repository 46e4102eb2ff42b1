import { DomainError } from '@headwater/core';
import { type AnonymousPrincipal, type CredentialSource, policies, type Policy, type User } from '@headwater/identity';
import { SUPERUSER_ERRORS } from '../../../rows/common.ts';
import { operation, type Operation } from '../../../rows/operation.ts';
import { absent } from '../../../wire/absent.ts';
import { paths } from '../../../wire/paths.ts';
import { isOfThisMachine } from '../../work-service/callers.ts';
import { sameText, userOf } from '../../work-service/policy.ts';

/** Token in the example of the operation. */
export const EXAMPLE_METRICS_TOKEN = 'METRICS_TOKEN_OF_THIS_SERVER';

/** The operation of the metrics. `token`: see `MetricsOptions`. */
export function metricsOperations({ token }: { readonly token?: string } = {}): readonly Operation[] {
  return [
    operation({
      id: 'getMetrics',
      method: 'GET',
      path: paths.metrics,
      auth: metricsPolicy(token),
      tag: 'system',
      summary: 'Returns the metrics of this process in the text format of Prometheus',
      description:
        'For three kinds of callers: programs on the same machine (if no proxy has passed the request on), programs with the token of the metrics, and superusers. ' +
        'Responds within two seconds, also while the database is unavailable; the metrics of the database are then absent, and `headwater_database_up` is 0.',
      responses: { 200: { description: 'The metrics', media: ['text/plain; version=0.0.4'] } },
      errors: [...SUPERUSER_ERRORS, 'not_found'],
      noStore: true,
      cors: 'none',
      usesReserve: true,
      examples: [{ name: 'now', headers: { authorization: `Bearer ${EXAMPLE_METRICS_TOKEN}` }, status: 200 }],
      async handler({ path }, { metrics }) {
        if (metrics === undefined) throw absent('path', { path });
        return { status: 200, headers: { 'content-type': metrics.type }, body: await metrics.text() };
      },
    }),
  ];
}

/** Creates a test for requests that need no account: requests with the token, or directly from this machine. */
export function metricsReader(token: string | undefined): (request: CredentialSource) => boolean {
  const isToken = token === undefined ? () => false : sameText(token);
  return (request) => {
    const sent = String(request.headers['authorization'] ?? '').replace(/^[ \t]*bearer[ \t]+/i, '');
    return isToken(sent.trim()) || isOfThisMachine(request);
  };
}

/** Policy of the metrics. The user is looked up only if neither address nor metrics token permits the request. */
function metricsPolicy(token: string | undefined): Policy<AnonymousPrincipal> {
  const mayRead = metricsReader(token);
  const { challenge = '', refusesFirst } = policies.bearer;
  return {
    name: 'metrics',
    places: [],
    challenge,
    refusesFirst,
    authenticate: async (credential, deps) => {
      if (mayRead(credential.request)) return { kind: 'anonymous' };
      checkSuperuser((await userOf(credential, deps)) ?? (await deps.sessions?.of(credential.request))?.user);
      return { kind: 'anonymous' };
    },
  };
}

function checkSuperuser(user: User | undefined): void {
  if (user === undefined)
    throw new DomainError(
      'not_authenticated',
      'Send the token of the metrics or the access token of a superuser as Authorization: Bearer.',
    );
  if (user.mustChangePassword)
    throw new DomainError('password_change_required', `User ${user.id} must change the password first.`);
  if (!user.isSuperuser)
    throw new DomainError('forbidden', `User ${user.id} is not a superuser.`, { details: { needs: 'superuser' } });
}
