import { createHash, timingSafeEqual } from 'node:crypto';
import type { AnonymousPrincipal, Auth, Policy } from '@headwater/identity';
import { DomainError } from '@headwater/core';
import { allowedAddresses } from './allowed-addresses.ts';
import type { WorkServiceOptions } from './settings.ts';

/** Header of the shared secret. `Authorization: Bearer` is also accepted, because some orchestrators can send no other header. */
export const SECRET_HEADER = 'X-Work-Service-Secret';

const ANONYMOUS: AnonymousPrincipal = { kind: 'anonymous' };

/** Policy of the work service. A caller needs the secret if one is set, and a listed address if addresses are set. */
export function workPolicy({ secret, addresses = [] }: Pick<WorkServiceOptions, 'secret' | 'addresses'>): Auth {
  if (secret === undefined && addresses.length === 0) return 'public';
  if (secret?.trim() === '') throw new Error('workService.secret: is blank; set a text, or leave it out');
  const isAllowed = addresses.length === 0 ? () => true : allowedAddresses(addresses);
  const isSecret = secret === undefined ? () => true : sameText(secret);
  const policy: Policy<AnonymousPrincipal> = {
    name: 'workService',
    ...(secret === undefined ? { places: [] } : SECRET_PLACES),
    refusesFirst: 'credentials',
    missing: () => new DomainError('not_authenticated', `Send the shared secret of this service in ${SECRET_HEADER}.`),
    authenticate: async ({ value, place, request }) => {
      if (!isAllowed(request.remoteAddress))
        throw new DomainError(
          'forbidden',
          'Calls from this address are not allowed; ask the operator of this service.',
        );
      const sent = place?.name === 'authorization' ? value.replace(/^\s*bearer\s+/i, '') : value;
      if (!isSecret(sent.trim()))
        throw new DomainError('not_authenticated', 'The shared secret is wrong; ask the operator of this service.');
      return ANONYMOUS;
    },
  };
  return policy;
}

const SECRET_PLACES: Pick<Policy, 'scheme' | 'places' | 'challenge'> = {
  scheme: { type: 'apiKey', in: 'header', name: SECRET_HEADER },
  places: [
    { in: 'header', name: SECRET_HEADER.toLowerCase() },
    { in: 'header', name: 'authorization' },
  ],
  challenge: 'Bearer realm="work-service"',
};

/** Creates a comparison of digests, which have equal length, so that its duration reveals nothing about the secret. */
function sameText(secret: string): (text: string) => boolean {
  const known = digest(secret.trim());
  return (text) => timingSafeEqual(known, digest(text));
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
