import type { CorsRule, Method, Operation } from '@headwater/http-service';
import { ANY, PROBE } from './shared.ts';

/** The only origin that the rule of `PUT /probe/origins/` allows. */
export const PARTNER = 'https://maps.partner.example';

/** Test operations with different origin rules. Three of them have the same path. */
export function originProbes(): readonly Operation[] {
  const row = (method: Method, path: string, cors: CorsRule): Operation => ({
    ...PROBE,
    id: `probeOrigin${method}${path.replaceAll('/', '')}`,
    method,
    path: `/probe/origins/${path}`,
    cors,
    responses: { 200: ANY },
    handler: () => ({ status: 200, json: {} }),
  });
  return [
    row('GET', '', 'any'),
    row('POST', '', 'none'),
    row('PUT', '', (origin) => origin === PARTNER),
    row('POST', 'any/', 'any'),
    row('GET', 'configured/', 'configured'),
  ];
}
