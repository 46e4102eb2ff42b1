import { DomainError } from '@headwater/core';
import { readCookie } from './cookies.ts';
import type { Credential, CredentialPlace, CredentialSource, Policy, RequestHeaders } from './policy.ts';

/** The first credentials of the policy that stand in headers or cookies; undefined where there are none. */
function findCredential(policy: Policy, source: CredentialSource): Credential | undefined {
  for (const place of policy.places) {
    if (place.in === 'body') continue;
    const value = textAt(place, source.headers);
    if (value !== undefined && isOwn(policy, value)) return { value, place, request: source };
  }
  return undefined;
}

/** The policy's credentials in the body, which is read only now; undefined where it names no member or none is there. */
async function findInBody(policy: Policy, source: CredentialSource): Promise<Credential | undefined> {
  const places = policy.places.filter((place) => place.in === 'body');
  if (places.length === 0 || source.body === undefined) return undefined;
  const fields = await source.body();
  for (const place of places) {
    const value = Object.hasOwn(fields, place.name) ? fields[place.name] : undefined;
    if (typeof value === 'string' && isOwn(policy, value)) return { value, place, request: source };
  }
  return undefined;
}

/** A header as one text; several of a name are joined by ', '. */
function headerText(headers: RequestHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.join(', ');
}

function textAt(place: CredentialPlace, headers: RequestHeaders): string | undefined {
  return place.in === 'header' ? headerText(headers, place.name) : readCookie(headers['cookie'], place.name);
}

function isOwn(policy: Policy, value: string): boolean {
  return value !== '' && (policy.recognises?.(value) ?? true);
}

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
