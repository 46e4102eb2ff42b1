import type { Cql2Expression, Cql2Geometry, Cql2Scalar } from '@headwater/cql2';
import fc, { type Arbitrary } from 'fast-check';
import type { MapColumn } from '@headwater/core/ports';
import type { MapFeature } from './feature-table.ts';
import type { FeatureFilter } from './feature-filter.ts';
import type { SpatialTest } from './spatial-tests.ts';

/** Columns of generated filters. Some names need double quotes in ECQL. */
export const COLUMNS: readonly MapColumn[] = [
  { name: 'uid', type: 'string' },
  { name: 'area', type: 'number' },
  { name: '2021-07-01', type: 'integer' },
  { name: 'is "wet"', type: 'boolean' },
];

const TEXTS = ['', "it's", '12_1', '12_2', 'İstanbul', 'a%b', 'a_b', '\\', 'तहसील', 'DROP TABLE'] as const;
const PATTERNS = ['%', '12\\_%', '_2%', "%'%", 'A%', 'तह%'] as const;
const NUMBERS = [0, -1, 1.5, 7, 1e6, -2.25e-3] as const;

const valueOf = ({ type }: MapColumn): Arbitrary<string | number | boolean> => {
  if (type === 'string') return fc.constantFrom(...TEXTS);
  return type === 'boolean' ? fc.boolean() : fc.constantFrom(...NUMBERS);
};

/** A node of a generated filter. `test` is WITHIN, CONTAINS or DWITHIN, which `parseEcql` returns separately. */
export type Node =
  | { readonly op: 'and' | 'or'; readonly args: readonly Node[] }
  | { readonly op: 'not'; readonly args: readonly [Node] }
  | { readonly op: 'leaf'; readonly tree: Cql2Expression }
  | { readonly op: 'test'; readonly test: SpatialTest };

const coordinate = fc.integer({ min: -8, max: 8 });
const point = fc.tuple(coordinate, coordinate).map(([x, y]) => ({ type: 'Point' as const, coordinates: [x, y] }));
const square = fc
  .tuple(coordinate, coordinate, fc.integer({ min: 1, max: 6 }))
  .map(([x, y, size]) => ({ type: 'Polygon' as const, coordinates: [ringOf(x, y, size)] }));

/** A square ring. */
export const ringOf = (x: number, y: number, size: number): number[][] => [
  [x, y],
  [x + size, y],
  [x + size, y + size],
  [x, y + size],
  [x, y],
];
const shape: Arbitrary<Cql2Geometry> = fc.oneof(point, square);

const TEXT = { property: 'uid' };

const leaf: Arbitrary<Node> = fc
  .constantFrom(...COLUMNS)
  .chain((column) => {
    const property = { property: column.name };
    const value = valueOf(column);
    return fc.oneof(
      fc
        .constantFrom('=' as const, '<>' as const, '<' as const, '>' as const, '<=' as const, '>=' as const)
        .chain((op) => value.map((each): Cql2Expression => ({ op, args: [property, each] }))),
      fc.tuple(value, value).map(([low, high]): Cql2Expression => ({ op: 'between', args: [property, low, high] })),
      fc
        .array(value, { minLength: 1, maxLength: 3 })
        .map((list): Cql2Expression => ({ op: 'in', args: [property, list] })),
      fc.constant<Cql2Expression>({ op: 'isNull', args: [property] }),
      fc.constantFrom(...PATTERNS).map((pattern): Cql2Expression => ({ op: 'like', args: [TEXT, pattern] })),
      fc.constantFrom(...NUMBERS).map((number): Cql2Expression => ({ op: '<', args: [number, { property: 'area' }] })),
      fc.constant<Cql2Expression>({ op: '>=', args: [{ property: 'area' }, { property: '2021-07-01' }] }),
      fc.constantFrom(...PATTERNS).map((pattern): Cql2Expression => ({
        op: 'like',
        args: [
          { op: 'casei', args: [TEXT] },
          { op: 'casei', args: [pattern] },
        ],
      })),
      fc
        .tuple(fc.constantFrom('s_intersects' as const, 's_disjoint' as const), shape)
        .map(([op, geometry]): Cql2Expression => ({ op, args: [{ property: 'geometry' }, geometry] })),
      fc.tuple(coordinate, coordinate, coordinate, coordinate).map(([a, b, c, d]): Cql2Expression => ({
        op: 's_intersects',
        args: [{ property: 'geometry' }, { bbox: [Math.min(a, c), Math.min(b, d), Math.max(a, c), Math.max(b, d)] }],
      })),
    );
  })
  .map((tree) => ({ op: 'leaf', tree }));

const test: Arbitrary<Node> = fc
  .oneof(
    fc.record({ op: fc.constantFrom('within' as const, 'contains' as const), geometry: shape }),
    fc.record({ op: fc.constant('dwithin' as const), geometry: shape, metres: fc.constantFrom(0, 1000, 250_000) }),
  )
  .map((each) => ({ op: 'test', test: each }));

/** Filters of comparisons and spatial tests, nested with AND, OR and NOT. */
export const anyFilter: Arbitrary<Node> = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    { weight: 4, arbitrary: leaf },
    { weight: 2, arbitrary: test },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('not' as const), args: fc.tuple(tie('node')) }) },
    {
      weight: 2,
      arbitrary: fc.record({
        op: fc.constantFrom('and' as const, 'or' as const),
        args: fc.array(tie('node'), { minLength: 2, maxLength: 3 }),
      }),
    },
  ),
})).node;

/** Features with the columns `COLUMNS`; values and geometries may be null. */
export const anyFeature: Arbitrary<MapFeature> = fc
  .record({
    geometry: fc.option(fc.oneof(point, square)),
    values: fc.tuple(...COLUMNS.map((column) => fc.option(valueOf(column)))),
  })
  .map(({ geometry, values }) => ({
    id: 'layer.1',
    geometry,
    box: geometry === null ? null : boxOf(geometry),
    properties: Object.fromEntries(COLUMNS.map(({ name }, at) => [name, values[at]])),
  }));

function boxOf({ type, coordinates }: { readonly type: string; readonly coordinates: unknown }): MapFeature['box'] {
  const all = (type === 'Point' ? [coordinates] : (coordinates as readonly unknown[])[0]) as readonly number[][];
  const [xs, ys] = [all.map(([x = 0]) => x), all.map(([, y = 0]) => y)];
  return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
}

/** The filter as `parseEcql` returns it, with the spatial tests in the order of the text. */
export function filterOf(node: Node, testName: (index: number) => string): FeatureFilter {
  const tests: SpatialTest[] = [];
  const treeOf = (each: Node): Cql2Expression => {
    if (each.op === 'leaf') return each.tree;
    if (each.op === 'test') return { op: '=', args: [{ property: testName(tests.push(each.test) - 1) }, true] };
    if (each.op === 'not') return { op: 'not', args: [treeOf(each.args[0])] };
    return { op: each.op, args: each.args.map(treeOf) };
  };
  return { tree: treeOf(node), tests };
}

const NAME = (name: string): string => (/^[a-z]+$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`);

/** Writes a filter as ECQL, longitude first. */
export function writeEcql(node: Node, geometryName: string): string {
  if (node.op === 'leaf') return writeLeaf(node.tree, geometryName);
  if (node.op === 'test') return writeTest(node.test, geometryName);
  if (node.op === 'not') return `NOT (${writeEcql(node.args[0], geometryName)})`;
  return node.args.map((each) => `(${writeEcql(each, geometryName)})`).join(` ${node.op.toUpperCase()} `);
}

function writeTest(each: SpatialTest, geometryName: string): string {
  const distance = each.op === 'dwithin' ? `, ${each.metres}, meters` : '';
  return `${each.op.toUpperCase()}(${geometryName}, ${wkt(each.geometry)}${distance})`;
}

function wkt(geometry: Cql2Geometry): string {
  if (geometry.type === 'Point') return `SRID=4326;POINT(${geometry.coordinates.join(' ')})`;
  if (geometry.type !== 'Polygon') throw new Error('fixture: only points and polygons are generated');
  const rings = geometry.coordinates.map((ring) => `(${ring.map((position) => position.join(' ')).join(', ')})`);
  return `SRID=4326;POLYGON (${rings.join(', ')})`;
}

function writeLeaf(tree: Cql2Expression, geometryName: string): string {
  if (typeof tree === 'boolean') return tree ? 'INCLUDE' : 'EXCLUDE';
  const { op, args } = tree;
  const [first, ...rest] = args as readonly unknown[];
  if (op === 's_intersects' || op === 's_disjoint') {
    const other = rest[0] as Cql2Geometry | { readonly bbox: readonly number[] };
    if ('bbox' in other) return `BBOX(${geometryName}, ${other.bbox.join(',')}, 'EPSG:4326')`;
    return `${op === 's_disjoint' ? 'DISJOINT' : 'INTERSECTS'}(${geometryName}, ${wkt(other)})`;
  }
  const property = first as Cql2Scalar;
  if (op === 'in') return `${write(property)} IN (${(rest[0] as readonly Cql2Scalar[]).map(write).join(',')})`;
  if (op === 'isNull') return `${write(property)} IS NULL`;
  if (op === 'like') {
    const isFolded = typeof first === 'object' && first !== null && 'op' in first;
    const [column, pattern] = [first, rest[0]].map((value) =>
      isFolded ? (value as { args: readonly [Cql2Scalar] }).args[0] : (value as Cql2Scalar),
    );
    return `${write(column ?? '')} ${isFolded ? 'iLike' : 'LIKE'} ${write(pattern ?? '')}`;
  }
  const written = rest.map((each) => write(each as Cql2Scalar));
  return op === 'between'
    ? `${write(property)} BETWEEN ${written.join(' AND ')}`
    : `${write(property)}${op}${written.join('')}`;
}

function write(value: Cql2Scalar): string {
  if (typeof value === 'string') return `'${value.replaceAll("'", "''")}'`;
  if (typeof value !== 'object') return String(value);
  if ('property' in value) return NAME(value.property);
  throw new Error('fixture: only columns and values are generated');
}
