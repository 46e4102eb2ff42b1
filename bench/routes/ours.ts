import { createHeadwater, type Operation, type Service } from '@headwater/http-service';
import type { z } from 'zod';
import { listing, ListQuery, PATHS, started, StartBody } from './shared.ts';

const ROW = { auth: 'public', tag: 'bench', responses: {}, errors: [], examples: [] } as const;

const OPERATIONS: readonly Operation[] = [
  {
    ...ROW,
    id: 'benchList',
    method: 'GET',
    path: PATHS.list,
    summary: 'Lists rows',
    query: ListQuery,
    handler: ({ query }) => ({ status: 200, json: listing(query as z.infer<typeof ListQuery>) }),
  },
  {
    ...ROW,
    id: 'benchStart',
    method: 'POST',
    path: PATHS.start,
    summary: 'Starts nothing',
    body: StartBody,
    handler: ({ body }) => ({ status: 202, json: started(body as z.infer<typeof StartBody>) }),
  },
];

/** The whole service with all its operations and memory stores, and two rows more: those that are measured. */
export function benchService(): Service {
  return createHeadwater({
    baseUrl: 'http://localhost:8000',
    secret: 'a key for the bench only, never for a real service',
    operations: OPERATIONS,
  }).service;
}
