import { addressKey, type AnonymousPrincipal, type CredentialSource } from '@headwater/identity';
import { allowedAddresses, type AddressTest } from './allowed-addresses.ts';

/**
 * Caller of the work service or of the workflow, identified by the caller's address, by the shared secret, or by the token of an
 * account.
 */
export interface WorkCaller {
  readonly kind: AnonymousPrincipal['kind'];
  /** Key of the caller's queue: the account, the secret or the address. */
  readonly key: string;
  /**
   * True for a caller that has neither the secret nor the token of an account that may compute. Computations of such
   * callers are limited per address.
   */
  readonly isCounted: boolean;
  /**
   * True for a caller with the secret or with the token of an account that may compute, and for a caller at a
   * loopback or private address.
   */
  readonly isTrusted: boolean;
  /** Account that may compute; undefined for other callers. */
  readonly userId: number | undefined;
}

/** Loopback, private and link-local addresses (RFC 1122, 1918, 3927, 4193, 4291). */
const NEAR = allowedAddresses([
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
]);

/**
 * A reserved address that no client has. It is tested in place of an unknown address, so that only a list of all addresses allows
 * clients with an unknown address.
 */
const SOMEWHERE = '255.255.255.254';

/** Headers that show that a proxy passed the request on, even without `X-Forwarded-For`. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto'] as const;

/** True if a proxy that the host does not trust has passed the request on. The address of the client is then unknown. */
function isPassedOn({ headers, trustedHops = 0 }: CredentialSource): boolean {
  const forwarded = headers['x-forwarded-for'];
  if (forwarded === undefined) return PROXY_HEADERS.some((name) => headers[name] !== undefined);
  return String(forwarded).split(',').length > trustedHops;
}

/** True for a request from a loopback or private address, directly or through a trusted proxy. */
export const isNear = (request: CredentialSource): boolean => NEAR(request.remoteAddress) && !isPassedOn(request);

const LOOPBACK = allowedAddresses(['127.0.0.0/8', '::1']);

/**
 * True for a request from this machine that no proxy has passed on, not even a trusted proxy: a proxy may pass on requests of other
 * machines.
 */
export const isOfThisMachine = (request: CredentialSource): boolean =>
  LOOPBACK(request.remoteAddress) && request.headers['x-forwarded-for'] === undefined && !isPassedOn(request);

/** Creates a test for requests from listed addresses. A client at an unknown address is listed only if the list contains all addresses. */
export function listedAddresses(addresses: readonly string[]): (request: CredentialSource) => boolean {
  const isListed: AddressTest = allowedAddresses(addresses);
  return (request) => {
    const isUnknown = request.remoteAddress === undefined || (NEAR(request.remoteAddress) && isPassedOn(request));
    return isListed(isUnknown ? SOMEWHERE : request.remoteAddress);
  };
}

/** The caller of a request that has neither the secret nor the token of an account that may compute. */
export function callerByAddress(request: CredentialSource): WorkCaller {
  const key = addressKey(request.remoteAddress ?? '');
  return { kind: 'anonymous', key, isCounted: true, isTrusted: isNear(request), userId: undefined };
}

/** The caller of a request with the shared secret, or with the token of an account that may compute. */
export function provenCaller(userId?: number): WorkCaller {
  const key = userId === undefined ? 'secret' : `user:${userId}`;
  return { kind: 'anonymous', key, isCounted: false, isTrusted: true, userId };
}
