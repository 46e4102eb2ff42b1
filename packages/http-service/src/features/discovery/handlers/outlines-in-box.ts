import type { Ports } from '../../../deps.ts';
import { fewAtOnce } from '../../../items/few-at-once.ts';
import { type MapBox, type MapPlace, middleOf, unionOf } from '../../../pages/places-map.ts';
import { digits, type Position, type SimpleOutline } from '../place-outlines.ts';
import { publishedPlaces } from './published-places.ts';

/** Maximum number of places in a response with outlines. `MOST_BOXES`: maximum number in a response with boxes. */
const MOST_OUTLINES = 60;
const MOST_BOXES = 300;
/** Number of squares along each side of the extent of the places. */
const SQUARES = 20;

/**
 * A place with its name, link and `layers` (number of layers), or a square that groups places. Properties of a square:
 * `places`, the number of its places, and `layers`, the largest number of layers of one of them.
 */
interface Feature {
  readonly type: 'Feature';
  readonly bbox: MapBox;
  readonly geometry: SimpleOutline | { readonly type: 'Polygon' | 'Point'; readonly coordinates: readonly unknown[] };
  readonly properties: Readonly<Record<string, string | number>>;
}

/**
 * The places that overlap a box, or all places, as GeoJSON. Few places have outlines, more places have boxes, and many
 * places are grouped into squares.
 */
export async function outlinesIn(
  deps: Ports<'baseUrl' | 'placeOutlines' | 'stores'>,
  box: MapBox | undefined,
): Promise<{ readonly type: 'FeatureCollection'; readonly features: readonly Feature[] }> {
  const { onMap, placeOf } = await publishedPlaces(deps);
  const places = box === undefined ? onMap : onMap.filter((place) => overlaps(place.box, box));
  if (places.length > MOST_BOXES) return { type: 'FeatureCollection', features: grouped(places) };
  const outlines = await fewAtOnce(places.length > MOST_OUTLINES ? [] : places, (place) =>
    deps.placeOutlines.of(place),
  );
  const features = places.map((place, index): Feature => {
    const geometry = outlines[index] ?? { type: 'Polygon', coordinates: [cornersOf(place.box)] };
    const { name, above, href } = placeOf(place);
    return { type: 'Feature', bbox: place.box, geometry, properties: { name, above, href, layers: place.layers } };
  });
  return { type: 'FeatureCollection', features };
}

const overlaps = (one: MapBox, other: MapBox): boolean =>
  one[0] <= other[2] && one[2] >= other[0] && one[1] <= other[3] && one[3] >= other[1];

function cornersOf([west, south, east, north]: MapBox): readonly Position[] {
  const [w, s, e, n] = [digits(west), digits(south), digits(east), digits(north)];
  return [
    [w, s],
    [e, s],
    [e, n],
    [w, n],
    [w, s],
  ];
}

function grouped(places: readonly MapPlace[]): readonly Feature[] {
  const [west, south, east, north] = unionOf(places.map(({ box }) => box));
  const at = (value: number, from: number, to: number): number =>
    Math.min(SQUARES - 1, Math.floor(((value - from) / (to - from || 1)) * SQUARES));
  const squares = Map.groupBy(places, ({ box }) => {
    const [x, y] = middleOf(box);
    return at(y, south, north) * SQUARES + at(x, west, east);
  });
  return Array.from(squares.values(), (own) => {
    const middles = own.map(({ box }) => middleOf(box));
    const mean = (axis: 0 | 1): number => digits(middles.reduce((sum, each) => sum + each[axis], 0) / own.length);
    return {
      type: 'Feature',
      bbox: unionOf(own.map(({ box }) => box)),
      geometry: { type: 'Point', coordinates: [mean(0), mean(1)] },
      properties: { places: own.length, layers: Math.max(...own.map(({ layers }) => layers)) },
    };
  });
}
