import { badMember } from '../../../wire/request-error.ts';

/** A structured field's string (RFC 9651, 3.3.3), as draft-ietf-httpapi-idempotency-key-header asks for. */
const QUOTED = /^"((?:[ !#-[\]-~]|\\["\\])*)"$/;
/** What many clients send instead: the bare key. */
const BARE = /^[!#-+\--:<-~]+$/;
const MOST = 255;

/** The key of an `Idempotency-Key` header; undefined where none was sent. Throws `validation` for text that is no key. */
export function idempotencyKey(header: string | readonly string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const text = (typeof header === 'string' ? header : header.join(', ')).trim();
  const key = QUOTED.exec(text)?.[1]?.replace(/\\(["\\])/g, '$1') ?? BARE.exec(text)?.[0] ?? '';
  if (key !== '' && key.length <= MOST) return key;
  throw badMember('Idempotency-Key', `Send one key of 1 to ${MOST} characters in quotes, such as "8e03978e-40d5".`);
}
