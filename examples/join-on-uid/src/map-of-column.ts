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
    if (!answer.ok) throw new Error(`${route}: ${refusal(answer.status, await answer.text())}`);
    return (await answer.json()) as T;
  };
  const states = await ask<States>('get_active_locations');
  const places = states.flatMap(({ label: state, district: districts }) =>
    districts.flatMap(({ label: district, blocks }) =>
      blocks.map((block) => ({ state, district, tehsil: block.label })),
    ),
  );
  const place = places.find((each) => tehsil === undefined || each.tehsil === tehsil);
  if (place === undefined)
    throw new Error(`${tehsil ?? 'any tehsil'}: not active; ${names(places.map((each) => each.tehsil))}`);
  const { features } = await ask<FeatureCollection<Shape['geometry'], { uid: string }>>('get_mws_geometries', place);
  const sheets = await ask<Sheets>('get_tehsil_data', place);
  const rows = sheets[sheet];
  const others = places.flatMap((each) => (each.tehsil === place.tehsil ? [] : [each.tehsil]));
  const elsewhere = others.length === 0 ? '' : `. Other tehsils, for --tehsil: ${others.join(', ')}`;
  if (rows === undefined)
    throw new Error(`${sheet}: no such sheet of ${place.tehsil}; ${names(Object.keys(sheets))}${elsewhere}`);
  if (!rows.some((row) => column in row))
    throw new Error(`${column}: no such column in ${sheet} of ${place.tehsil}; ${names(Object.keys(rows[0] ?? {}))}`);
  const byUid = new Map(rows.map((row) => [row['uid'], row[column]]));
  const shapes = features.map(({ geometry, properties: { uid } }) => ({ uid, geometry, value: byUid.get(uid) }));
  return choropleth(`${place.tehsil}: ${sheet}.${column}`, shapes);
}

const names = (known: readonly string[]): string => `there are: ${known.join(', ') || 'none'}`;

/** What the service says about a request that it refused: its sentences, where it gave any. */
function refusal(status: number, body: string): string {
  const said = sentencesOf(body);
  const remedy = status === 401 ? ' Set PUBLIC_API_X_API_KEY to an active key; generate_api_key makes one.' : '';
  return `${status} ${said.length === 0 ? body : said.join(': ')}${remedy}`;
}

function sentencesOf(body: string): readonly string[] {
  try {
    const said: unknown = JSON.parse(body);
    const members = typeof said === 'object' && said !== null ? Object.entries(said) : [];
    return members.flatMap(([name, text]) =>
      /^(error|details?)$/.test(name) && typeof text === 'string' ? [text] : [],
    );
  } catch {
    return [];
  }
}
