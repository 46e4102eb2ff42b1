import { messageOf } from '@headwater/core';
import { isObject } from '@headwater/core/values';
import { boxOf, multiCoordinates, type Outline } from '@headwater/core/geo';
import { z } from 'zod';
import { type CommandSyntax, usageOf } from '../command.ts';
import { ConfigError, type Config } from '../config/read-config.ts';
import { readArguments } from '../read-arguments.ts';

/** Syntax of `headwater smoke-test`. */
export const SMOKE_TEST: CommandSyntax = {
  name: 'smoke-test',
  options: ['[--url ADDRESS] [--state S --district D --tehsil T]'],
};

/** Lines of `headwater smoke-test --help` after its usage. */
export const SMOKE_TEST_DETAILS: readonly string[] = [
  'Reads the ten routes of public data of a running service with the API key in PUBLIC_API_X_API_KEY, and writes nothing.',
  'Prints a line for each route: status, milliseconds, path. A line of a failed route also has the reason.',
  '--url ADDRESS                      address of the service; default: PUBLIC_BASE_URL, or http://localhost:BACKEND_PORT',
  '--state S --district D --tehsil T  an active tehsil; default: the first active one',
  'Exit code 1: a route was not read, or did not answer with the status 200 and JSON. Example:',
  '  npx headwater smoke-test --url http://localhost:8000',
];

const TIMEOUT_MS = 30_000;

const LONGEST_REASON = 300;

type Names = Readonly<Record<'state' | 'district' | 'tehsil', string>>;

/** Parameters of a smoke test. */
export interface SmokeTest {
  readonly baseUrl: string;
  readonly apiKey: string;
  /** Tehsil to read; undefined: the first active tehsil. */
  readonly place: Names | undefined;
  readonly fetch: (request: Request) => Promise<Response>;
  readonly print: (line: string) => void;
}

const Locations = z.array(
  z.object({
    label: z.string(),
    district: z.array(z.object({ label: z.string(), blocks: z.array(z.object({ label: z.string() })) })),
  }),
);
const Areas = z.object({
  features: z.array(
    z.object({
      properties: z.object({ uid: z.string() }),
      geometry: z.custom<Outline>(
        (value) => isObject(value) && (value['type'] === 'Polygon' || value['type'] === 'MultiPolygon'),
      ),
    }),
  ),
});

const Failure = z
  .string()
  .transform(jsonOf)
  .pipe(z.object({ error: z.string().optional(), detail: z.string().optional() }));

/** Reads the ten routes of public data. Returns true if every route was read and sent JSON with the status 200. */
export async function smokeTest(test: SmokeTest): Promise<boolean> {
  let [count, answered] = [0, 0];
  const read = async (route: string, query: Readonly<Record<string, string>> = {}): Promise<unknown> => {
    const body = await readRoute(test, `${route}/`, new URLSearchParams(query));
    count += 1;
    if (body !== undefined) answered += 1;
    return body;
  };
  const locations = await read('get_active_locations');
  const of = test.place ?? firstPlace(locations);
  if (of === undefined) {
    const why =
      locations === undefined
        ? 'the list of active locations could not be read'
        : 'no place is active; import or activate a place';
    test.print(`the other nine routes were not read, because ${why}`);
    return false;
  }
  const areas = Areas.safeParse(await read('get_mws_geometries', of));
  const chosen = areas.success ? middleArea(areas.data.features) : undefined;
  await read('get_village_geometries', of);
  await read('get_generated_layer_urls', of);
  await read('get_tehsil_data', of);
  if (chosen === undefined) {
    test.print(
      `get_mws_geometries returned no micro-watershed of ${of.tehsil}, so five routes were not read; if its status is 200, import the micro-watersheds, or name another tehsil`,
    );
    return false;
  }
  const [longitude, latitude] = pointInside(chosen.geometry);
  const point = { latitude: String(latitude), longitude: String(longitude) };
  await read('get_admin_details_by_latlon', point);
  await read('get_mwsid_by_latlon', point);
  for (const route of ['get_mws_data', 'get_mws_kyl_indicators', 'get_mws_report'])
    await read(route, { ...of, mws_id: chosen.uid });
  test.print(`${answered} of ${count} routes of ${test.baseUrl} answered with the status 200`);
  return answered === count;
}

async function readRoute(test: SmokeTest, route: string, query: URLSearchParams): Promise<unknown> {
  const path = `/api/v1/${route}${query.size === 0 ? '' : `?${query.toString()}`}`;
  const from = performance.now();
  const line = (status: number | string, reason: string): void =>
    test.print(`${status} ${String(Math.round(performance.now() - from)).padStart(6)} ms  ${path}${reason}`);
  try {
    const headers = { 'X-API-Key': test.apiKey, accept: 'application/json' };
    const answer = await test.fetch(
      new Request(test.baseUrl + path, { headers, signal: AbortSignal.timeout(TIMEOUT_MS) }),
    );
    const text = await answer.text();
    const body = answer.status === 200 ? jsonOf(text) : undefined;
    const problem = answer.status === 200 ? 'the response is not JSON: ' : '';
    line(answer.status, body === undefined ? `  ${problem}${reasonOf(text)}` : '');
    return body;
  } catch (error) {
    const cause = error instanceof Error && error.cause !== undefined ? error.cause : error;
    line('---', `  no answer: ${messageOf(cause)}`);
    return undefined;
  }
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the reason in an error of the service, or the beginning of any other response. */
function reasonOf(text: string): string {
  const { error, detail } = Failure.safeParse(text).data ?? {};
  return (error ?? detail ?? text).slice(0, LONGEST_REASON);
}

function firstPlace(body: unknown): Names | undefined {
  const read = Locations.safeParse(body);
  if (!read.success) return undefined;
  for (const state of read.data)
    for (const district of state.district)
      for (const { label } of district.blocks) return { state: state.label, district: district.label, tehsil: label };
  return undefined;
}

interface Area {
  readonly uid: string;
  readonly geometry: Outline;
}

/** Area nearest to the middle of all areas, because an area at the border may be partly in another tehsil. */
function middleArea(features: z.infer<typeof Areas>['features']): Area | undefined {
  const areas = features.map(({ properties: { uid }, geometry }) => ({ uid, geometry }));
  if (areas.length === 0) return undefined;
  const [west, south, east, north] = boxOf(areas.map(({ geometry }) => geometry));
  const [x, y] = [(west + east) / 2, (south + north) / 2];
  const distance = ({ geometry }: Area): number => {
    const box = boxOf([geometry]);
    return Math.hypot((box[0] + box[2]) / 2 - x, (box[1] + box[3]) / 2 - y);
  };
  return areas.reduce((best, area) => (distance(area) < distance(best) ? area : best));
}

/** Point (lon/lat) inside an area, at the middle latitude of its first polygon. */
export function pointInside(geometry: Outline): readonly [number, number] {
  const rings = multiCoordinates([geometry])[0] ?? [];
  const latitudes = (rings[0] ?? []).map(([, latitude = 0]) => latitude);
  const middle = (Math.min(...latitudes) + Math.max(...latitudes)) / 2;
  const crossings = rings.flatMap((ring) =>
    ring.flatMap(([ax = 0, ay = 0], i) => {
      const [bx = 0, by = 0] = ring[(i + 1) % ring.length] ?? [];
      return ay <= middle === by <= middle ? [] : [ax + ((middle - ay) / (by - ay)) * (bx - ax)];
    }),
  );
  const [first = 0, second = 0] = crossings.toSorted((a, b) => a - b);
  return [(first + second) / 2, middle];
}

const OPTIONS = {
  url: { type: 'string' },
  state: { type: 'string' },
  district: { type: 'string' },
  tehsil: { type: 'string' },
} as const;

/** Runs `headwater smoke-test`. Throws `ConfigError` if PUBLIC_API_X_API_KEY is not set. */
export async function smokeTestCommand(config: Config, args: readonly string[]): Promise<void> {
  const usage = usageOf(SMOKE_TEST);
  const { url = config.baseUrl, state, district, tehsil } = readArguments({ args, options: OPTIONS }, usage).values;
  if (!/^https?:$/.test(URL.canParse(url) ? new URL(url).protocol : ''))
    throw new ConfigError(`--url: ${JSON.stringify(url)} is not an address such as http://localhost:8000.`);
  const baseUrl = url.replace(/\/+$/, '');
  const { publicApiKey: apiKey } = config;
  if (apiKey === undefined)
    throw new ConfigError(
      `PUBLIC_API_X_API_KEY: is not set; sign in at ${baseUrl}/login/, create an API key on the dashboard, and set the variable to the key in the environment or in .env.`,
    );
  const names = [state, district, tehsil].filter((name) => name !== undefined);
  if (names.length % 3 !== 0) throw new ConfigError(`--state, --district, --tehsil: are needed together.\n${usage}`);
  const place =
    state === undefined || district === undefined || tehsil === undefined ? undefined : { state, district, tehsil };
  const print = (line: string): void => void process.stdout.write(`${line}\n`);
  if (!(await smokeTest({ baseUrl, apiKey, place, fetch: (request) => fetch(request), print }))) process.exitCode = 1;
}
