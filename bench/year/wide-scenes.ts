// Writes 1,200 Items of a square of 80 km where two UTM zones meet. Items share files, because separate files would
// need 100 GB.
import { makeFolders, patchOf, writeCatalog, writePass } from './synthetic.ts';
import type { SceneEntry, Season, Swath, TileBox } from './synthetic.ts';

const [folder = ''] = process.argv.slice(2);

const TILE_PIXELS = 10_980;
const tile = (name: string, crs: string, [west, north]: readonly [number, number]): TileBox => {
  return { name, crs, west, north, cols: TILE_PIXELS, rows: TILE_PIXELS };
};
const TILES: readonly TileBox[] = [
  tile('43QHF', 'EPSG:32643', [699_960, 2_500_020]),
  tile('43QHE', 'EPSG:32643', [699_960, 2_400_000]),
  tile('44QKL', 'EPSG:32644', [99_960, 2_500_020]),
  tile('44QKK', 'EPSG:32644', [99_960, 2_400_000]),
  tile('44QLL', 'EPSG:32644', [199_980, 2_500_020]),
  tile('44QLK', 'EPSG:32644', [199_980, 2_400_000]),
];

/** Part of a tile that each orbit observes, as shares of the tile's width. */
const ORBITS: Readonly<Record<'west' | 'east', Swath>> = { west: [0, 0.7], east: [0.4, 1] };
const SKIES = { clear: 0, half: 0.5, heavy: 0.85 } as const;
type Sky = keyof typeof SKIES;

const FIRST_DAY = Date.UTC(2023, 3, 15);
const PASSES = 200;

/** Sky, season and cloud cover of a scene: overcast in the monsoon, mostly clear in the other months. */
function conditions(pass: number, tile: number): { sky: Sky; season: Season; cloudCover: number } {
  const month = new Date(FIRST_DAY + pass * 2.5 * 86_400_000).getUTCMonth();
  const chance = patchOf(pass, tile) / 256;
  const season = month >= 6 && month <= 10 ? 'green' : 'dry';
  if (month >= 5 && month <= 8)
    return chance < 0.5 ? { sky: 'heavy', season, cloudCover: 96 } : { sky: 'heavy', season, cloudCover: 85 };
  if (chance < 0.6) return { sky: 'clear', season, cloudCover: 1 };
  return chance < 0.85 ? { sky: 'half', season, cloudCover: 50 } : { sky: 'heavy', season, cloudCover: 85 };
}

function sceneOf(pass: number, tile: TileBox, index: number): SceneEntry {
  const time = new Date(FIRST_DAY + pass * 2.5 * 86_400_000);
  time.setUTCHours(5, 20, 0, 0);
  const orbit = pass % 2 === 0 ? 'west' : 'east';
  return { tile, pass: `${tile.name}_${orbit}`, time, ...conditions(pass, index) };
}

makeFolders(folder);
for (const tile of TILES) {
  for (const [orbit, swath] of Object.entries(ORBITS))
    await writePass({ folder, pass: `${tile.name}_${orbit}`, tile, swath, skies: SKIES });
}
const scenes = Array.from({ length: PASSES }, (_, pass) => TILES.map((each, index) => sceneOf(pass, each, index)));
// A square of 80 km around the point where zones and tiles meet.
const area = { west: 77.62, south: 21.29, east: 77.62 + 0.76, north: 21.29 + 0.72 };
writeCatalog(folder, scenes.flat(), { area, side: 8 });
