type FieldType = 'ascii' | 'short' | 'long' | 'long8' | 'double';

const CODES = { ascii: 2, short: 3, long: 4, double: 12, long8: 16 } as const satisfies Record<FieldType, number>;
const SIZES = { ascii: 1, short: 2, long: 4, double: 8, long8: 8 } as const satisfies Record<FieldType, number>;

/** Tag of an image file directory: number, type and encoded little-endian values. */
export interface Field {
  readonly tag: number;
  readonly code: number;
  readonly count: number;
  readonly bytes: Uint8Array;
}

/** Creates a field of numbers. */
export function numberField(tag: number, type: Exclude<FieldType, 'ascii'>, values: ArrayLike<number>): Field {
  const size = SIZES[type];
  const bytes = new Uint8Array(values.length * size);
  const view = new DataView(bytes.buffer);
  for (let i = 0; i < values.length; i += 1) putNumber(view, { at: i * size, type }, values[i]!);
  return { tag, code: CODES[type], count: values.length, bytes };
}

function putNumber(view: DataView, { at, type }: { at: number; type: FieldType }, value: number): void {
  if (type === 'short') view.setUint16(at, value, true);
  else if (type === 'long') view.setUint32(at, value, true);
  else if (type === 'long8') view.setBigUint64(at, BigInt(value), true);
  else view.setFloat64(at, value, true);
}

/** Creates a field of text: UTF-8 with a closing NUL. */
export function textField(tag: number, text: string): Field {
  const bytes = new TextEncoder().encode(`${text}\0`);
  return { tag, code: CODES.ascii, count: bytes.length, bytes };
}
