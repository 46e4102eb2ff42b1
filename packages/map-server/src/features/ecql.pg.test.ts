import { execFileSync } from 'node:child_process';
import { cql2Sql } from '@headwater/cql2';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyFeature, anyFilter, COLUMNS, type Node, writeEcql } from './ecql.fixture.ts';
import { parseEcql } from './ecql.ts';
import { type FeatureFilter, predicateOf, testName } from './feature-filter.ts';

/** HEADWATER_FUZZ_SEED overrides the seed. */
const SEED = Number(process.env['HEADWATER_FUZZ_SEED'] ?? 20_261_128);
const address = process.env['HEADWATER_TEST_PG'] ?? '';
if (address === '')
  console.warn(
    'skipped: ECQL over PostgreSQL + PostGIS. HEADWATER_TEST_PG is not set; `npm run test:postgres` sets it',
  );

/** Distances are not compared, because PostGIS measures them on the spheroid. */
const hasDistance = (node: Node): boolean =>
  node.op === 'test' ? node.test.op === 'dwithin' : node.op !== 'leaf' && node.args.some(hasDistance);

const KINDS = { string: 'text', number: 'number', integer: 'number', boolean: 'boolean' } as const;
const TYPES = { string: 'text', number: 'float8', integer: 'float8', boolean: 'boolean' } as const;

const literal = (value: unknown): string => {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  return typeof value === 'string' ? `'${value.replaceAll("'", "''")}'` : 'null';
};
const shapeOf = (geometry: unknown): string =>
  `st_setsrid(st_geomfromgeojson(${literal(JSON.stringify(geometry))}), 4326)`;

const sqlOf = ({ tree, tests }: FeatureFilter): string =>
  cql2Sql(tree, {
    param: literal,
    queryable: (name) => {
      const spatial = tests.find((_, at) => testName(at) === name);
      if (spatial !== undefined)
        return { sql: `st_${spatial.op}(geom, ${shapeOf(spatial.geometry)})`, kind: 'boolean' };
      if (name === 'geometry') return { sql: 'geom', kind: 'geometry' };
      const at = COLUMNS.findIndex((column) => column.name === name);
      const column = COLUMNS[at];
      return column && { sql: `c${at}`, kind: KINDS[column.type] };
    },
  });

test.skipIf(address === '')(`filters in ECQL select the same features in memory and in PostGIS, seed ${SEED}`, () => {
  const features = fc.sample(anyFeature, { seed: SEED, numRuns: 80 });
  const texts = fc
    .sample(anyFilter, { seed: SEED, numRuns: 900 })
    .filter((node) => !hasDistance(node))
    .map((node) => writeEcql(node, 'geom'))
    .filter((text) => text.length <= 2048);
  const parameter = 'cql_filter';
  const context = { columns: COLUMNS, geometryName: 'geom', crs: { srs: 'EPSG:4326', axis: 'xy' }, parameter } as const;
  const filters = texts.map((text) => parseEcql(text, context));
  const ours = filters.map((filter) => {
    const isWanted = predicateOf(filter, parameter);
    return features.flatMap((feature, id) => (isWanted(feature) ? [id] : [])).join(',');
  });

  const columns = COLUMNS.map(({ type }, at) => `c${at} ${TYPES[type]}`).join(', ');
  const rows = features.map(({ geometry, properties }, id) => {
    const values = COLUMNS.map(({ name }) => literal(properties[name]));
    return `insert into ecql_rows values (${[id, geometry === null ? 'null' : shapeOf(geometry), ...values].join(', ')});`;
  });
  const script = [
    'create extension if not exists postgis;',
    `create temp table ecql_rows (id int primary key, geom geometry(Geometry, 4326), ${columns});`,
    ...rows,
    ...filters.map(
      (filter) =>
        `select '>' || coalesce(string_agg(id::text, ',' order by id), '') from ecql_rows where ${sqlOf(filter)};`,
    ),
  ];
  const options = { input: script.join('\n'), encoding: 'utf8', maxBuffer: 2 ** 26 } as const;
  const out = execFileSync('psql', [address, '-qAtX', '-v', 'ON_ERROR_STOP=1'], options);
  const theirs = out
    .split('\n')
    .filter((line) => line.startsWith('>'))
    .map((line) => line.slice(1));
  const differing = texts.flatMap((text, at) => (theirs[at] === ours[at] ? [] : [[text, ours[at], theirs[at]]]));
  expect(differing).toEqual([]);
  expect(theirs).toHaveLength(texts.length);
  expect(new Set(ours).size).toBeGreaterThan(100);
});
