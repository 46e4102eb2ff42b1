/** State of the map in a link. */
export interface MapState {
  readonly longitude: number;
  readonly latitude: number;
  readonly zoom: number;
  /** Hidden classes. */
  readonly off: readonly number[];
  /** Percent. */
  readonly opacity: number;
  /** Year on the right of the line, and position of the line in percent; undefined for one year. */
  readonly swipe: { readonly year: string; readonly at: number } | undefined;
  /** True if lines of latitude and longitude are shown. */
  readonly lines: boolean;
  /** Name of the background; undefined if there is none. */
  readonly background: string | undefined;
  /** Column whose values colour the polygons; undefined: style of the layer; '': no colours. */
  readonly column: string | undefined;
}

const PREFIX = '#map=';

/** End of a link to this view, from `#` on. */
export function linkOf({
  longitude,
  latitude,
  zoom,
  off,
  opacity,
  swipe,
  lines,
  background,
  column,
}: MapState): string {
  const parts = new URLSearchParams();
  if (off.length > 0) parts.set('off', off.join(','));
  if (opacity !== 100) parts.set('opacity', String(opacity));
  if (swipe !== undefined) {
    parts.set('with', swipe.year);
    parts.set('swipe', String(swipe.at));
  }
  if (lines) parts.set('lines', '1');
  if (background !== undefined) parts.set('background', background);
  if (column !== undefined) parts.set('column', column);
  const rest = parts.size === 0 ? '' : `&${parts.toString().replaceAll('%2C', ',')}`;
  return `${PREFIX}${zoom.toFixed(2)}/${latitude.toFixed(5)}/${longitude.toFixed(5)}${rest}`;
}

/** Reads the end of a link; undefined if it is not a view. Invalid parts get default values. */
export function readLink(hash: string): MapState | undefined {
  if (!hash.startsWith(PREFIX)) return undefined;
  const parts = new URLSearchParams(hash.slice(1));
  const [zoom = NaN, latitude = NaN, longitude = NaN] = (parts.get('map') ?? '').split('/').map(Number);
  if (!(zoom >= 0 && zoom <= 30 && Math.abs(latitude) <= 85 && Math.abs(longitude) <= 180)) return undefined;
  const year = parts.get('with');
  const off = (parts.get('off') ?? '').split(',').filter((text) => /^-?\d{1,9}$/.test(text));
  return {
    longitude,
    latitude,
    zoom,
    off: off.map(Number),
    opacity: percent(parts.get('opacity'), 100),
    swipe: year === null ? undefined : { year, at: percent(parts.get('swipe'), 50) },
    lines: parts.get('lines') === '1',
    background: parts.get('background') ?? undefined,
    column: parts.get('column') ?? undefined,
  };
}

function percent(text: string | null, other: number): number {
  return text !== null && /^\d{1,3}$/.test(text) && Number(text) <= 100 ? Number(text) : other;
}
