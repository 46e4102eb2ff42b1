import { workerData } from 'node:worker_threads';
import { reportToParent } from './child-process/report-to-parent.ts';
import { layersOfGeopackage } from './geopackage/read-geopackage.ts';
import { shapefileNames } from './shapefile/shapefile-zip.ts';

const path: string = workerData;
await reportToParent(() => (path.endsWith('.gpkg') ? layersOfGeopackage(path) : shapefileNames(path)));
