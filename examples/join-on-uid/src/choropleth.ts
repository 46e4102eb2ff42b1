import type { MultiPolygon, Polygon, Position } from 'geojson';

/** An area with what is to be shown of it; whatever is no number has the colour of no data. */
export interface Shape {
  readonly uid: string;
  readonly geometry: Polygon | MultiPolygon;
  readonly value: unknown;
}

/** ColorBrewer's YlGnBu of five classes, light to dark. */
const COLORS = ['#ffffcc', '#a1dab4', '#41b6c4', '#2c7fb8', '#253494'];
const NO_DATA = '#cccccc';
const [SIZE, MARGIN, LEGEND] = [600, 30, 260];

/** An SVG of shapes in lon/lat (not across 180 degrees), coloured by classes of equally many values, with a legend. */
export function choropleth(title: string, shapes: readonly Shape[]): string {
  const known = shapes.flatMap(({ value }) => (typeof value === 'number' ? [value] : [])).sort((a, b) => a - b);
  const classes = classesOf(known);
  const fillOf = (value: unknown): string =>
    typeof value === 'number' ? (classes.findLast(({ from }) => value >= from)?.color ?? NO_DATA) : NO_DATA;
  const toPage = projection(shapes);
  const areas = shapes.map(({ uid, geometry, value }) => {
    const rings = ringsOf(geometry).map((ring) => `M${ring.map(toPage).join('L')}Z`);
    return `<path data-uid="${escaped(uid)}" fill="${fillOf(value)}" d="${rings.join('')}"><title>${escaped(uid)}: ${shown(value)}</title></path>`;
  });
  const legend = [
    ...classes.map(({ from, to, color }) => [color, from === to ? shown(from) : `${shown(from)} to ${shown(to)}`]),
    ...(known.length < shapes.length ? [[NO_DATA, 'no data']] : []),
  ].map(([color, text], at) => {
    const y = 2 * MARGIN + at * 24;
    return `<rect x="${SIZE + MARGIN}" y="${y}" width="18" height="18" fill="${color}"/><text x="${SIZE + MARGIN + 26}" y="${y + 14}">${text}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${SIZE + LEGEND} ${SIZE}" font-family="sans-serif" font-size="14">
<title>${escaped(title)}</title>
<text x="${MARGIN}" y="20">${escaped(title)}</text>
<g id="areas" stroke="#333333" stroke-width="0.7" fill-rule="evenodd">\n${areas.join('\n')}\n</g>
<g id="legend">\n${legend.join('\n')}\n</g>
</svg>
`;
}

/** Classes of values that ascend: one for each where few differ, else as many as there are colours, each from its least to its greatest value. */
function classesOf(known: readonly number[]) {
  const distinct = [...new Set(known)];
  const few = distinct.length <= COLORS.length;
  const quantiles = COLORS.map((_each, at) => known[Math.floor((at * known.length) / COLORS.length)] ?? 0);
  const starts = few ? distinct : [...new Set(quantiles)];
  return starts.map((from, at) => ({
    from,
    to: known.findLast((value) => value < (starts[at + 1] ?? Infinity)) ?? from,
    color: COLORS[at],
  }));
}

/** Lon/lat -> x,y on the page: equally many pixels a metre both ways at the middle latitude. */
function projection(shapes: readonly Shape[]): (position: readonly number[]) => string {
  const positions = shapes.flatMap(({ geometry }) => ringsOf(geometry).flat());
  const [west, east] = bounds(positions.map(([lon = 0]) => lon));
  const [south, north] = bounds(positions.map(([, lat = 0]) => lat));
  const narrowed = Math.cos(((south + north) * Math.PI) / 360);
  const scale = (SIZE - 2 * MARGIN) / Math.max((east - west) * narrowed, north - south);
  return ([lon = 0, lat = 0]) =>
    `${(MARGIN + (lon - west) * narrowed * scale).toFixed(1)},${(MARGIN + (north - lat) * scale).toFixed(1)}`;
}

const bounds = (values: readonly number[]): readonly [number, number] =>
  values.reduce<readonly [number, number]>(
    ([least, most], value) => [Math.min(least, value), Math.max(most, value)],
    [Infinity, -Infinity],
  );

const ringsOf = (geometry: Shape['geometry']): readonly Position[][] =>
  geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat();

const shown = (value: unknown): string =>
  typeof value === 'number' ? String(Number(value.toPrecision(4))) : 'no data';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');
