import type { ResponseSpec } from '@headwater/http-service';
import { z } from 'zod';

/** Tag of the test operations, which is not one of the service's tags. */
export const PROBE_TAG = 'suite probes';

/** Default members of all probes. */
export const PROBE = {
  auth: 'public',
  tag: PROBE_TAG,
  summary: 'Probe',
  errors: [],
  examples: [{ name: 'probe', status: 200 }],
} as const;

/** Response with any JSON. */
export const ANY: ResponseSpec = { description: 'Any JSON', schema: z.unknown() };

/** Response with a byte stream. */
export const STREAM: ResponseSpec = { description: 'Bytes', media: ['application/octet-stream'] };

/** Headers of a response with bytes. */
export const OCTETS = { 'content-type': 'application/octet-stream' };
