import { DomainError } from '@headwater/core';
import type { Policy } from '@headwater/identity';
import { fieldsBody, json, operation, type Operation } from '@headwater/http-service';
import { z } from 'zod';
import { ANY, PROBE } from './shared.ts';

/** The key that the probes' own policies take. */
export const PROBE_KEY = 'probe.key-1';

/** Who holds the key. */
export interface KeyPrincipal {
  readonly kind: 'key';
  /** Where it stood: `header x-api-key`. */
  readonly from: string;
}

/** A policy of an embedder's own: a key in a header or a cookie, told of a wrong method before credentials, without a challenge. */
export const keyPolicy: Policy<KeyPrincipal> = {
  name: 'probeKey',
  scheme: { type: 'apiKey', in: 'header', name: 'X-API-Key' },
  places: [
    { in: 'header', name: 'x-api-key' },
    { in: 'cookie', name: 'probe_key' },
  ],
  refusesFirst: 'method',
  missing: () => new DomainError('not_authenticated', 'API key required in X-API-Key header'),
  authenticate: async ({ value, place }) => {
    if (value !== PROBE_KEY) throw new DomainError('not_authenticated', 'Invalid API key');
    return { kind: 'key', from: `${place?.in} ${place?.name}` };
  },
};

/** The same key as a member of the body, for which OpenAPI has no scheme. */
export const bodyKeyPolicy: Policy<KeyPrincipal> = {
  name: 'probeBodyKey',
  places: [{ in: 'body', name: 'api_key' }],
  refusesFirst: 'method',
  authenticate: keyPolicy.authenticate,
};

/** A key in a header that no other policy reads. */
const partnerPolicy: Policy<KeyPrincipal> = {
  name: 'probePartner',
  places: [{ in: 'header', name: 'x-partner-key' }],
  refusesFirst: 'method',
  authenticate: keyPolicy.authenticate,
};

/** Rows behind one policy of an embedder, behind several, and one for guests and users. */
export function policyProbes(): readonly Operation[] {
  const shared = { ...PROBE, method: 'GET', responses: { 200: ANY } } as const;
  return [
    operation({ ...shared, id: 'probeKeyOnly', path: '/probe/key/', auth: keyPolicy, handler: seen }),
    operation({ ...shared, id: 'probeBearer', path: '/probe/bearer/', auth: 'bearer', handler: seen }),
    operation({ ...shared, id: 'probePartner', path: '/probe/partner/', auth: partnerPolicy, handler: seen }),
    operation({ ...shared, id: 'probeToken', path: '/probe/token/', auth: 'token', errorFormat: 'key', handler: seen }),
    operation({
      ...shared,
      id: 'probeKeyWords',
      path: '/probe/key-words/',
      auth: keyPolicy,
      errorFormat: 'key',
      handler: seen,
    }),
    operation({
      ...shared,
      id: 'probeApiKey',
      path: '/probe/api-key/',
      auth: 'apiKey',
      errorFormat: 'key',
      handler: seen,
    }),
    operation({ ...shared, id: 'probeEither', path: '/probe/either/', auth: [keyPolicy, 'bearer'], handler: seen }),
    operation({ ...shared, id: 'probeGuest', path: '/probe/guest/', auth: ['bearer', 'public'], handler: seen }),
    operation({
      ...shared,
      id: 'probeBodyKey',
      method: 'POST',
      path: '/probe/body-key/',
      auth: [keyPolicy, bodyKeyPolicy],
      body: fieldsBody(z.looseObject({ a: z.string() }), { accepts: ['json', 'form', 'multipart'] }),
      handler: ({ principal, body }) => json(200, { principal, body }),
    }),
  ];
}

function seen({ principal }: { readonly principal: { readonly kind: string } }): ReturnType<typeof json> {
  return json(200, 'from' in principal ? principal : { kind: principal.kind });
}
