import { createHash, timingSafeEqual } from 'node:crypto';
import type { AnonymousPrincipal, Auth, Policy } from '@headwater/identity';
import { DomainError } from '@headwater/core';
import { allowedAddresses } from './allowed-addresses.ts';
import type { WorkServiceOptions } from './settings.ts';

/** Header of the shared secret; `Authorization: Bearer` does too, since some orchestrators can send nothing else. */
export const SECRET_HEADER = 'X-Work-Service-Secret';

const ANONYMOUS: AnonymousPrincipal = { kind: 'anonymous' };

/** Who may call the work service: everybody, or whoever has the secret and calls from a listed address, where these are set. */
export function workPolicy({ secret, addresses = [] }: Pick<WorkServiceOptions, 'secret' | 'addresses'>): Auth {
  if (secret === undefined && addresses.length === 0) return 'public';
  if (secret?.trim() === '') throw new Error('workService.secret: is blank; give a text, or leave it out');
  const isAllowed = addresses.length === 0 ? () => true : allowedAddresses(addresses);
  const isSecret = secret === undefined ? () => true : sameText(secret);
  const policy: Policy<AnonymousPrincipal> = {
    name: 'workService',
    ...(secret === undefined ? { places: [] } : ASKED),
    refusesFirst: 'credentials',
    missing: () => new DomainError('not_authenticated', `Send the shared secret of this service in ${SECRET_HEADER}.`),
    authenticate: async ({ value, place, request }) => {
      if (!isAllowed(request.remoteAddress))
        throw new DomainError('forbidden', 'Calls from this address are not taken; ask the operator of this service.');
      const given = place?.name === 'authorization' ? value.replace(/^\s*bearer\s+/i, '') : value;
      if (!isSecret(given.trim()))
        throw new DomainError('not_authenticated', 'The shared secret is not the one of this service.');
      return ANONYMOUS;
    },
  };
  return policy;
}

const ASKED: Pick<Policy, 'scheme' | 'places' | 'challenge'> = {
  scheme: { type: 'apiKey', in: 'header', name: SECRET_HEADER },
  places: [
    { in: 'header', name: SECRET_HEADER.toLowerCase() },
    { in: 'header', name: 'authorization' },
  ],
  challenge: 'Bearer realm="work-service"',
};

/** Compares digests, which are of one length: the time that it takes tells nothing of the text. */
function sameText(secret: string): (given: string) => boolean {
  const known = digest(secret.trim());
  return (given) => timingSafeEqual(known, digest(given));
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
