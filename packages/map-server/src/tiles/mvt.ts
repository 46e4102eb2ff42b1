import type { MapColumn } from '@headwater/core/ports';
import { cellText } from '../encodings/request.ts';
import type { FeatureTable } from '../features/feature-table.ts';
import type { Turn } from '../protocol/turns.ts';

/** Geometry types of the format. */
export const MVT_TYPES = { point: 1, line: 2, polygon: 3 } as const;

/** A feature in tile coordinates. */
export interface MvtFeature {
  readonly id: number;
  /** Index of the feature in its table. */
  readonly row: number;
  readonly type: keyof typeof MVT_TYPES;
  /** Rings, lines, or one list of points: x, y, x, y. Rings are not closed. */
  readonly parts: readonly ArrayLike<number>[];
}

/** Side of a tile in tile coordinates. */
export const EXTENT = 4096;

/** Writes protocol buffers. */
class Writer {
  #bytes = new Uint8Array(1024);
  #length = 0;

  get bytes(): Uint8Array {
    return this.#bytes.subarray(0, this.#length);
  }

  clear(): void {
    this.#length = 0;
  }

  #reserve(count: number): void {
    if (this.#length + count <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + count));
    larger.set(this.#bytes);
    this.#bytes = larger;
  }

  /** Writes a whole number from 0 to 2^53. */
  varint(value: number): void {
    this.#reserve(10);
    if (value < 128) {
      this.#bytes[this.#length++] = value;
      return;
    }
    let rest = value;
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest % 128) | 128;
      rest = Math.floor(rest / 128);
    }
    this.#bytes[this.#length++] = rest;
  }

  /** Writes number and wire type of the next field. */
  tag(field: number, wire: 0 | 1 | 2): void {
    this.varint(field * 8 + wire);
  }

  number(field: number, value: number): void {
    this.tag(field, 0);
    this.varint(value);
  }

  data(field: number, bytes: Uint8Array): void {
    this.tag(field, 2);
    this.varint(bytes.length);
    this.#reserve(bytes.length);
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Copies bytes in a loop, because a view of each short part would be slower. */
  part(bytes: Uint8Array, from: number, to: number): void {
    this.#reserve(to - from);
    for (let at = from; at < to; at += 1) this.#bytes[this.#length++] = bytes[at]!;
  }

  text(field: number, value: string): void {
    this.data(field, Buffer.from(value));
  }

  double(field: number, value: number): void {
    this.tag(field, 1);
    this.#reserve(8);
    new DataView(this.#bytes.buffer).setFloat64(this.#length, value, true);
    this.#length += 8;
  }
}

/** Writes a tile with one layer (Mapbox Vector Tile 2.1). Missing values are left out. */
export class MvtLayer {
  readonly #layer = new Writer();
  readonly #columns: readonly MapColumn[];
  readonly #values: MvtValues;
  /** Index of a value in the tile plus 1; 0 or undefined if it is not in the tile yet. Keys: ids of `MvtValues`. */
  readonly #indexes: { get(id: number): number | undefined; set(id: number, index: number): unknown };
  #valueCount = 0;
  readonly #valueBytes = new Writer();
  readonly #message = new Writer();
  readonly #packed = new Writer();
  count = 0;

  /** `most`: maximum number of features. */
  constructor(name: string, { values, columns }: MvtTable, most: number) {
    this.#columns = columns;
    this.#values = values;
    const count = values.starts.length - 1;
    this.#indexes = count <= most * columns.length * SPARSE ? indexArray(count) : new Map();
    this.#layer.number(15, 2);
    this.#layer.text(1, name);
  }

  add(feature: MvtFeature): void {
    const [message, packed] = [this.#message, this.#packed];
    this.count += 1;
    message.clear();
    message.number(1, feature.id);
    packed.clear();
    this.#writeTags(feature.row);
    message.data(2, packed.bytes);
    message.number(3, MVT_TYPES[feature.type]);
    packed.clear();
    writeGeometry(packed, feature);
    message.data(4, packed.bytes);
    this.#layer.data(2, message.bytes);
  }

  #writeTags(row: number): void {
    const { ids, bytes, starts } = this.#values;
    const count = this.#columns.length;
    for (let column = 0; column < count; column += 1) {
      const id = ids[row * count + column]!;
      if (id < 0) continue;
      let index = this.#indexes.get(id) ?? 0;
      if (index === 0) {
        this.#valueBytes.part(bytes, starts[id]!, starts[id + 1]!);
        index = this.#valueCount += 1;
        this.#indexes.set(id, index);
      }
      this.#packed.varint(column);
      this.#packed.varint(index - 1);
    }
  }

  /** Ends the layer and returns the tile. */
  end(): Uint8Array {
    for (const column of this.#columns) this.#layer.text(3, column.name);
    const tile = new Writer();
    const end = new Writer();
    end.number(5, EXTENT);
    tile.data(3, Buffer.concat([this.#layer.bytes, this.#valueBytes.bytes, end.bytes]));
    return tile.bytes;
  }
}

/** Ratio of table values to tile values up to which an array of indexes is faster than a map. */
const SPARSE = 4;

function indexArray(count: number) {
  const indexes = new Int32Array(count);
  return { get: (id: number) => indexes[id], set: (id: number, index: number) => (indexes[id] = index) };
}

/** Columns of a table, and its encoded values. */
export interface MvtTable {
  readonly columns: readonly MapColumn[];
  readonly values: MvtValues;
}

/** Values of a table, encoded once for all its tiles. */
export interface MvtValues {
  /** Number of the value (index in `starts`) by feature and column, row-major; -1 if missing. */
  readonly ids: Int32Array;
  /**
   * Different values as fields of a layer. `starts`: position of each value in `bytes`, then the end of the last value.
   */
  readonly bytes: Uint8Array;
  readonly starts: Int32Array;
}

/** Encodes the values of a table. */
export async function mvtValues(
  { features, columns }: Pick<FeatureTable, 'features' | 'columns'>,
  turn: Turn,
): Promise<MvtValues> {
  const ids = new Int32Array(features.length * columns.length).fill(-1);
  const written: WrittenValues = { values: new Map(), starts: [], valueBytes: new Writer(), one: new Writer() };
  let at = 0;
  for (const { properties } of features) {
    if (turn.isOver()) await turn.next();
    for (const { name, type } of columns) {
      const value = Object.hasOwn(properties, name) ? properties[name] : undefined;
      if (value !== undefined && value !== null) ids[at] = valueIndex(value, type, written);
      at += 1;
    }
  }
  const { starts, valueBytes } = written;
  return { ids, bytes: valueBytes.bytes, starts: Int32Array.from([...starts, valueBytes.bytes.length]) };
}

interface WrittenValues {
  /** Number of each written value; the type is part of the key. */
  readonly values: Map<string | number, number>;
  readonly starts: number[];
  /** Written values, as fields of the layer. */
  readonly valueBytes: Writer;
  readonly one: Writer;
}

/**
 * Returns the number of a value, and writes a new value. Whole numbers of integer columns are written as integers,
 * numbers of string columns as texts, other numbers as doubles.
 */
function valueIndex(
  value: unknown,
  type: MapColumn['type'],
  { values, starts, valueBytes, one }: WrittenValues,
): number {
  const isInteger = type === 'integer' && Number.isSafeInteger(value);
  const isNumber = typeof value === 'number' && type !== 'string';
  const written = isNumber || (type === 'boolean' && typeof value === 'boolean') ? value : cellText(value);
  const key = keyOf(written, isInteger);
  const known = values.get(key);
  if (known !== undefined) return known;
  one.clear();
  if (typeof written === 'string') one.text(1, written);
  else if (typeof written === 'boolean') one.number(7, written ? 1 : 0);
  else if (!isInteger) one.double(3, written);
  else if (written >= 0) one.number(5, written);
  else one.number(6, -2 * written - 1);
  starts.push(valueBytes.bytes.length);
  valueBytes.data(4, one.bytes);
  values.set(key, values.size);
  return values.size - 1;
}

/** Key of a value in `values`. Doubles are numbers; other keys are texts that begin with a letter for the type. */
function keyOf(value: string | number | boolean, isInteger: boolean): string | number {
  if (typeof value === 'number') return isInteger ? `i${value}` : value;
  return typeof value === 'string' ? `s${value}` : `b${value}`;
}

const MOVE = 1;
const LINE = 2;
const CLOSE = 7;

function writeGeometry(packed: Writer, { type, parts }: MvtFeature): void {
  let [x, y] = [0, 0];
  const to = (part: ArrayLike<number>, at: number): void => {
    const [dx, dy] = [part[at]! - x, part[at + 1]! - y];
    packed.varint(dx >= 0 ? dx * 2 : -2 * dx - 1);
    packed.varint(dy >= 0 ? dy * 2 : -2 * dy - 1);
    x += dx;
    y += dy;
  };
  for (const part of parts) {
    const count = part.length / 2;
    const moves = type === 'point' ? count : 1;
    packed.varint(moves * 8 + MOVE);
    for (let at = 0; at < 2 * moves; at += 2) to(part, at);
    if (type === 'point') continue;
    packed.varint((count - 1) * 8 + LINE);
    for (let at = 2; at < part.length; at += 2) to(part, at);
    if (type === 'polygon') packed.varint(8 + CLOSE);
  }
}
