import { workerData } from 'node:worker_threads';
import { sayApart } from './apart/say-apart.ts';
import { layersOfGeopackage } from './geopackage/read-geopackage.ts';
import { shapefileNames } from './shapefile/shapefile-zip.ts';

const path: string = workerData;
await sayApart(() => (path.endsWith('.gpkg') ? layersOfGeopackage(path) : shapefileNames(path)));
