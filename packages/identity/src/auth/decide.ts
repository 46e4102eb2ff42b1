import { DomainError } from '@headwater/core';
import { readCookie } from './cookies.ts';
import type { Credential, CredentialPlace, Policy } from './policy.ts';
import type { CredentialSource } from './types.ts';
import type { RequestHeaders } from './types.ts';

function findCredential(policy: Policy, source: CredentialSource): Credential | undefined {
  for (const place of policy.places) {
    if (place.in === 'body') continue;
    const value = textAt(place, source.headers);
    if (value !== undefined && isOwn(policy, value)) return { value, place, request: source };
  }
  return undefined;
}

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

/** Policy of a request, and its credentials. */
export interface Decision {
  readonly policy: Policy;
  readonly credential: Credential;
}

/**
 * Finds the first policy whose credentials are in headers or cookies, or that needs none. Otherwise throws the error of
 * `refuse`.
 */
export function decide(required: readonly Policy[], source: CredentialSource): Decision {
  for (const policy of required) {
    const credential = outsideOfBody(policy, source);
    if (credential !== undefined) return { policy, credential };
  }
  return refuse(required);
}

/** Same as `decide`, but also finds credentials in the body, which is read only if necessary. */
export async function decideWithBody(required: readonly Policy[], source: CredentialSource): Promise<Decision> {
  for (const policy of required) {
    const credential = outsideOfBody(policy, source) ?? (await findInBody(policy, source));
    if (credential !== undefined) return { policy, credential };
  }
  return refuse(required);
}

function outsideOfBody(policy: Policy, source: CredentialSource): Credential | undefined {
  return policy.places.length === 0 ? { value: '', place: undefined, request: source } : findCredential(policy, source);
}

/**
 * Throws the error of the only policy, or `not_authenticated` with the names of several policies in `details.policies`.
 */
export function refuse(required: readonly Policy[]): never {
  const [first] = required;
  if (required.length === 1) {
    const policies = required.map(({ name }) => name);
    throw (
      first?.missing?.() ??
      new DomainError('not_authenticated', 'No credentials were given.', { details: { policies } })
    );
  }
  const names = required.map(({ name }) => name);
  const text = required.map(({ name, places }) => `${name} (${places.map(placeText).join(' or ')})`).join(' or ');
  throw new DomainError('not_authenticated', `Authentication required: ${text}`, { details: { policies: names } });
}

function placeText({ in: where, name }: CredentialPlace): string {
  return `${where} ${name}`;
}
