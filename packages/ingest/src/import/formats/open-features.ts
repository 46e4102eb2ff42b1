import { BadPlaceFile } from '../../places/bad-place-file.ts';
import { type FilePositions, lonLatOfWkt, positionNotes, type ToLonLat, UNNAMED } from '../features/coordinates.ts';
import { readGeojsonLines } from '../features/geojson-lines.ts';
import { type BadFeature, type FeatureReader, orProblem, type RawFeature } from '../features/raw-feature.ts';
import { readGeojson } from '../features/read-geojson.ts';
import { KML_ENDINGS, readKml } from '../kml/read-kml.ts';
import { readGeopackage } from '../geopackage/read-geopackage.ts';
import { ByteReader } from '../shapefile/byte-reader.ts';
import { dbfRecords, type DbfRow } from '../shapefile/dbf-records.ts';
import { openShapefileZip } from '../shapefile/shapefile-zip.ts';
import { shpPolygons, shpRecords } from '../shapefile/shp-records.ts';

const readShapefile: FeatureReader = async function* ({ path, layers, repair, progress }) {
  const zip = await openShapefileZip(path, layers);
  try {
    const { table, shp, dbf, prj, cpg } = zip;
    const positions: FilePositions = prj === undefined ? UNNAMED : lonLatOfWkt(prj, `${table}.shp`);
    const { toLonLat } = positions;
    const shapes = new ByteReader(shp.chunks, `${table}.shp`);
    const note = (at: number, text: string): void => repair({ source: table, row: at, repair: text });
    const rows = dbfRecords(new ByteReader(dbf.chunks, `${table}.dbf`), { cpg, note });
    for (const note of positionNotes(positions)) repair({ source: table, row: 1, repair: note });
    let row = 0;
    for await (const shape of shpRecords(shapes)) {
      row += 1;
      progress(shapes.taken, shp.bytes);
      const { value, done } = await rows.next();
      if (done === true) throw unequal(table);
      if (value !== undefined) yield featureOf(value, shape, { source: table, row, toLonLat });
    }
    if ((await rows.next()).done !== true) throw unequal(table);
  } finally {
    zip.close();
  }
};

const unequal = (name: string): BadPlaceFile =>
  new BadPlaceFile(`${name}.shp and ${name}.dbf have different numbers of rows; zip the files of one Shapefile`);

interface ShapeContext extends Pick<RawFeature, 'source' | 'row'> {
  readonly toLonLat: ToLonLat;
}

function featureOf(
  properties: NonNullable<DbfRow>,
  shape: Buffer,
  { source, row, toLonLat }: ShapeContext,
): RawFeature | BadFeature {
  const read = orProblem(() => ({ type: 'MultiPolygon', coordinates: shpPolygons(shape, toLonLat) }));
  return 'problem' in read
    ? { source, row, problem: read.problem }
    : { source, row, properties, geometry: read.geometry };
}

const READERS: ReadonlyMap<string, FeatureReader> = new Map([
  ['.geojson', readGeojson],
  ['.json', readGeojson],
  ['.geojsonl', readGeojsonLines],
  ['.geojsons', readGeojsonLines],
  ['.ndjson', readGeojsonLines],
  ['.gpkg', readGeopackage],
  ['.zip', readShapefile],
  ...KML_ENDINGS.map((ending): [string, FeatureReader] => [ending, (reading) => readKml(reading)]),
]);

/** Endings of files with features. */
export const FEATURE_ENDINGS: readonly string[] = [...READERS.keys()];

/** Reader for a file name; undefined for an unknown ending. */
export function featureReader(fileName: string): FeatureReader | undefined {
  const name = fileName.toLowerCase();
  return [...READERS].find(([ending]) => name.endsWith(ending))?.[1];
}
