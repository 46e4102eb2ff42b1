import { parseArgs } from 'node:util';
import { createClient, isHeadwaterError } from '@headwater/client';
import type { MultiPolygon } from 'geojson';

type Area = { uid: string; rings: number[][][]; value: number };
const LEVELS = ['state', 'district', 'tehsil'] as const;
const KEYS = ['uid', 'mws_id', 'mws uid'];
const [NO_DATA, ...COLORS] = ['#cccccc', '#ffffcc', '#a1dab4', '#41b6c4', '#2c7fb8', '#253494'];

/** Joins the micro-watersheds of one tehsil with a column of a sheet, and returns a map of the column as SVG. */
async function mapOfColumn(apiKey: string): Promise<string> {
  const name = { type: 'string' } as const;
  const options = { state: name, district: name, tehsil: name, url: { ...name, default: 'http://localhost:8000' } };
  const { values, positionals } = parseArgs({ allowPositionals: true, options });
  const [sheet = '', column = '', ...extra] = positionals;
  check(column !== '' && extra.length === 0, 'usage: join-on-uid SHEET COLUMN (put names with spaces in quotes)');
  check(apiKey !== '', 'PUBLIC_API_X_API_KEY is empty; create a key with POST /api/v1/generate_api_key/');
  const client = createClient({ baseUrl: values.url, apiKey });

  const states = await client.get('/api/v1/get_active_locations/').catch((error: unknown) => {
    if (!isHeadwaterError(error) || error.code !== 'no_response') throw error;
    throw new Error(`${values.url} does not respond; set the address of the service with --url`);
  });
  const active = states.flatMap((state) =>
    state.district.flatMap((district) =>
      district.blocks.map(({ label }) => ({ state: state.label, district: district.label, tehsil: label })),
    ),
  );
  const matching = active.filter((each) => LEVELS.every((level) => each[level] === (values[level] ?? each[level])));
  const [place] = matching;
  const choices = (place ? matching : active).map((each) => Object.values(each).join(', ')).join('; ');
  check(
    place !== undefined && matching.length === 1,
    `${matching.length} active tehsils match; name one of: ${choices}`,
  );
  const params = { query: place };
  const { features } = await client.get('/api/v1/get_mws_geometries/', { params });
  const sheets = new Map(Object.entries(await client.get('/api/v1/get_tehsil_data/', { params })));

  const title = `${Object.values(place).join(', ')}: ${column} of ${sheet}`;
  const rows = sheets.get(sheet);
  check(rows !== undefined, `${title}: there is no such sheet; the sheets are ${[...sheets.keys()].join(', ')}`);
  const columns = new Set(rows.flatMap((row) => Object.keys(row)));
  check(columns.has(column), `${title}: there is no such column; the columns are ${[...columns].join(', ')}`);
  const key = KEYS.find((each) => columns.has(each)) ?? KEYS.join(' or ');
  const byUid = new Map(rows.map((row) => [row[key], row[column]]));
  const areas = features.map(({ geometry, properties }) => {
    const uid = String(properties['uid']);
    const [cell, rings] = [byUid.get(uid), (geometry as MultiPolygon).coordinates.flat()];
    return { uid, rings, value: typeof cell === 'number' ? Number(cell.toPrecision(4)) : NaN };
  });
  const isKnown = areas.some(({ value }) => !isNaN(value));
  check(
    isKnown,
    `${title}: no micro-watershed of the tehsil has a number (rows joined by ${key}); choose another column`,
  );
  return drawn(title, areas);
}

/** Draws the map as SVG. Its classes, at most five, have nearly equal numbers of distinct values. NaN means no data. */
function drawn(title: string, areas: Area[]): string {
  const known = [...new Set(areas.flatMap(({ value }) => (isNaN(value) ? [] : value)))].sort((a, b) => a - b);
  const colors = new Map(known.map((value, at) => [value, COLORS[Math.floor((at * COLORS.length) / known.length)]]));
  const classes = [...Map.groupBy(known, (value) => colors.get(value) ?? NO_DATA)].map(
    ([color, of]) => [color, [...new Set([of[0], of.at(-1)])].join(' to ')] as const,
  );
  const legend = areas.some(({ value }) => isNaN(value)) ? [...classes, [NO_DATA, 'no data']] : classes;
  const corners = areas.flatMap(({ rings }) => rings.flat());
  const most = (axis: number, sign: number): number =>
    sign * corners.reduce((far, corner) => Math.max(far, sign * (corner[axis] ?? 0)), -Infinity);
  const [west, east, south, north] = [most(0, -1), most(0, 1), most(1, -1), most(1, 1)];
  const narrowed = Math.cos(((south + north) * Math.PI) / 360);
  const scale = 600 / Math.max((east - west) * narrowed, north - south);
  const toPage = `scale(${scale * narrowed} ${-scale}) translate(${-west} ${-north})`;
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="-20 -40 880 660" font-family="sans-serif" font-size="14">
<title>${escaped(title)}</title><text y="-16">${escaped(title)}</text>
<g id="areas" transform="${toPage}" stroke="#333333" fill-rule="evenodd">
${areas.map(({ uid, rings, value }) => `<path data-uid="${escaped(uid)}" fill="${colors.get(value) ?? NO_DATA}" d="${rings.map((ring) => `M${ring.join('L')}Z`).join('')}" vector-effect="non-scaling-stroke"/>`).join('\n')}
</g>
<g id="legend">
${legend.map(([color, text], at) => `<rect x="620" y="${at * 24}" width="18" height="18" fill="${color}"/><text x="646" y="${at * 24 + 14}">${text}</text>`).join('\n')}
</g>
</svg>
`;
}

const escaped = (text: string): string => text.replace(/[&<"]/g, (each) => `&#${each.charCodeAt(0)};`);
function check(holds: boolean, problem: string): asserts holds {
  if (!holds) throw new Error(problem);
}

try {
  process.stdout.write(await mapOfColumn(process.env['PUBLIC_API_X_API_KEY']?.trim() ?? ''));
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
