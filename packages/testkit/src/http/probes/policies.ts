import { DomainError } from '@headwater/core';
import type { Policy } from '@headwater/http-service/testing';
import { fieldsBody, json, operation, type Operation } from '@headwater/http-service';
import { z } from 'zod';
import { ANY, PROBE } from './shared.ts';

/** The only API key that the policies of this file accept. */
export const PROBE_KEY = 'probe.key-1';

/** Principal of a request with the API key. */
export interface KeyPrincipal {
  readonly kind: 'key';
  /** Place of the key, such as `header x-api-key`. */
  readonly from: string;
}

/**
 * An embedder's policy: an API key in a header or a cookie. A wrong method is 405 even without the key, and refusals
 * have no `WWW-Authenticate` header.
 */
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

/** Policy with the key in the body, for which OpenAPI has no security scheme. */
export const bodyKeyPolicy: Policy<KeyPrincipal> = {
  name: 'probeBodyKey',
  places: [{ in: 'body', name: 'api_key' }],
  refusesFirst: 'method',
  authenticate: keyPolicy.authenticate,
};

/** Policy with the key in a header that no other policy reads. */
const partnerPolicy: Policy<KeyPrincipal> = {
  name: 'probePartner',
  places: [{ in: 'header', name: 'x-partner-key' }],
  refusesFirst: 'method',
  authenticate: keyPolicy.authenticate,
};

/** Test operations with one policy, with several policies, and for guests and users. */
export function policyProbes(): readonly Operation[] {
  const shared = { ...PROBE, method: 'GET', responses: { 200: ANY } } as const;
  return [
    operation({ ...shared, id: 'probeKeyOnly', path: '/probe/key/', auth: keyPolicy, handler: principalOf }),
    operation({ ...shared, id: 'probeBearer', path: '/probe/bearer/', auth: 'bearer', handler: principalOf }),
    operation({ ...shared, id: 'probePartner', path: '/probe/partner/', auth: partnerPolicy, handler: principalOf }),
    operation({
      ...shared,
      id: 'probeToken',
      path: '/probe/token/',
      auth: 'token',
      errorFormat: 'key',
      handler: principalOf,
    }),
    operation({
      ...shared,
      id: 'probeKeyWords',
      path: '/probe/key-words/',
      auth: keyPolicy,
      errorFormat: 'key',
      handler: principalOf,
    }),
    operation({
      ...shared,
      id: 'probeApiKey',
      path: '/probe/api-key/',
      auth: 'apiKey',
      errorFormat: 'key',
      handler: principalOf,
    }),
    operation({
      ...shared,
      id: 'probeEither',
      path: '/probe/either/',
      auth: [keyPolicy, 'bearer'],
      handler: principalOf,
    }),
    operation({ ...shared, id: 'probeGuest', path: '/probe/guest/', auth: ['bearer', 'public'], handler: principalOf }),
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

function principalOf({ principal }: { readonly principal: { readonly kind: string } }): ReturnType<typeof json> {
  return json(200, 'from' in principal ? principal : { kind: principal.kind });
}
