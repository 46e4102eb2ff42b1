import { bboxOf, isObject, type GeometryLike, type JsonObject } from '@headwater/stac';
import { geojsonToWkb, type SchemaElement } from 'hyparquet-writer';
import { TreeError } from '../../errors.ts';
import { elementsOf, valueIn, type ColumnShape } from './column.ts';
import { isFinerThanMicros, isUtcTime } from './column.ts';
import { joinShapes, leavesOf, NONE, shapeOf, type Shape } from './shape.ts';

/** Columns that are stored as timestamps if all their values are UTC times. */
const TIMES = new Set([
  'datetime',
  'start_datetime',
  'end_datetime',
  'created',
  'updated',
  'expires',
  'published',
  'unpublished',
]);
const SIDES = { 4: ['xmin', 'ymin', 'xmax', 'ymax'], 6: ['xmin', 'ymin', 'zmin', 'xmax', 'ymax', 'zmax'] } as const;
/** Maximum number of columns. A hostile Item with millions of members would make a file that no reader can use. */
const MOST_LEAVES = 10_000;

/** ISO WKB adds this number to the type code of a geometry with heights. */
const WITH_HEIGHTS = 1000;

/** A column of the file. */
export interface TableColumn {
  readonly name: string;
  readonly shape: ColumnShape;
}

/** Collects the columns of a file, Item by Item. */
export class ItemTable {
  readonly geometryTypes = new Set<string>();
  /** Properties that are omitted, because the Item has a member of this name. */
  readonly leftOut = new Set<string>();
  readonly #shapes = new Map<string, Shape>(['type', 'stac_version', 'id'].map((name) => [name, { kind: 'text' }]));
  readonly #noTimes = new Set<string>();
  readonly #fineTimes = new Set<string>();
  readonly #sides = new Set<4 | 6>();

  /**
   * Adds the columns of an Item. Throws `TreeError` for an invalid geometry or bbox, or if there are too many columns.
   */
  addItem(item: JsonObject): void {
    const { geometry, bbox } = item;
    if (isObject(geometry)) this.geometryTypes.add(checkedType(geometry, item));
    if (Array.isArray(bbox)) this.#addBox(bbox, item);
    for (const [name, value] of this.#cells(item)) {
      const joined = joinShapes(this.#shapes.get(name) ?? NONE, shapeOf(value));
      this.#shapes.set(name, joined);
      if (TIMES.has(name) && value !== null) this.#addTime(name, value);
    }
    if (this.#shapes.size > MOST_LEAVES) throw tooMany(item);
  }

  /** The columns so far; `type`, `stac_version` and `id` are first. Throws `TreeError` if there are too many. */
  columns(): readonly TableColumn[] {
    const found = [...this.#shapes].map(([name, shape]): TableColumn => ({ name, shape: this.#stored(name, shape) }));
    const leaves = [...this.#shapes.values()].reduce((sum, shape) => sum + leavesOf(shape), 0);
    if (leaves > MOST_LEAVES) throw tooMany({});
    const members = new Map(this.#boxSides().map((side) => [side, { kind: 'number' } as const]));
    return [
      ...found,
      { name: 'geometry', shape: { kind: 'wkb' } },
      { name: 'bbox', shape: { kind: 'object', members } },
    ];
  }

  /** Columns or members that are JSON text. */
  textColumns(): readonly string[] {
    return [...this.#shapes].flatMap(([name, shape]) => textIn(name, shape));
  }

  /** Time columns that are text, because some values are not UTC times. */
  textTimes(): readonly string[] {
    return [...this.#noTimes].filter((name) => this.#shapes.get(name)?.kind === 'text');
  }

  /** Time columns with values that are cut to microseconds. */
  cutTimes(): readonly string[] {
    return [...this.#fineTimes].filter((name) => !this.#noTimes.has(name));
  }

  /** True if only some boxes have heights, so the heights of all boxes are omitted. */
  losesHeights(): boolean {
    return this.#sides.size > 1;
  }

  /** Values of an Item in the order of the columns. */
  row(item: JsonObject, columns: readonly TableColumn[]): readonly unknown[] {
    const cells = new Map(this.#cells(item));
    return columns.map(({ name, shape }) => {
      if (name === 'geometry')
        return isObject(item['geometry']) ? geojsonToWkb(asGeometry(item['geometry'])) : undefined;
      return name === 'bbox' ? this.#box(item['bbox']) : valueIn(shape, cells.get(name));
    });
  }

  #stored(name: string, shape: Shape): ColumnShape {
    if (TIMES.has(name) && !this.#noTimes.has(name)) return { kind: 'time' };
    return shape;
  }

  #cells(item: JsonObject): (readonly [string, unknown])[] {
    const { properties, geometry: _geometry, bbox: _bbox, ...own } = item;
    const below = Object.entries(isObject(properties) ? properties : {}).filter(([name]) => {
      const isFree = !Object.hasOwn(item, name) && name !== 'properties';
      if (!isFree) this.leftOut.add(name);
      return isFree;
    });
    return [...Object.entries(own), ...below];
  }

  #addTime(name: string, value: unknown): void {
    if (!isUtcTime(value)) this.#noTimes.add(name);
    else if (isFinerThanMicros(value)) this.#fineTimes.add(name);
  }

  #addBox(bbox: readonly unknown[], item: JsonObject): void {
    const sides = bbox.length === 6 ? 6 : 4;
    if (![4, 6].includes(bbox.length) || !bbox.every((side) => Number.isFinite(side)))
      throw new TreeError(
        `Item ${JSON.stringify(item['id'])}: its bbox is not 4 or 6 numbers; correct it, or leave it out`,
      );
    this.#sides.add(sides);
  }

  #boxSides(): readonly string[] {
    return SIDES[this.#sides.has(6) && !this.#sides.has(4) ? 6 : 4];
  }

  #box(bbox: unknown): object | undefined {
    if (!Array.isArray(bbox)) return undefined;
    const sides: readonly string[] = SIDES[bbox.length === 6 ? 6 : 4];
    return Object.fromEntries(this.#boxSides().map((side) => [side, bbox[sides.indexOf(side)] as unknown]));
  }
}

/** Schema of a file with these columns. */
export function schemaOf(columns: readonly TableColumn[]): SchemaElement[] {
  return [
    { name: 'schema', num_children: columns.length },
    ...columns.flatMap(({ name, shape }) => elementsOf(name, shape)),
  ];
}

type WkbGeometry = Parameters<typeof geojsonToWkb>[0];

const asGeometry = (geometry: JsonObject): WkbGeometry => geometry as WkbGeometry & JsonObject;

/** GeoParquet type name, with ` Z` for heights. Throws `TreeError` for invalid coordinates. */
function checkedType(geometry: JsonObject, { id }: JsonObject): string {
  try {
    bboxOf(geometry as GeometryLike & JsonObject);
    const wkb = geojsonToWkb(asGeometry(geometry));
    const code = new DataView(wkb.buffer, wkb.byteOffset).getUint32(1, true);
    return `${String(geometry['type'])}${code > WITH_HEIGHTS ? ' Z' : ''}`;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new TreeError(`Item ${JSON.stringify(id)}: its geometry cannot be stored: ${why}`);
  }
}

function tooMany({ id }: JsonObject): TreeError {
  const where = id === undefined ? 'the Items have' : `Item ${JSON.stringify(id)} brings the total to`;
  return new TreeError(
    `${where} more than ${String(MOST_LEAVES)} columns, too many for Parquet readers; export ndjson instead`,
  );
}

function textIn(name: string, shape: Shape): string[] {
  if (shape.kind === 'json' || (shape.kind === 'object' && shape.members.size === 0)) return [name];
  if (shape.kind === 'list') return textIn(name, shape.element);
  if (shape.kind !== 'object') return [];
  return [...shape.members].flatMap(([member, below]) => textIn(`${name}.${member}`, below));
}
