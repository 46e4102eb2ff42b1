import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { pointTransform } from '@headwater/raster';
import { chance, sampleTruth } from '@headwater/sample-world';

const YEAR = 2021;
const POINTS = 600;
const SEED = 61;

/** Path of the file with the sample's points. */
export const SAMPLE_POINTS = resolve(import.meta.dirname, '..', 'sample', 'points.csv');

/** Returns a CSV with random points of the synthetic sample and their true classes. */
export function samplePoints(): string {
  const { grid, data } = sampleTruth(YEAR);
  const toLonLat = pointTransform(grid.crs, 'EPSG:4326');
  const lines = Array.from({ length: POINTS }, (_, i) => {
    const col = Math.floor(chance(SEED, i, 1) * grid.cols);
    const row = Math.floor(chance(SEED, i, 2) * grid.rows);
    const [lon, lat] = toLonLat(grid.west + (col + 0.5) * grid.pixelWidth, grid.north - (row + 0.5) * grid.pixelHeight);
    return `${lon.toFixed(7)},${lat.toFixed(7)},${data[row * grid.cols + col]},${YEAR}`;
  });
  return `lon,lat,label,year\n${lines.join('\n')}\n`;
}

// If this file is run as a program, it writes the file of points again.
if (process.argv[1] === import.meta.filename) writeFileSync(SAMPLE_POINTS, samplePoints());
