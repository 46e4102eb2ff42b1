import type { MultiPolygon, Polygon } from 'geojson';
import { type Box, DomainError, type Mws, type PipelinePorts, type Place } from '@headwater/core';
import type { LulcParams } from '../request/request.ts';
import { ambiguity, isShared } from '../places/namesakes.ts';
import { slugsOf, type PlaceSlugs } from './names.ts';

/** The place that a run is about, read once at its start. */
export interface PlaceJob {
  readonly place: Place;
  readonly slugs: PlaceSlugs;
  /** May be empty: then there are rasters and no vector. */
  readonly mws: readonly Mws[];
  /** Tehsil boundary and MWS polygons: what the rasters are clipped to. */
  readonly clip: readonly Outline[];
  /** Lon/lat box of `clip`. */
  readonly box: Box;
  /** Lon/lat box of the MWS polygons alone; of no use without them. */
  readonly mwsBox: Box;
}

/** What one run over years is about. */
export interface LulcJob extends PlaceJob {
  /** Hydrological years, ascending. */
  readonly years: readonly number[];
}

/** Reads place and years of a run. Throws as `loadPlace`. */
export async function loadJob(params: LulcParams, ports: PlacePorts): Promise<LulcJob> {
  return { ...(await loadPlace(params.tehsilId, ports)), years: yearsOf(params) };
}

/** Hydrological years of a request, ascending. */
export const yearsOf = ({ startYear, endYear }: Pick<LulcParams, 'startYear' | 'endYear'>): readonly number[] =>
  Array.from({ length: endYear - startYear + 1 }, (_, i) => startYear + i);

type PlacePorts = Pick<PipelinePorts, 'places' | 'remedies'>;

/** Reads the place of a run. Throws `input_data` when it lost its boundary or a name of its own since the request was checked. */
export async function loadPlace(tehsilId: number, { places, remedies }: PlacePorts): Promise<PlaceJob> {
  const place = await places.placeOfTehsil(tehsilId);
  if (place === undefined || place.tehsil.geometry === null)
    throw new DomainError('input_data', `Tehsil ${tehsilId} has no boundary; ${remedies.placeData}`);
  const mws = await places.mwsOf(tehsilId);
  const clip = clipOf(place.tehsil.geometry, mws);
  const namesakes = await places.namesakesOf(tehsilId);
  const ambiguous = ambiguity(place, namesakes);
  if (ambiguous !== undefined) throw new DomainError('input_data', `${place.tehsil.name} ${ambiguous}`);
  const slugs = slugsOf(place, isShared(place, namesakes) ? 'shared' : 'alone');
  return { place, slugs, mws, clip, box: boxOf(clip), mwsBox: boxOf(mws.map((m) => m.geometry)) };
}

/** What the rasters of a place are clipped to. */
const clipOf = (boundary: Outline, mws: readonly Pick<Mws, 'geometry'>[]): readonly Outline[] => [
  boundary,
  ...mws.map(({ geometry }) => geometry),
];

/** Lon/lat box that a run searches for scenes. */
export const searchBox = (boundary: Outline, mws: readonly Pick<Mws, 'geometry'>[]): Box =>
  boxOf(clipOf(boundary, mws));

type Outline = Polygon | MultiPolygon;

/** Polygons' coordinates as one MultiPolygon's. */
export const multiCoordinates = (geometries: readonly Outline[]): MultiPolygon['coordinates'] =>
  geometries.flatMap((g) => (g.type === 'Polygon' ? [g.coordinates] : g.coordinates));

/** Lon/lat box of polygons, by their outer rings. */
function boxOf(geometries: readonly Outline[]): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [lon = NaN, lat = NaN] of multiCoordinates(geometries).flatMap((polygon) => polygon[0] ?? [])) {
    if (lon < west) west = lon;
    if (lon > east) east = lon;
    if (lat < south) south = lat;
    if (lat > north) north = lat;
  }
  return [west, south, east, north];
}
