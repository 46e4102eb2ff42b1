import { createHash, timingSafeEqual } from 'node:crypto';
import { type AuthDeps, checkMayCompute, type Credential, policies, type Policy, type User } from '@headwater/identity';
import { DomainError, isDomainError } from '@headwater/core';
import type { CrossSiteTest } from '../../reading/origins.ts';
import { callerByAddress, isNear, listedAddresses, provenCaller, type WorkCaller } from './callers.ts';
import { STATUS_OF } from '../../wire/status.ts';
import type { WorkServiceOptions } from './settings.ts';

/** Header of the shared secret. `Authorization: Bearer` is accepted too. */
export const SECRET_HEADER = 'X-Work-Service-Secret';

/** The user of a request; undefined for a visitor. Throws if the credentials are refused. */
export async function userOf(credential: Credential, deps: AuthDeps): Promise<User | undefined> {
  if (deps.host !== undefined) return (await deps.host(credential.request))?.user;
  const value = credential.request.headers['authorization'];
  if (typeof value !== 'string' || policies.bearer.recognises?.(value) !== true) return undefined;
  return (await policies.bearer.authenticate({ ...credential, value }, deps)).user;
}

/** The caller with the account of a request; undefined for a visitor. Throws if the account may not compute. */
async function computingUser(credential: Credential, deps: AuthDeps): Promise<WorkCaller | undefined> {
  const user = await userOf(credential, deps);
  if (user === undefined) return undefined;
  checkMayCompute(user, deps);
  return provenCaller(user.id);
}

/** The caller of a token; undefined if the token is refused. The caller is then identified by the address. */
export async function unlessRefused(caller: Promise<WorkCaller | undefined>): Promise<WorkCaller | undefined> {
  try {
    return await caller;
  } catch (error) {
    // Only 401 and 403 show that the token is refused. Other errors, such as an error of a store, are thrown.
    if (isDomainError(error) && (STATUS_OF[error.code] === 401 || STATUS_OF[error.code] === 403)) return undefined;
    throw error;
  }
}

/** Callers of the work service. */
export type WorkAccess = Pick<WorkServiceOptions, 'secret' | 'addresses'> & {
  /** True if only accounts that may compute can call. */
  readonly onlyAccounts?: boolean;
  /**
   * True if the application that embeds this service signs users in (option `authenticate`). Only the application can
   * then check their credentials.
   */
  readonly isOfHost?: boolean | undefined;
};

/**
 * Policy of the work service. Accounts that may compute are always accepted; cross-site requests are refused.
 * Other callers need the secret, a listed address, or both, as the options require. Default: a loopback or private
 * address.
 */
export function workPolicy(
  { secret, addresses = [], onlyAccounts = false, isOfHost = false }: WorkAccess,
  { isCrossSite, remedy }: { readonly isCrossSite: CrossSiteTest; readonly remedy: string },
): Policy<WorkCaller> {
  if (secret?.trim() === '') throw new Error('workService.secret: is blank; set a text, or leave it out');
  const isListed = onlyAccounts ? () => false : addresses.length === 0 ? undefined : listedAddresses(addresses);
  const isSecret = secret === undefined ? undefined : sameText(secret);
  return {
    name: 'workService',
    ...(secret === undefined ? { places: [] } : SECRET_PLACES),
    refusesFirst: 'credentials',
    ...(isOfHost && { places: [] }),
    missing,
    authenticate: async (credential, deps) => {
      const { request } = credential;
      const sent = textOf(credential);
      if (isCrossSite(request)) throw crossSite();
      const hasSecret = isSecret?.(sent) ?? false;
      if (hasSecret && (isListed?.(request) ?? true)) return provenCaller();
      const byAddress = isListed?.(request) ?? (isSecret !== undefined || isNear(request));
      if (byAddress && isSecret === undefined) {
        return (await unlessRefused(computingUser(credential, deps))) ?? callerByAddress(request);
      }
      // If the service has a secret, the header `Authorization` may contain the secret or a token. So only a
      // text in the form of a token is checked as a token.
      if (isSecret === undefined || deps.host !== undefined || isToken(sent)) {
        const caller = await computingUser(credential, deps);
        if (caller !== undefined) return caller;
      }
      if (!byAddress) throw wrongAddress(remedy);
      if (sent === '') throw missing();
      throw new DomainError('not_authenticated', 'The shared secret is wrong; ask the operator of this service.');
    },
  };
}

const missing = (): DomainError =>
  new DomainError('not_authenticated', `Send the shared secret of this service in ${SECRET_HEADER}.`);

const SECRET_PLACES: Pick<Policy, 'scheme' | 'places' | 'challenge'> = {
  scheme: { type: 'apiKey', in: 'header', name: SECRET_HEADER },
  places: [
    { in: 'header', name: SECRET_HEADER.toLowerCase() },
    { in: 'header', name: 'authorization' },
  ],
  challenge: 'Bearer realm="work-service"',
};

function textOf({ value, place, request: { headers } }: Credential): string {
  if (place?.name === SECRET_HEADER.toLowerCase()) return value.trim();
  const found = place === undefined ? (headers[SECRET_HEADER.toLowerCase()] ?? headers['authorization'] ?? '') : value;
  return String(found)
    .replace(/^\s*bearer\s+/i, '')
    .trim();
}

/** True for the form of a signed token: three parts joined by dots. */
const isToken = (text: string): boolean => /^[\w-]+\.[\w-]+\.[\w-]+$/.test(text);

/** The error for a request that a page of another site caused. */
export const crossSite = (): DomainError =>
  new DomainError(
    'forbidden',
    'A page of another site sent this request; only pages of this service, and of origins that the operator allows, may send it.',
  );

const wrongAddress = (remedy: string): DomainError =>
  new DomainError(
    'forbidden',
    `Calls from this address are not allowed. Send the bearer token of an account that may compute, which is always accepted. ${remedy}`,
  );

/** Creates a function that compares texts with the secret. The duration of the comparison reveals nothing. */
export function sameText(secret: string): (text: string) => boolean {
  const known = digest(secret.trim());
  return (text) => timingSafeEqual(known, digest(text));
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
