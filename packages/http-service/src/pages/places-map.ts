import { html, raw } from 'hono/html';
import type { Language } from '../wire/words.ts';
import type { Html } from './layout.ts';
import { sayIn } from './texts.ts';

/** Box: west, south, east, north in degrees. */
export type MapBox = readonly [west: number, south: number, east: number, north: number];

/**
 * Place on the map. Its name and address are read later by `placeOf`, because a map of thousands of places shows
 * only few names.
 */
export interface MapPlace {
  /** Path of the place's Collection. */
  readonly path: string;
  readonly layers: number;
  readonly box: MapBox;
}

/** Name and address of a place. */
export interface NamedPlace {
  readonly name: string;
  /** Names of the district and state. */
  readonly above: string;
  readonly href: string;
}

/** Options of the map. */
export interface MapOptions {
  readonly language: Language;
  readonly placeOf: (place: MapPlace) => NamedPlace;
  /** Address of the list of places whose middles are in this box. */
  readonly listOf: (box: MapBox) => string;
}

/** Width of the drawing in its own units; a unit is 0.44 px on a screen of 360 px. */
export const WIDTH = 720;
const HEIGHTS = [320, 720] as const;
/** Side of a square: at least 24 px on a screen of 360 px (smallest target of WCAG 2.2). */
const CELL = 60;
const MOST_BOXES = 400;
const MOST_NAMES = 6;
/** Smallest width and height of a map, degrees. */
const SMALLEST = [0.2, 0.11] as const;
const DIGITS = 4;
/** Width of a label with degrees, units of the drawing. Labels that the edge would cut are left out. */
const LABEL = 96;

/** Size of a drawing, and functions that convert degrees to its units. */
export interface Frame {
  readonly height: number;
  readonly box: MapBox;
  readonly x: (longitude: number) => number;
  readonly y: (latitude: number) => number;
}

/**
 * Map of places, drawn as boxes, or as points if there are many. Squares that are links are drawn over them. Returns ''
 * without places.
 */
export function placesMap(places: readonly MapPlace[], options: MapOptions): Html | '' {
  if (places.length === 0) return '';
  const say = sayIn(options.language);
  const frame = frameOf(unionOf(places.map(({ box }) => box)));
  const squares = squaresOf(places, frame);
  const links = squares.map((square) => linkOf(square, { frame, places, ...options }));
  return html`<svg
    class="placesmap"
    viewBox="0 0 ${WIDTH} ${frame.height}"
    role="group"
    aria-label="${say('placesMap')}"
  >
    ${graticule(frame)}
    <path class="${places.length > MOST_BOXES ? 'points' : 'boxes'}" d="${raw(spots(places, frame))}" />
    ${squares.length > MOST_NAMES ? '' : squares.map((square) => nameOf(square, frame, options.placeOf))} ${links}
  </svg>`;
}

/** The smallest box around boxes. */
export function unionOf(boxes: Iterable<MapBox>): MapBox {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const box of boxes) {
    west = Math.min(west, box[0]);
    south = Math.min(south, box[1]);
    east = Math.max(east, box[2]);
    north = Math.max(north, box[3]);
  }
  return [west, south, east, north];
}

/** Middle of a box: longitude, latitude. */
export const middleOf = ([west, south, east, north]: MapBox): readonly [number, number] => [
  (west + east) / 2,
  (south + north) / 2,
];

/**
 * Frame of a drawing around a box, with a margin. All degrees of longitude are drawn with the length that they have at
 * the middle latitude.
 */
export function frameOf([west, south, east, north]: MapBox): Frame {
  const [longitude, latitude] = middleOf([west, south, east, north]);
  const narrowing = Math.max(0.2, Math.cos((latitude * Math.PI) / 180));
  const tall = Math.max(SMALLEST[1], (north - south) * 1.16);
  const wide = Math.max(SMALLEST[0], (east - west) * narrowing * 1.16);
  const [least, most] = HEIGHTS;
  const height = Math.round(Math.min(most, Math.max(least, (WIDTH * tall) / wide)));
  const unit = Math.max(wide / WIDTH, tall / height);
  const [halfWidth, halfHeight] = [(unit * WIDTH) / 2 / narrowing, (unit * height) / 2];
  return {
    height,
    box: [longitude - halfWidth, latitude - halfHeight, longitude + halfWidth, latitude + halfHeight],
    x: (degrees) => WIDTH / 2 + ((degrees - longitude) * narrowing) / unit,
    y: (degrees) => height / 2 - (degrees - latitude) / unit,
  };
}

interface Square {
  readonly column: number;
  readonly row: number;
  readonly places: readonly MapPlace[];
}

function squaresOf(places: readonly MapPlace[], { x, y }: Frame): readonly Square[] {
  const columns = Math.ceil(WIDTH / CELL) + 1;
  const at = ({ box: [west, south, east, north] }: MapPlace): number =>
    Math.floor(y((south + north) / 2) / CELL) * columns + Math.floor(x((west + east) / 2) / CELL);
  return Array.from(Map.groupBy(places, at), ([key, own]) => ({
    column: key % columns,
    row: Math.floor(key / columns),
    places: own,
  })).sort((a, b) => a.row - b.row || a.column - b.column);
}

type Around = MapOptions & { readonly frame: Frame; readonly places: readonly MapPlace[] };

function linkOf({ column, row, places: own }: Square, { frame, places, language, placeOf, listOf }: Around): Html | '' {
  const say = sayIn(language);
  const [first] = own;
  if (first === undefined) return '';
  const middles = own.map(({ box }) => middleOf(box));
  const [west, south, east, north] = unionOf(middles.map(([x, y]): MapBox => [x, y, x, y]));
  // If one square contains all places (two or more), it has no link, because the link would lead to this page.
  if (own.length > 1 && own.length === places.length) return '';
  const named = placeOf(first);
  const count = String(own.length);
  const at = `${((south + north) / 2).toFixed(1)}° N, ${((west + east) / 2).toFixed(1)}° E`;
  const [href, label] =
    own.length === 1
      ? [named.href, `${named.name}, ${say('layerCount', { count: String(first.layers) })}`]
      : [listOf(outwards([west, south, east, north])), say('placesHere', { at, count })];
  const [left, top, right, bottom] =
    own.length === 1 ? targetOf(first.box, frame) : [column * CELL, row * CELL, (column + 1) * CELL, (row + 1) * CELL];
  return html`<a href="${href}" aria-label="${label}">
    <title>${label}</title> <rect x="${left}" y="${top}" width="${right - left}" height="${bottom - top}"
  /></a> `;
}

function targetOf([west, south, east, north]: MapBox, { x, y }: Frame): MapBox {
  const [middle, level] = [x((west + east) / 2), y((south + north) / 2)];
  const half = (from: number, to: number): number => Math.max(CELL, Math.abs(to - from)) / 2;
  const [across, along] = [half(x(west), x(east)), half(y(south), y(north))];
  return [round(middle - across), round(level - along), round(middle + across), round(level + along)];
}

const round = (value: number): number => Math.round(value);

function outwards([west, south, east, north]: MapBox): MapBox {
  const scale = 10 ** DIGITS;
  const [down, up] = [Math.floor, Math.ceil].map((cut) => (value: number) => cut(value * scale) / scale);
  if (down === undefined || up === undefined) return [west, south, east, north];
  return [down(west), down(south), up(east), up(north)];
}

function spots(places: readonly MapPlace[], { x, y }: Frame): string {
  const asPoints = places.length > MOST_BOXES;
  const parts = places.map(({ box }) => {
    const [west, south, east, north] = box;
    if (asPoints) return `M${round(x((west + east) / 2))} ${round(y((south + north) / 2))}h0`;
    const [left, top] = [round(x(west)), round(y(north))];
    const [width, height] = [Math.max(4, round(x(east)) - left), Math.max(4, round(y(south)) - top)];
    return `M${left} ${top}h${width}v${height}h-${width}z`;
  });
  return [...new Set(parts)].join('');
}

function nameOf({ places: own }: Square, { x, y }: Frame, placeOf: MapOptions['placeOf']): Html | '' {
  const [first] = own;
  if (first === undefined || own.length > 1) return '';
  const [longitude, latitude] = middleOf(first.box);
  return html`<text class="name" aria-hidden="true" x="${round(x(longitude))}" y="${round(y(latitude)) + 9}"
    >${placeOf(first).name}</text
  > `;
}

/** Lines of latitude and longitude with their numbers. */
export function graticule({ height, box: [west, south, east, north], x, y }: Frame): Html {
  const step = stepOf(Math.min(east - west, north - south) / 2);
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9));
  const steps = (from: number, to: number): readonly number[] => {
    const first = Math.ceil(from / step);
    return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, index) => (first + index) * step);
  };
  const [lons, lats] = [steps(west, east), steps(south, north)];
  const lines = [
    ...lons.map((degrees) => `M${round(x(degrees))} 0v${height}`),
    ...lats.map((degrees) => `M0 ${round(y(degrees))}h${WIDTH}`),
  ];
  const text = (degrees: number, sides: string): string =>
    `${Math.abs(degrees).toFixed(digits)}°${degrees < 0 ? sides.slice(1) : sides.slice(0, 1)}`;
  return html`<g class="grid" aria-hidden="true">
    <path d="${lines.join('')}" />
    ${lons
      .filter((degrees) => x(degrees) < WIDTH - LABEL)
      .map((degrees) => html`<text x="${round(x(degrees)) + 6}" y="${height - 8}">${text(degrees, 'EW')}</text> `)}
    ${lats
      .filter((degrees) => y(degrees) > LABEL / 3 && y(degrees) < height - LABEL / 3)
      .map((degrees) => html`<text x="6" y="${round(y(degrees)) - 6}">${text(degrees, 'NS')}</text> `)}
  </g>`;
}

function stepOf(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most));
  return [5, 2, 1].map((factor) => factor * power).find((step) => step <= most) ?? power;
}
