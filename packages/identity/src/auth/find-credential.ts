import { readCookie } from './cookies.ts';
import type { Credential, CredentialPlace, CredentialSource, Policy, RequestHeaders } from './policy.ts';

/** The first credentials of the policy that stand in headers or cookies; undefined where there are none. */
export function findCredential(policy: Policy, source: CredentialSource): Credential | undefined {
  for (const place of policy.places) {
    if (place.in === 'body') continue;
    const value = textAt(place, source.headers);
    if (value !== undefined && isOwn(policy, value)) return { value, place, request: source };
  }
  return undefined;
}

/** The policy's credentials in the body, which is read only now; undefined where it names no member or none is there. */
export async function findInBody(policy: Policy, source: CredentialSource): Promise<Credential | undefined> {
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
export function headerText(headers: RequestHeaders, name: string): string | undefined {
  const value = headers[name];
  return typeof value === 'string' ? value : value?.join(', ');
}

function textAt(place: CredentialPlace, headers: RequestHeaders): string | undefined {
  return place.in === 'header' ? headerText(headers, place.name) : readCookie(headers['cookie'], place.name);
}

function isOwn(policy: Policy, value: string): boolean {
  return value !== '' && (policy.recognises?.(value) ?? true);
}
