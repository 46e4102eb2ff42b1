import { deepStrictEqual } from 'node:assert/strict';
import { join } from 'node:path';
import type { Database } from '@headwater/postgres';
import { runContest } from '../contest.ts';
import { type BenchResult, judge } from '../table.ts';
import { fetchBytes } from '../search/load.ts';
import { cpuSeconds, endure, perSecond } from './load.ts';
import { type PeerDatabase, type Started, startMartin, startStatic, startTipg, startTitiler } from './peers.ts';
import { BOX, COLLECTION_SQL, type TilePlace, tilesOf } from './world.ts';

/** Servers, databases and settings that all rows of the map bench use. */
export interface Bench {
  readonly rounds: number;
  /** Length of the load at a fixed rate, s. */
  readonly seconds: number;
  readonly folder: string;
  readonly ours: Started;
  readonly database: Database;
  readonly peerDatabase: PeerDatabase;
  /** Cleanup functions, called in reverse order. */
  readonly stops: (() => unknown)[];
}

/** Rows of the result table that are measured together. */
interface MapRows {
  readonly names: readonly string[];
  readonly run: (bench: Bench) => Promise<readonly BenchResult[]>;
}

const stopLater = (bench: Bench, started: Started): Started => {
  bench.stops.push(started.stop);
  return started;
};

const pathsOf = (tiles: readonly TilePlace[], path: (tile: string) => string): readonly string[] =>
  tiles.map((tile) => path(tile.join('/')));

/**
 * Vector tiles without a cache. Each round of our side requests another copy of the layer, because the tiles
 * of earlier copies are cached. Processor times are also compared, because the peer uses more processes than our
 * service.
 */
const coldVectorTiles: MapRows = {
  names: ['vector_tiles_cold', 'vector_tiles_cold_cpu'],
  async run({ ours, peerDatabase, rounds, stops }) {
    const martin = await startMartin(peerDatabase, 0);
    stops.push(martin.stop);
    const tiles = tilesOf([8, 14], 420);
    await sameFeatures(ours.base, martin.base);
    const cpu = { ours: [] as number[], martin: [] as number[] };
    const round = async (side: keyof typeof cpu, path: (tile: string) => string): Promise<number> => {
      const { base, pid } = side === 'ours' ? ours : martin;
      const before = await cpuSeconds(pid, peerDatabase.socket);
      const perSecondOfRound = await perSecond({ base, paths: pathsOf(tiles, path) });
      cpu[side].push(tiles.length / ((await cpuSeconds(pid, peerDatabase.socket)) - before));
      return perSecondOfRound;
    };
    let copy = 0;
    const results = await runContest({
      name: 'vector_tiles_cold',
      unit: 'tiles/s',
      better: 'more',
      bar: 1,
      rounds,
      ours: () => {
        const layer = `mws_${copy++}`;
        return round('ours', (tile) => `/tiles/bench/${layer}/${tile}.mvt`);
      },
      peers: [{ name: 'martin', round: () => round('martin', (tile) => `/mws_3857/${tile}`) }],
    });
    const ofCpu = judge({
      name: 'vector_tiles_cold_cpu',
      unit: 'tiles/CPU s',
      better: 'more',
      bar: null,
      ours: cpu.ours.slice(1),
      peer: { name: 'martin', rounds: cpu.martin.slice(1) },
    });
    return [...results, ofCpu];
  },
};

/** Vector tiles from the caches: after the uncounted first round, both caches contain all tiles. */
const warmVectorTiles: MapRows = {
  names: ['vector_tiles_warm'],
  async run(bench) {
    const { base } = stopLater(bench, await startMartin(bench.peerDatabase, 512));
    const tiles = Array.from({ length: 5 }, () => tilesOf([8, 14], 420)).flat();
    return await runContest({
      name: 'vector_tiles_warm',
      unit: 'tiles/s',
      better: 'more',
      bar: null,
      rounds: bench.rounds,
      ours: () =>
        perSecond({ base: bench.ours.base, paths: pathsOf(tiles, (tile) => `/tiles/bench/mws_0/${tile}.mvt`) }),
      peers: [
        { name: 'martin', round: () => perSecond({ base, paths: pathsOf(tiles, (tile) => `/mws_3857/${tile}`) }) },
      ],
    });
  },
};

async function sameFeatures(ours: string, martin: string): Promise<void> {
  for (const tile of tilesOf([9, 13], 10)) {
    const [here, there] = await Promise.all([
      fetchBytes(undefined, `${ours}/tiles/bench/mws_0/${tile.join('/')}.mvt`),
      fetchBytes(undefined, `${martin}/mws_3857/${tile.join('/')}`),
    ]);
    const [count, expected] = [featuresIn(here), featuresIn(there)];
    // At the edge of a tile, rounding may remove a feature from one server's tile and not from the other's.
    if (Math.abs(count - expected) > 2 + expected / 50)
      throw new Error(`tile ${tile.join('/')}: ours has ${count} features, the peer's has ${expected}`);
  }
}

/** Number of features in a vector tile. In its protobuf, layers are field 3, and features are field 2 of a layer. */
function featuresIn(tile: Uint8Array): number {
  const fields = (bytes: Uint8Array, wanted: number): Uint8Array[] => {
    const found: Uint8Array[] = [];
    let at = 0;
    const varint = (): number => {
      let [value, scale] = [0, 1];
      for (; bytes[at]! > 127; scale *= 128) value += (bytes[at++]! & 127) * scale;
      return value + bytes[at++]! * scale;
    };
    while (at < bytes.length) {
      const key = varint();
      if (key % 8 === 0) varint();
      else if (key % 8 === 1) at += 8;
      else {
        const length = varint();
        if (key >> 3 === wanted) found.push(bytes.subarray(at, at + length));
        at += length;
      }
    }
    return found;
  };
  return fields(tile, 3).reduce((sum, layer) => sum + fields(layer, 2).length, 0);
}

const featurePages: MapRows = {
  names: ['features_api'],
  async run(bench) {
    const { base } = stopLater(bench, await startTipg(bench.peerDatabase));
    const queries = Array.from({ length: 60 }, (_, at) => {
      const west = BOX[0] + (at % 19) / 10;
      const south = BOX[1] + (at % 9) / 10;
      if (at % 3 === 0) return `limit=100&offset=${at * 70}`;
      return at % 3 === 1
        ? `limit=100&bbox=${west},${south},${west + 0.15},${south + 0.15}`
        : `limit=100&uid=12_${100_000 + at * 41}`;
    });
    const ours = (query: string): string => `/ogc/features/v1/collections/bench:mws_0/items?${query}`;
    const theirs = (query: string): string => `/collections/public.mws/items?${query}&f=geojson`;
    for (const query of queries.slice(0, 3)) {
      const [here, there] = await Promise.all([
        uidsOf(`${bench.ours.base}${ours(query)}`),
        uidsOf(`${base}${theirs(query)}`),
      ]);
      deepStrictEqual(here, there, `features of ${query}`);
    }
    return await runContest({
      name: 'features_api',
      unit: 'pages/s',
      better: 'more',
      bar: 5,
      rounds: bench.rounds,
      ours: () => perSecond({ base: bench.ours.base, paths: [...queries, ...queries, ...queries].map(ours) }),
      peers: [{ name: 'tipg', round: () => perSecond({ base, paths: queries.map(theirs) }) }],
    });
  },
};

interface Page {
  readonly features: readonly { readonly properties: Readonly<Record<string, unknown>> }[];
}

const documentOf = async (address: string): Promise<Page> =>
  JSON.parse((await fetchBytes(undefined, address)).toString()) as Page;

const uidsOf = async (address: string): Promise<readonly string[]> =>
  (await documentOf(address)).features.map(({ properties }) => String(properties['uid'])).toSorted();

const rasterTiles: MapRows = {
  names: ['raster_tiles'],
  async run(bench) {
    const { base } = stopLater(bench, await startTitiler());
    const tiles = tilesOf([8, 13], 240);
    const file = encodeURIComponent(join(bench.folder, 'classes.tif'));
    const theirs = (tile: string): string => `/tiles/WebMercatorQuad/${tile}.png?url=${file}&tilesize=256`;
    return await runContest({
      name: 'raster_tiles',
      unit: 'tiles/s',
      better: 'more',
      bar: 2,
      rounds: bench.rounds,
      ours: () =>
        perSecond({ base: bench.ours.base, paths: pathsOf(tiles, (tile) => `/tiles/bench/classes/${tile}.png`) }),
      peers: [{ name: 'titiler', round: () => perSecond({ base, paths: pathsOf(tiles, theirs) }) }],
    });
  },
};

const WFS = '/bench/wfs?service=WFS&request=GetFeature&outputFormat=application/json';

/**
 * Compares WFS requests for all features of a layer with a PostGIS query that builds the same text. The row
 * `wfs_geojson_stored` uses WFS 1.0.0, whose response is stored.
 */
const wholeLayer: MapRows = {
  names: ['wfs_geojson', 'wfs_geojson_stored'],
  async run({ ours, database, rounds }) {
    const query = async (): Promise<string> => {
      const [row] = await database.rows(COLLECTION_SQL, []);
      return String((row as Readonly<Record<string, unknown>> | undefined)?.['text']);
    };
    const address = `${ours.base}${WFS}&version=2.0.0&typeNames=bench:mws_0`;
    const [here, there] = [await documentOf(address), JSON.parse(await query()) as Page];
    deepStrictEqual(here.features.map(comparable), there.features.map(comparable), 'features of the WFS');
    const contest = async (name: string, request: string, bar: number | null): Promise<readonly BenchResult[]> =>
      await runContest({
        name,
        unit: 'layers/s',
        better: 'more',
        bar,
        rounds,
        ours: () => perSecond({ base: '', paths: Array.from({ length: 5 }, () => request) }, 1),
        peers: [
          {
            name: 'PostGIS',
            round: async () => {
              const start = performance.now();
              for (let time = 0; time < 3; time++) await query();
              return 3000 / (performance.now() - start);
            },
          },
        ],
      });
    const stored = `${ours.base}${WFS}&version=1.0.0&typeName=bench:mws_0`;
    return [...(await contest('wfs_geojson', address, 0.5)), ...(await contest('wfs_geojson_stored', stored, null))];
  },
};

/** Omits ids, because the ids contain the name of the layer. */
const comparable = (feature: object): object => {
  const { type, geometry, properties, geometry_name: name } = feature as Readonly<Record<string, unknown>>;
  return { type, geometry, properties, name: name === 'geom' || name === 'the_geom' };
};

const wholeCoverage: MapRows = {
  names: ['wcs_stored_cog'],
  async run(bench) {
    const { base } = stopLater(bench, await startStatic(bench.folder));
    const ours =
      '/bench/wcs?service=WCS&version=2.0.1&request=GetCoverage&coverageId=bench__classes&format=image/geotiff';
    const [here, there] = [
      await fetchBytes(undefined, `${bench.ours.base}${ours}`),
      await fetchBytes(undefined, `${base}/classes.tif`),
    ];
    if (!here.equals(there)) throw new Error('the coverage differs from the stored file');
    const repeated = (path: string): readonly string[] => Array.from({ length: 60 }, () => path);
    return await runContest({
      name: 'wcs_stored_cog',
      unit: 'files/s',
      better: 'more',
      bar: 0.8,
      rounds: bench.rounds,
      ours: () => perSecond({ base: bench.ours.base, paths: repeated(ours) }, 4),
      peers: [{ name: '@fastify/static', round: () => perSecond({ base, paths: repeated('/classes.tif') }, 4) }],
    });
  },
};

const RATE = 200;

/** Requests vector and raster tiles in turn; most are not cached. */
const endurance: MapRows = {
  names: ['load_p95', 'load_memory'],
  async run({ ours, seconds, peerDatabase: { socket } }) {
    const tiles = tilesOf([7, 14], 4000);
    const paths = tiles.map((tile, at) =>
      at % 2 === 0 ? `/tiles/bench/mws_0/${tile.join('/')}.mvt` : `/tiles/bench/classes/${tile.join('/')}.png`,
    );
    await perSecond({ base: ours.base, paths: paths.slice(0, 400) });
    const before = await cpuSeconds(ours.pid, socket);
    const { p95, growth, peakMib } = await endure({ base: ours.base, paths }, { rate: RATE, seconds, pid: ours.pid });
    const cores = ((await cpuSeconds(ours.pid, socket)) - before) / seconds;
    console.log(
      `load: ${RATE} tiles/s for ${seconds} s, at most ${peakMib.toFixed(0)} MiB, ${cores.toFixed(2)} cores with the database`,
    );
    const limited = { better: 'less', ceiling: true, peer: undefined } as const;
    return [
      judge({ ...limited, name: 'load_p95', unit: 'ms', bar: 100, ours: [p95] }),
      judge({ ...limited, name: 'load_memory', unit: 'last / second quarter', bar: 1.1, ours: [growth] }),
    ];
  },
};

/** All rows of the map bench. */
export const ROWS: readonly MapRows[] = [
  coldVectorTiles,
  warmVectorTiles,
  featurePages,
  rasterTiles,
  wholeLayer,
  wholeCoverage,
  endurance,
];
