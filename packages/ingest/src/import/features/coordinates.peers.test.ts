import { execFileSync, spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { lonLatOfWkt } from './coordinates.ts';

const hasGdal = spawnSync('gdalsrsinfo', ['--version']).status === 0;
if (!hasGdal) console.warn("CRSs as GDAL reads them: skipped, gdalsrsinfo is missing: install Debian's gdal-bin");

const EVEREST = '+a=6377299.151 +rf=300.8017255 +towgs84=295,736,257,1,-2,3,1.5 +no_defs';
const gdal = (command: string, args: readonly string[], input = ''): string =>
  execFileSync(command, args, { encoding: 'utf8', input });

/** Positions in the middle of India, where all these projections are defined. */
const PLACES = [
  [79, 22],
  [81.5, 24.5],
  [76.25, 19.75],
] as const;

describe.skipIf(!hasGdal)('our conversion returns the same positions as GDAL', () => {
  it.each([
    ['EPSG:7755', 'India NSF LCC', ['wkt1', 'wkt_esri', 'wkt2']],
    ['EPSG:7767', 'a state zone on WGS 84', ['wkt1', 'wkt_esri', 'wkt2']],
    ['EPSG:32644', 'UTM', ['wkt1', 'wkt_esri', 'wkt2']],
    ['EPSG:4979', 'degrees with heights', ['wkt2']],
    ['EPSG:9707', 'degrees with heights above the geoid', ['wkt1', 'wkt_esri', 'wkt2']],
    ['EPSG:32643+5773', 'UTM with heights above the geoid', ['wkt1', 'wkt_esri', 'wkt2']],
    ['+proj=utm +zone=44 +ellps=GRS80 +towgs84=0,0,0', 'UTM on GRS 80', ['wkt1']],
    [`+proj=longlat ${EVEREST}`, 'degrees on Everest', ['wkt1']],
    [`+proj=utm +zone=44 ${EVEREST}`, 'UTM on Everest', ['wkt1']],
    [
      `+proj=lcc +lat_1=26 +lat_0=26 +lon_0=74 +k_0=0.99878641 +x_0=2743195.5 +y_0=914398.5 ${EVEREST}`,
      'India zone IIa',
      ['wkt1'],
    ],
    [`+proj=lcc +lat_1=12 +lat_2=35 +lat_0=24 +lon_0=80 +x_0=4e6 +y_0=4e6 +units=km ${EVEREST}`, 'LCC in km', ['wkt1']],
    [`+proj=aea +lat_1=12 +lat_2=28 +lat_0=20 +lon_0=80 +x_0=1e6 ${EVEREST}`, 'Albers', ['wkt1']],
    [`+proj=poly +lat_0=20 +lon_0=80 +x_0=5e5 +y_0=1e5 ${EVEREST}`, 'polyconic', ['wkt1']],
    ['+proj=aea +lat_1=12 +lat_2=28 +lat_0=20 +lon_0=80 +x_0=1e6 +datum=WGS84', 'Albers', ['wkt_esri', 'wkt2']],
    ['+proj=poly +lat_0=20 +lon_0=80 +datum=WGS84', 'polyconic', ['wkt_esri', 'wkt2']],
  ])('%s (%s)', (crs, _name, formats) => {
    const input = PLACES.map((place) => `${place.join(' ')}\n`).join('');
    const lines = gdal('gdaltransform', ['-s_srs', 'OGC:CRS84', '-t_srs', crs, '-output_xy'], input);
    const theirs = lines
      .trim()
      .split('\n')
      .map((line) => line.split(' ').map(Number));
    for (const format of formats) {
      const { toLonLat } = lonLatOfWkt(gdal('gdalsrsinfo', ['--single-line', '-o', format, crs]), 'in.shp');
      for (const [index, [x = 0, y = 0]] of theirs.entries()) {
        const [lon, lat] = toLonLat(x, y);
        // 5e-8 degrees are half a centimetre.
        expect([Math.abs(lon - (PLACES[index]?.[0] ?? 0)), Math.abs(lat - (PLACES[index]?.[1] ?? 0))], format).toEqual([
          expect.closeTo(0, 7),
          expect.closeTo(0, 7),
        ]);
      }
    }
  });
});
