import { addressKey, type AnonymousPrincipal, type CredentialSource } from '@headwater/identity';
import { allowedAddresses, type AddressTest } from './allowed-addresses.ts';

/** Caller of the work service or the workflow, known by address, shared secret, or the token of an account. */
export interface WorkCaller {
  readonly kind: AnonymousPrincipal['kind'];
  /** Key of the caller's queue: the account, the secret or the address. */
  readonly key: string;
  /**
   * True for a caller without secret and without an account that may compute. Computations of such callers are limited
   * per address.
   */
  readonly isCounted: boolean;
  /** True for a caller with secret or account, or at a loopback or private address. */
  readonly isTrusted: boolean;
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

/** A reserved address in place of an unknown address. Only a list of all addresses contains this address. */
const SOMEWHERE = '255.255.255.254';

/** Headers that proxies add, even without `X-Forwarded-For`. */
const PROXY_HEADERS = ['forwarded', 'via', 'x-real-ip', 'x-forwarded-host', 'x-forwarded-proto'] as const;

/** True if an untrusted proxy has passed the request on. The client's address is then unknown. */
function isPassedOn({ headers, trustedHops = 0 }: CredentialSource): boolean {
  const forwarded = headers['x-forwarded-for'];
  if (forwarded === undefined) return PROXY_HEADERS.some((name) => headers[name] !== undefined);
  return String(forwarded).split(',').length > trustedHops;
}

/** True for a request from a loopback or private address, directly or through a trusted proxy. */
export const isNear = (request: CredentialSource): boolean => NEAR(request.remoteAddress) && !isPassedOn(request);

const LOOPBACK = allowedAddresses(['127.0.0.0/8', '::1']);

/** True for a request from this machine without a proxy. A proxy may pass on requests of other machines. */
export const isOfThisMachine = (request: CredentialSource): boolean =>
  LOOPBACK(request.remoteAddress) && request.headers['x-forwarded-for'] === undefined && !isPassedOn(request);

/** Creates a test for requests from listed addresses. An unknown address is listed only if all addresses are listed. */
export function listedAddresses(addresses: readonly string[]): (request: CredentialSource) => boolean {
  const isListed: AddressTest = allowedAddresses(addresses);
  return (request) => {
    const isUnknown = request.remoteAddress === undefined || (NEAR(request.remoteAddress) && isPassedOn(request));
    return isListed(isUnknown ? SOMEWHERE : request.remoteAddress);
  };
}

/** The caller of a request without secret and without an account that may compute. */
export function callerByAddress(request: CredentialSource): WorkCaller {
  const key = addressKey(request.remoteAddress ?? '');
  return { kind: 'anonymous', key, isCounted: true, isTrusted: isNear(request), userId: undefined };
}

/** The caller of a request with the secret, or with the token of an account that may compute. */
export function provenCaller(userId?: number): WorkCaller {
  const key = userId === undefined ? 'secret' : `user:${userId}`;
  return { kind: 'anonymous', key, isCounted: false, isTrusted: true, userId };
}
