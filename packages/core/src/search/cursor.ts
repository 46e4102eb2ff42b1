import { invalidField } from '../errors.ts';

/** A value that a page ended with. */
export type CursorValue = string | number | null;

/** Longest cursor that is read, characters. */
const LONGEST = 16_384;

/** A place between two pages as opaque text: base64url of JSON, of the order that it belongs to and the values that the page ended with. */
export function writeCursor(order: string, values: readonly CursorValue[]): string {
  const bytes = new TextEncoder().encode(JSON.stringify([order, ...values]));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/**
 * The values of a cursor, checked one by one: whatever a client made of it, only values of these kinds come out.
 * @throws DomainError `validation` for a text that no page gave, and for one of another order.
 */
export function readCursor(
  cursor: string,
  { order, kinds }: { readonly order: string; readonly kinds: readonly ((value: unknown) => value is CursorValue)[] },
): readonly CursorValue[] {
  const parts = parse(cursor);
  if (parts === undefined || typeof parts[0] !== 'string') throw broken();
  if (parts[0] !== order) {
    throw invalidField('cursor', 'it belongs to a search with another sort: take the cursor of a page of this one');
  }
  const values = parts.slice(1);
  if (values.length !== kinds.length) throw broken();
  return values.map((value, index) => {
    if (kinds[index]?.(value) !== true) throw broken();
    return value;
  });
}

function broken(): Error {
  return invalidField('cursor', 'no page has given this text: take the next link of a page as it is, or leave it out');
}

function parse(cursor: string): readonly unknown[] | undefined {
  if (cursor.length > LONGEST || !/^[\w-]+$/.test(cursor)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(cursor.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
    const parts: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return Array.isArray(parts) ? parts : undefined;
  } catch {
    return undefined;
  }
}
