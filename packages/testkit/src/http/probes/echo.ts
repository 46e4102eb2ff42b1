import type { Operation } from '@headwater/http-service';
import { z } from 'zod';
import { ANY, OCTETS, PROBE, STREAM } from './shared.ts';

/** Test operations that return their input, or respond with cookies, an empty body or bytes. */
export function echoProbes(): readonly Operation[] {
  return [
    {
      ...PROBE,
      id: 'probeBody',
      method: 'POST',
      path: '/probe/body/',
      body: z.unknown(),
      responses: { 200: ANY },
      handler: ({ body }) => ({ status: 200, json: { body: body ?? null } }),
    },
    {
      ...PROBE,
      id: 'probeGet',
      method: 'GET',
      path: '/probe/get/',
      query: z.record(z.string(), z.string()),
      responses: { 200: ANY },
      handler: ({ query, path }) => ({ status: 200, json: { query, path } }),
    },
    {
      ...PROBE,
      id: 'probeParam',
      method: 'GET',
      path: '/probe/param/:name/',
      params: z.object({ name: z.string() }),
      responses: { 200: ANY },
      handler: ({ params }) => ({ status: 200, json: params }),
    },
    {
      ...PROBE,
      id: 'probeCookies',
      method: 'GET',
      path: '/probe/cookies',
      responses: { 200: ANY },
      handler: () => ({ status: 200, json: {}, headers: { 'set-cookie': ['a=1; Path=/', 'b=2; Path=/'] } }),
    },
    {
      ...PROBE,
      id: 'probeEmpty',
      method: 'GET',
      path: '/probe/empty',
      responses: { 204: { description: 'Nothing' } },
      handler: () => ({ status: 204, headers: {}, body: '' }),
    },
    {
      ...PROBE,
      id: 'probeBytes',
      method: 'GET',
      path: '/probe/bytes',
      responses: { 200: STREAM },
      handler: () => ({ status: 200, headers: OCTETS, body: Uint8Array.of(0, 255, 1, 254) }),
    },
  ];
}
