import type { Operation } from '../rows/operation.ts';
import type { Reply } from '../seam/reply.ts';

/** Throws where an answer is not what its row promises: undeclared status, media type or shape. */
export function checkReply(row: Operation, reply: Reply): void {
  const spec = row.responses[reply.status];
  if (spec === undefined) throw new Error(`${row.id}: status ${reply.status} is not in its row`);
  if ('json' in reply) return checkJson(row, reply.status, reply.json);
  if ('prepared' in reply && isJson(reply.prepared.type)) {
    return checkJson(row, reply.status, JSON.parse(new TextDecoder().decode(reply.prepared.bytes)));
  }
  const header = 'prepared' in reply ? reply.prepared.type : reply.headers['content-type'];
  const type = String(header ?? '').split(';')[0];
  const known = spec.media?.some((media) => media.split(';')[0] === type) ?? type === '';
  if (!known) throw new Error(`${row.id}: media type ${type} of answer ${reply.status} is not in its row`);
}

function checkJson(row: Operation, status: number, value: unknown): void {
  const schema = row.responses[status]?.schema;
  if (schema === undefined) throw new Error(`${row.id}: answers JSON with ${status}, its row has no schema`);
  const result = schema.safeParse(value);
  if (!result.success) throw new Error(`${row.id}: answer ${status} breaks its schema: ${result.error.message}`);
}

function isJson(type: string): boolean {
  return /[/+]json\b/.test(type);
}
