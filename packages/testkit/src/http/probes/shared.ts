import type { ResponseSpec } from '@headwater/http-service';
import { z } from 'zod';

/** Tag of the probes: a word that the service does not know, as an embedder's rows have. */
export const PROBE_TAG = 'suite probes';

/** What all probes have unless they say otherwise. */
export const PROBE = {
  auth: 'public',
  tag: PROBE_TAG,
  summary: 'Probe',
  errors: [],
  examples: [{ name: 'probe', status: 200 }],
} as const;

/** An answer of any JSON. */
export const ANY: ResponseSpec = { description: 'Whatever the probe saw', schema: z.unknown() };

/** An answer of bytes. */
export const STREAM: ResponseSpec = { description: 'Bytes', media: ['application/octet-stream'] };

/** Headers of an answer of bytes. */
export const OCTETS = { 'content-type': 'application/octet-stream' };
