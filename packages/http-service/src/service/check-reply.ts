import type { Operation, Reply } from '../operation.ts';

/** Throws where an answer is not what its row promises: undeclared status, media type or shape. */
export function checkReply(row: Operation, reply: Reply): void {
  const spec = row.responses[reply.status];
  if (spec === undefined) throw new Error(`${row.id}: status ${reply.status} is not in its row`);
  if ('json' in reply) {
    if (spec.schema === undefined)
      throw new Error(`${row.id}: answers JSON with ${reply.status}, its row has no schema`);
    const result = spec.schema.safeParse(reply.json);
    if (!result.success)
      throw new Error(`${row.id}: answer ${reply.status} breaks its schema: ${result.error.message}`);
    return;
  }
  const type = String(reply.headers['content-type'] ?? '').split(';')[0];
  const known = spec.media?.some((media) => media.split(';')[0] === type) ?? type === '';
  if (!known) throw new Error(`${row.id}: media type ${type} of answer ${reply.status} is not in its row`);
}
