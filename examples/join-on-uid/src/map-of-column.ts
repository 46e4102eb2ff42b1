import type { FeatureCollection } from 'geojson';
import { choropleth, type Shape } from './choropleth.ts';

/** Where to ask, with which key, and what to draw; `tehsil` left out: the first that is active. */
export interface MapWish {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly tehsil?: string | undefined;
  readonly sheet: string;
  readonly column: string;
}

type States = { label: string; district: { label: string; blocks: { label: string }[] }[] }[];
type Sheets = Record<string, Record<string, unknown>[]>;

/** The recommended flow: list places, fetch boundaries, fetch tables, join on `uid`. Returns an SVG; throws with what the service said. */
export async function mapOfColumn({ baseUrl, apiKey, tehsil, sheet, column }: MapWish): Promise<string> {
  const ask = async <T>(route: string, query: Record<string, string> = {}): Promise<T> => {
    const url = `${baseUrl}/api/v1/${route}/?${new URLSearchParams(query).toString()}`;
    // A redirect would take the key to another address.
    const answer = await fetch(url, { headers: { 'X-API-Key': apiKey }, redirect: 'error' });
    if (!answer.ok) throw new Error(`${route}: ${answer.status} ${await refusal(answer)}`);
    return (await answer.json()) as T;
  };
  const states = await ask<States>('get_active_locations');
  const places = states.flatMap(({ label: state, district: districts }) =>
    districts.flatMap(({ label: district, blocks }) => blocks.map(({ label }) => ({ state, district, tehsil: label }))),
  );
  const wanted = places.find((place) => tehsil === undefined || place.tehsil === tehsil);
  const active = places.map((place) => place.tehsil);
  const place = found(wanted, `${tehsil ?? 'any tehsil'}: not active`, active);
  const { features } = await ask<FeatureCollection<Shape['geometry'], { uid: string }>>('get_mws_geometries', place);
  const sheets = await ask<Sheets>('get_tehsil_data', place);
  const rows = found(sheets[sheet], `${sheet}: no such sheet of ${place.tehsil}`, Object.keys(sheets));
  const columns = Object.keys(rows[0] ?? {});
  found(
    columns.find((each) => each === column),
    `${column}: no such column in ${sheet} of ${place.tehsil}`,
    columns,
  );
  const byUid = new Map(rows.map((row) => [row['uid'], row[column]]));
  const shapes = features.map(({ geometry, properties: { uid } }) => ({ uid, geometry, value: byUid.get(uid) }));
  return choropleth(`${place.tehsil}: ${sheet}.${column}`, shapes);
}

/** What was looked for; where it is not there, throws with what there is. */
function found<T>(value: T | undefined, problem: string, known: readonly string[]): T {
  if (value === undefined) throw new Error(`${problem}; there are: ${known.join(', ') || 'none'}`);
  return value;
}

/** The service's own sentences about a request that it refused. */
async function refusal(answer: Response): Promise<string> {
  const said = (await answer.json().catch(() => ({}))) as Partial<Record<'error' | 'details' | 'detail', string>>;
  const sentences = [said.error, said.details ?? said.detail].filter((each) => each !== undefined).join(': ');
  const remedy = ' Set PUBLIC_API_X_API_KEY to an active key; generate_api_key makes one.';
  return `${sentences || answer.statusText}${answer.status === 401 ? remedy : ''}`;
}
