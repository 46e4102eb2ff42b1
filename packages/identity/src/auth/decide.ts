import { DomainError } from '@headwater/core';
import { findCredential, findInBody } from './find-credential.ts';
import type { Credential, CredentialPlace, CredentialSource, Policy } from './policy.ts';

/** The policy that decides about a request, and the credentials that it found. */
export interface Decision {
  readonly policy: Policy;
  readonly credential: Credential;
}

/** The first policy that finds its credentials outside of the body, or asks for none. Throws what `refuse` throws. */
export function decide(asked: readonly Policy[], source: CredentialSource): Decision {
  for (const policy of asked) {
    const credential = outsideOfBody(policy, source);
    if (credential !== undefined) return { policy, credential };
  }
  return refuse(asked);
}

/** The same, body members too: the body is read when the first policy is reached that names one and finds nothing elsewhere. */
export async function decideWithBody(asked: readonly Policy[], source: CredentialSource): Promise<Decision> {
  for (const policy of asked) {
    const credential = outsideOfBody(policy, source) ?? (await findInBody(policy, source));
    if (credential !== undefined) return { policy, credential };
  }
  return refuse(asked);
}

function outsideOfBody(policy: Policy, source: CredentialSource): Credential | undefined {
  return policy.places.length === 0 ? { value: '', place: undefined, request: source } : findCredential(policy, source);
}

/**
 * Refuses a request that has none of the credentials asked for: in the words of its only policy, or with `not_authenticated`
 * whose detail `policies` names them all.
 */
export function refuse(asked: readonly Policy[]): never {
  const [first] = asked;
  if (asked.length === 1) {
    const policies = asked.map(({ name }) => name);
    throw (
      first?.missing?.() ??
      new DomainError('not_authenticated', 'No credentials were given.', { details: { policies } })
    );
  }
  const names = asked.map(({ name }) => name);
  const text = asked.map(({ name, places }) => `${name} (${places.map(placeText).join(' or ')})`).join(' or ');
  throw new DomainError('not_authenticated', `Authentication required: ${text}`, { details: { policies: names } });
}

function placeText({ in: where, name }: CredentialPlace): string {
  return `${where} ${name}`;
}
