import { DomainError } from '@headwater/core';
import { type AuthDeps, type Credential, policies, type Policy, type User } from '@headwater/identity';
import type { CrossSiteTest } from '../../reading/origins.ts';
import { callerByAddress, isNear, provenCaller, type WorkCaller } from './callers.ts';
import { crossSite, unlessRefused, userOf } from './policy.ts';

/**
 * Callers that may use the orchestrator's workflow (`/api/dag/run`). `private`: private addresses, and signed-in users;
 * `public`: all callers; `bearer`: accounts that may compute; `session`: signed-in users.
 */
export type WorkflowAccess = 'private' | 'public' | 'bearer' | 'session';

/** Access to the workflow. Default: `private`; `bearer` if the options have no work service. */
export function workflowAccessOf(
  work: { readonly workflowAccess?: WorkflowAccess | undefined } | undefined,
): WorkflowAccess {
  return work === undefined ? 'bearer' : (work.workflowAccess ?? 'private');
}

type Authenticate = Policy<WorkCaller>['authenticate'];

/** Accepts signed-in users. If the account may not compute, the address identifies the caller. */
async function signedIn(credential: Credential, deps: AuthDeps): Promise<WorkCaller> {
  return callerFor((await policies.bearer.authenticate(credential, deps)).user, credential);
}

function callerFor(user: User, credential: Credential): WorkCaller {
  return user.mayCompute || user.isSuperuser ? provenCaller(user.id) : callerByAddress(credential.request);
}

async function signedInOrNone(credential: Credential, deps: AuthDeps): Promise<WorkCaller | undefined> {
  const user = await userOf(credential, deps);
  return user === undefined ? undefined : callerFor(user, credential);
}

/** Accepts all callers. Without a valid token, the address identifies the caller. */
const anyCaller: Authenticate = async (credential, deps) =>
  (await unlessRefused(signedInOrNone(credential, deps))) ?? callerByAddress(credential.request);

/** Accepts private addresses and signed-in users. A request from a public address needs a valid token. */
const privateCaller: Authenticate = async (credential, deps) => {
  if (isNear(credential.request)) return await anyCaller(credential, deps);
  const caller = await signedInOrNone(credential, deps);
  if (caller !== undefined) return caller;
  throw new DomainError(
    'not_authenticated',
    'Calls from public addresses need the access token of a signed-in user as Authorization: Bearer.',
  );
};

/** Creates the policy of the workflow's routes. */
export function workflowPolicy(access: WorkflowAccess, isCrossSite: CrossSiteTest): Policy<WorkCaller> {
  const name = 'workflow';
  const { challenge = '', refusesFirst } = policies.bearer;
  const open = { name, places: [], challenge, refusesFirst } as const;
  if (access === 'public') return { ...open, authenticate: anyCaller };
  if (access === 'private') {
    return {
      ...open,
      authenticate: async (credential, deps) => {
        if (isCrossSite(credential.request)) throw crossSite();
        return await privateCaller(credential, deps);
      },
    };
  }
  const { authenticate: _authenticate, limits: _limits, ...bearer } = policies.bearer;
  if (access === 'session') return { ...bearer, name, authenticate: signedIn };
  const authenticate: Authenticate = async (credential, deps) =>
    provenCaller((await policies.computing.authenticate(credential, deps)).user.id);
  return { ...bearer, name, authenticate };
}
