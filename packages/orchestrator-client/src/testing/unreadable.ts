import type { FakeAnswer } from './answer.ts';
import type { Wire } from './wire.ts';

/** What is wrong with a body that is no JSON, or not said to be; undefined = nothing. */
export function unreadable(body: unknown, type: string | undefined, wire: Wire): FakeAnswer | undefined {
  if (body === undefined) return undefined;
  const isJson = /\bjson\b/i.test(type ?? '');
  if (isJson && typeof body !== 'string') return undefined;
  if (wire.api === 'v2')
    return wire.invalid('body', isJson ? 'JSON decode error' : 'Input should be a valid dictionary');
  return isJson
    ? wire.problem({ status: 400, title: 'Bad Request', detail: 'Request body is not valid JSON' })
    : wire.problem({
        status: 415,
        title: 'Unsupported Media Type',
        detail: `Invalid Content-type (${type ?? ''}), expected JSON data`,
      });
}
