import { EXTENSIONS } from './extensions.ts';

/** All paths of a document, each as a list of keys. */
export function pathsOf(value: unknown, path: readonly string[] = []): readonly (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, child]) => pathsOf(child, [...path, key]))];
}

/** Copy with `value` at `path`; an undefined `value` removes the member. */
export function mutate(document: unknown, path: readonly string[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(document)) {
    const copy = document.map((child: unknown, index) => (String(index) === key ? mutate(child, rest, value) : child));
    return rest.length === 0 && value === undefined ? copy.filter((_, index) => String(index) !== key) : copy;
  }
  const object = { ...(document as Record<string, unknown>) };
  const changed = mutate(object[key], rest, value);
  if (changed === undefined) delete object[key];
  else object[key] = changed;
  return object;
}

/** Values that are invalid in most members of a document. */
export const JUNK: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1,
  1.5,
  1e9,
  '',
  ' ',
  'x',
  'a b',
  '/tmp/x',
  'http://',
  'https://a.b/c d',
  '2024-02-30T00:00:00Z',
  '2024-01-01',
  '2024-01-01T00:00:00+05:30',
  [],
  {},
  [null],
  ['', ''],
  [1],
  [1, 2],
  [1, 2, 3, 4, 5],
  [[1, 2]],
  [{}],
  { a: 1 },
  { type: 'GeometryCollection', geometries: [] },
  { type: 'Point', coordinates: [1, '2'] },
  ...Object.values(EXTENSIONS).map((url) => [url]),
];

/** Names of fields of STAC 1.1, older versions, extensions and JSON Schema, and some invalid names. */
export const FIELDS: readonly string[] = (
  'title description keywords roles bands created updated platform instruments gsd license providers data_type nodata statistics unit start_datetime proj:code proj:epsg proj:bbox proj:centroid proj:projjson proj:geometry ' +
  'file:byte_order file:values file:local_path file:header_size file:nonsense processing:expression processing:level processing:wrong classification:bitfields classification:classes classification:x raster:histogram ' +
  'raster:scale raster:bits_per_sample raster:bands table:columns table:tables table:row_count table:primary_geometry version deprecated stac_extensions alternate alternate:name method headers item_assets assets summaries href ' +
  'proj:shape proj:transform mlm:output processing:foo raster:sampling classification:foo minLength allOf enum type datum bbox ids'
).split(' ');

/** Pseudo-random numbers from 0 to 1 (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Step {
  readonly document: unknown;
  readonly path: readonly string[];
  readonly pick: <T>(all: readonly T[]) => T;
  /** Values of other valid documents, which a change may insert. */
  readonly donors: readonly unknown[];
}

const valueAt = (document: unknown, path: readonly string[]): unknown =>
  path.reduce<unknown>(
    (node, key) => (typeof node === 'object' && node !== null ? Reflect.get(node, key) : undefined),
    document,
  );

function tweakedText(text: string, pick: Step['pick']): string {
  const middle = Math.floor(text.length / 2);
  return pick([
    text.slice(0, middle),
    text.slice(0, middle) + text.slice(middle + 1),
    text.toUpperCase(),
    ` ${text}`,
    `${text}/`,
    text.replace(/Z$/, '+05:30'),
    text.replace(/^https?:/, ''),
    text.replace(/v(\d)/, 'v0'),
    text.replaceAll('_', ' '),
  ]);
}

function tweaked(value: unknown, pick: Step['pick']): unknown {
  if (typeof value === 'string') return tweakedText(value, pick);
  if (typeof value === 'number')
    return pick([-value, value * 1000, value + 0.5, String(value), value / 0, Math.trunc(value)]);
  if (typeof value === 'boolean') return pick([!value, String(value), Number(value)]);
  if (!Array.isArray(value)) return pick([[value], Object.entries(value ?? {}), null]);
  const [first, ...rest] = value as readonly unknown[];
  return pick([[first, first, ...rest], rest, value.toReversed(), [value], { ...value }, value.slice(0, -1)]);
}

const within = (path: readonly string[], key: string): readonly string[] => [...path.slice(0, -1), key];

const STEPS: Readonly<Record<string, (step: Step) => unknown>> = {
  junk: ({ document, path, pick }) => mutate(document, path, pick(JUNK)),
  removed: ({ document, path }) => mutate(document, path, undefined),
  transplanted: ({ document, path, pick, donors }) => mutate(document, path, pick(donors)),
  tweaked: ({ document, path, pick }) => mutate(document, path, tweaked(valueAt(document, path), pick)),
  added: ({ document, path, pick, donors }) =>
    mutate(document, within(path, pick(FIELDS)), pick([...JUNK, pick(donors)])),
  renamed: ({ document, path, pick }) => {
    const key = path.at(-1) ?? '';
    const name = pick([`${key}s`, key.slice(1), key.toUpperCase(), pick(FIELDS)]);
    return mutate(mutate(document, path, undefined), within(path, name), valueAt(document, path));
  },
};

/** A mutated document and a description of the mutations. */
export interface Mutant {
  readonly document: unknown;
  readonly steps: readonly string[];
}

/** Applies one to three random changes; the result may still be valid. */
export function mutant(document: unknown, random: () => number, donors: readonly unknown[]): Mutant {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T;
  let mutated = document;
  const steps: string[] = [];
  for (let left = pick([1, 1, 1, 2, 3]); left > 0; left -= 1) {
    const path = pick(pathsOf(mutated));
    const [name, step] = pick(Object.entries(STEPS));
    mutated = step({ document: mutated, path, pick, donors });
    steps.push(`${name} /${path.join('/')}`);
  }
  return { document: mutated, steps };
}
