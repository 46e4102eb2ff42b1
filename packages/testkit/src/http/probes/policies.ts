import { DomainError } from '@headwater/core';
import type { Policy } from '@headwater/http-service/testing';
import { fieldsBody, json, operation, type Operation } from '@headwater/http-service';
import { z } from 'zod';
import { ANY, PROBE } from './shared.ts';

/** API key that the policies of the test operations accept. */
export const PROBE_KEY = 'probe.key-1';

/** Principal of a request that has the API key. */
export interface KeyPrincipal {
  readonly kind: 'key';
  /** Place of the key in the request, e.g. `header x-api-key`. */
  readonly from: string;
}

/**
 * Policy of an embedder (an application that contains the service) that reads an API key from a header or a cookie.
 * Operations with this policy respond 405 rather than 401 to a wrong method, and send no challenge.
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

/** Policy that reads the same key from a member of the body. OpenAPI has no security scheme for keys in bodies. */
export const bodyKeyPolicy: Policy<KeyPrincipal> = {
  name: 'probeBodyKey',
  places: [{ in: 'body', name: 'api_key' }],
  refusesFirst: 'method',
  authenticate: keyPolicy.authenticate,
};

/** Policy that reads a key from a header that no other policy reads. */
const partnerPolicy: Policy<KeyPrincipal> = {
  name: 'probePartner',
  places: [{ in: 'header', name: 'x-partner-key' }],
  refusesFirst: 'method',
  authenticate: keyPolicy.authenticate,
};

/** Test operations with one policy (built in or of an embedder), with several policies, and for guests and users alike. */
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
