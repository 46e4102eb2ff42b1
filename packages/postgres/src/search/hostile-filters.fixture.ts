/** Returns SQL that inserts Items with descriptions of 400 accented characters, for which case folding is slowest. */
export const hostileItems = (count: number): string => `
  insert into headwater.collection_names (id, path) values ('a_b_c', 'a/b/c');
  insert into headwater.items (collection_path, id, version, run_id, position, content, geometry, start_datetime, end_datetime)
  select 'a/b/c', 'item ' || n, 1, 'r', 0,
    json_build_object('type', 'Feature', 'stac_version', '1.1.0', 'id', 'item ' || n, 'links', '[]'::json, 'assets', '{}'::json,
      'geometry', ST_AsGeoJSON(ST_MakeEnvelope(70, 10, 71, 11, 4326))::json,
      'properties', json_build_object('title', 'Land cover of tehsil ' || n, 'gsd', n % 7, 'created', '2024-01-01T00:00:00Z',
        'description', repeat('Süßes Wasser ' || n || ', ', 25)))::text,
    ST_MakeEnvelope(70, 10, 71, 11, 4326), timestamptz '2015-01-01Z' + n * interval '1 hour', timestamptz '2016-01-01Z' + n * interval '1 hour'
  from generate_series(1, ${count}) as n;
  analyze headwater.items;`;

const repeated = (count: number, each: (at: number) => string, join = ' OR '): string =>
  Array.from({ length: count }, (_, at) => each(at)).join(join);
const nested = (levels: number, open: string, inner: string): string =>
  `${open.repeat(levels)}${inner}${')'.repeat(open.split('(').length * levels - levels)}`;
/** Self-intersecting star in and around the Items. */
const star = (corners: number): string => {
  const corner = (at: number): string => {
    const angle = (4 * Math.PI * at) / corners;
    return `${70.5 + 0.6 * Math.cos(angle)} ${10.5 + 0.6 * Math.sin(angle)}`;
  };
  return `POLYGON((${repeated(corners, corner, ', ')}, ${corner(0)}))`;
};

const points = (west: number): string =>
  `MULTIPOINT(${repeated(4900, (at) => `${(west + at / 4900).toFixed(5)} ${10 + (at % 2)}`, ', ')})`;

/**
 * Filters of almost 500 nodes or 100 costly operators that match no Item. Each of the first four takes 60 s or more for
 * 300 Items in one statement.
 */
export const HOSTILE_FILTERS: Readonly<Record<string, string>> = {
  folds: repeated(33, (at) => `CASEI(ACCENTI(description)) LIKE '%_${at}%x%y%z%'`),
  'folds with lists': repeated(98, (at) => `CASEI(description) IN ('${at}', 'x')`),
  'folds and patterns': repeated(50, (at) => `CASEI(description) LIKE '%_${at}%x%y%z%'`),
  'nested folds': repeated(2, () => `${nested(25, 'CASEI(ACCENTI(', 'description')} = 'x'`),
  patterns: repeated(100, (at) => `description LIKE '%_${at}%x%y%z%'`),
  'names in a list': `title IN (${repeated(497, (at) => `p${at}`, ', ')})`,
  'names compared': repeated(166, (at) => `title = p${at}`),
  'names between names': repeated(120, (at) => `a${at} BETWEEN b${at} AND c${at}`),
  'nested sums': repeated(4, (at) => `${nested(60, '(gsd + ', 'gsd')} > ${at + 1}e9`),
  'sums in a list': `gsd + 1 IN (${repeated(160, (at) => `gsd + ${at + 100}`, ', ')})`,
  times: repeated(70, () => 'T_OVERLAPS(INTERVAL(created, created), INTERVAL(created, created))'),
  'times as texts': repeated(230, () => `created = '2023-01-01T00:00:00Z'`),
  shapes: `${repeated(98, () => `S_INTERSECTS(geometry, ${star(61)})`, ' AND ')} AND gsd > 10`,
  'a large shape': `S_INTERSECTS(geometry, ${star(6001)}) AND gsd > 10`,
  'two literal shapes': `S_INTERSECTS(${points(70)}, ${points(70.00001)})`,
  'instants in a list': `created IN (${repeated(4900, (at) => `'2020-01-01T00:00:0${at % 10}Z'`, ',')})`,
  'numbers in lists': repeated(90, (at) => `gsd IN (${repeated(20, (each) => `${at}${each}7`, ',')})`),
};

/** Filter beyond the limit: 4,900 names of properties. */
export const TOO_LARGE = `x IN (${repeated(4900, (at) => `"p${at}"`, ',')})`;
