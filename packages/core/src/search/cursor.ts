import { invalidField } from '../errors.ts';

/** A sort value of the last entry of a page. */
export type CursorValue = string | number | null;

const MAX_LENGTH = 16_384;

/** Encodes the end of a page as opaque text: base64url of JSON. */
export function writeCursor(order: string, values: readonly CursorValue[]): string {
  const bytes = new TextEncoder().encode(JSON.stringify([order, ...values]));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '');
}

/** Decodes a cursor and checks each value with its function in `kinds`. Throws `validation` for a wrong cursor. */
export function readCursor(
  cursor: string,
  { order, kinds }: { readonly order: string; readonly kinds: readonly ((value: unknown) => value is CursorValue)[] },
): readonly CursorValue[] {
  const parts = parse(cursor);
  if (parts === undefined || typeof parts[0] !== 'string') throw invalidCursor();
  if (parts[0] !== order) {
    throw invalidField('cursor', 'it belongs to a search with another sort: use the cursor of a page of this search');
  }
  const values = parts.slice(1);
  if (values.length !== kinds.length) throw invalidCursor();
  return values.map((value, index) => {
    if (kinds[index]?.(value) !== true) throw invalidCursor();
    return value;
  });
}

function invalidCursor(): Error {
  return invalidField(
    'cursor',
    'it is not a cursor of this service: use the next link of a page unchanged, or leave it out',
  );
}

function parse(cursor: string): readonly unknown[] | undefined {
  if (cursor.length > MAX_LENGTH || !/^[\w-]+$/.test(cursor)) return undefined;
  try {
    const bytes = Uint8Array.from(atob(cursor.replaceAll('-', '+').replaceAll('_', '/')), (one) => one.charCodeAt(0));
    const parts: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    return Array.isArray(parts) ? parts : undefined;
  } catch {
    return undefined;
  }
}
