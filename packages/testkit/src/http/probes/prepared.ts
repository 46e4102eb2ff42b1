import { operation, type Operation, prepared } from '@headwater/http-service';
import { z } from 'zod';
import { PROBE } from './shared.ts';

const Shape = z.object({ rows: z.array(z.object({ id: z.int(), name: z.string() })) });
const rows = Array.from({ length: 500 }, (_each, id) => ({ id, name: `Sample Tehsil ${id}` }));

/** Body of prepared bytes, as text. */
export const PREPARED_TEXT = JSON.stringify({ rows });

/** Test operations with prepared bytes: with a strong or weak ETag, behind a token, and with invalid bytes. */
export function preparedProbes(): readonly Operation[] {
  const shared = { ...PROBE, method: 'GET', responses: { 200: { description: 'Rows', schema: Shape } } } as const;
  const strong = prepared(PREPARED_TEXT);
  const weak = prepared(PREPARED_TEXT, { etag: 'W/"7"', cacheControl: 'public, max-age=60' });
  const broken = prepared('{"rows":"none"}');
  return [
    operation({ ...shared, id: 'probePrepared', path: '/probe/prepared/', handler: () => strong }),
    operation({ ...shared, id: 'probePreparedWeak', path: '/probe/prepared/weak/', handler: () => weak }),
    operation({ ...shared, id: 'probePreparedBroken', path: '/probe/prepared/broken/', handler: () => broken }),
    operation({
      ...shared,
      auth: 'bearer',
      id: 'probePreparedOwn',
      path: '/probe/prepared/own/',
      handler: () => strong,
    }),
  ];
}
