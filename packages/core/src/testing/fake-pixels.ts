import { DomainError } from '../errors.ts';
import type { MemoryAssets } from '../memory/assets.ts';
import type { OutputSpec, PixelGrid, Plane, PlaneType, ScratchRaster } from '../ports/pixel-plan.ts';
import type { PixelEngine, RasterHeader, ValueStatistics, Zone, ZoneValues } from '../ports/pixels.ts';

/** A call of the engine: the method and its request. */
export interface FakeCall {
  readonly method: keyof PixelEngine;
  readonly request: unknown;
}

/** Options of the fake. */
export interface FakePixelsOptions {
  readonly assets: Pick<MemoryAssets, 'put'>;
  /**
   * Value of every pixel, by the name of an output or the path of a file. Default: 0 for outputs, no data for files.
   */
  readonly values?: Readonly<Record<string, number>>;
}

/** A pixel engine without files, threads and geometry. */
export interface FakePixels extends PixelEngine {
  readonly calls: readonly FakeCall[];
  /** Keys of the scratch rasters that are not released. */
  held(): readonly string[];
}

interface Stored extends RasterHeader {
  readonly plane: Plane;
}

const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABh6FO1AAAAABJRU5ErkJggg==',
  'base64',
);

class Memory {
  readonly calls: FakeCall[] = [];
  readonly scratch = new Map<string, Plane>();
  readonly files = new Map<string, Stored>();
  readonly values: Readonly<Record<string, number>>;
  #made = 0;

  constructor(values: Readonly<Record<string, number>>) {
    this.values = values;
  }

  record(method: keyof PixelEngine, request: unknown): void {
    this.calls.push({ method, request });
  }

  keep(grid: PixelGrid, type: PlaneType, plane: Plane): ScratchRaster {
    this.#made += 1;
    const key = `fake ${this.#made}`;
    this.scratch.set(key, plane);
    return { key, grid, type };
  }

  outputsOf(grid: PixelGrid, outputs: readonly OutputSpec[]): Readonly<Record<string, ScratchRaster>> {
    return Object.fromEntries(
      outputs.map(({ name, type = 'uint8' }) => [
        name,
        this.keep(grid, type, filled(grid, type, this.values[name] ?? 0)),
      ]),
    );
  }

  planeOf({ key }: ScratchRaster): Plane {
    const plane = this.scratch.get(key);
    if (plane === undefined) throw new DomainError('input_data', `${key}: this raster was released or never made.`);
    return plane;
  }

  fileAt(path: string): Stored {
    const file = this.files.get(path);
    if (file === undefined) throw new DomainError('input_data', `${path}: no such file; write it with writeCog first.`);
    return file;
  }
}

/**
 * Creates a fake pixel engine for tests of pipelines. Planes have constant values, and the area of every pixel is one
 * hectare.
 */
export function createFakePixels({ assets, values = {} }: FakePixelsOptions): FakePixels {
  const memory = new Memory(values);
  return {
    calls: memory.calls,
    held: () => [...memory.scratch.keys()],
    ...rasters(memory),
    ...files(memory, assets),
    ...zones(memory),
    release: async (released) => {
      for (const { key } of released) memory.scratch.delete(key);
    },
    probe: async () => 'fake pixels',
    close: async () => memory.scratch.clear(),
  };
}

function rasters(memory: Memory): Pick<PixelEngine, 'execute' | 'combine' | 'whole' | 'read' | 'fromValues'> {
  return {
    execute: async (plan) => {
      memory.record('execute', plan);
      const contributing = plan.scenes.map(({ id }) => id);
      const outputs = memory.outputsOf(plan.grid, plan.outputs);
      return { outputs, contributing, unused: {}, skipped: {}, pieces: { computed: 1, outside: 0 }, decodedPixels: 0 };
    },
    combine: async (plan) => {
      memory.record('combine', plan);
      return memory.outputsOf(plan.grid, plan.outputs);
    },
    whole: async (plan) => {
      memory.record('whole', plan);
      return { outputs: memory.outputsOf(plan.grid, plan.outputs), value: undefined };
    },
    read: async (request) => {
      memory.record('read', request);
      const { grid, type, nodata, path } = request;
      const value = memory.values[[path].flat()[0] ?? ''] ?? nodata;
      return memory.keep(grid, type, filled(grid, type, value));
    },
    fromValues: async (request) => {
      memory.record('fromValues', request);
      const { grid, values: plane } = request;
      const pixels = grid.cols * grid.rows;
      if (plane.length !== pixels)
        throw new DomainError('input_data', `values: ${plane.length} for ${pixels} pixels; pass one for each pixel.`);
      return memory.keep(grid, typeOf(plane), plane);
    },
  };
}

function files(
  memory: Memory,
  assets: FakePixelsOptions['assets'],
): Pick<PixelEngine, 'gridOf' | 'writeCog' | 'thumbnail' | 'zoneThumbnail'> {
  return {
    gridOf: async (path) => {
      memory.record('gridOf', path);
      const { plane: _, ...header } = memory.fileAt(path);
      return header;
    },
    writeCog: async (request) => {
      memory.record('writeCog', request);
      const { raster, grid, path, nodata = 0, palette } = request;
      const plane = memory.planeOf(raster);
      const type = typeOf(plane);
      memory.files.set(path, { ...grid, type, nodata, plane });
      const { bytes, sha256 } = await assets.put(path, JSON.stringify({ fake: 'raster', type, grid }));
      const statistics = palette === undefined ? statisticsOf(plane, nodata) : undefined;
      const written = { path, bytes, sha256, grid, histogram: histogramOf(plane), inside: plane.length };
      return statistics === undefined ? written : { ...written, statistics };
    },
    thumbnail: async (request) => {
      memory.record('thumbnail', request);
      await assets.put(request.target, PNG);
    },
    zoneThumbnail: async (request) => {
      memory.record('zoneThumbnail', request);
      await assets.put(request.target, PNG);
    },
  };
}

function zones(memory: Memory): Pick<PixelEngine, 'zonal' | 'zonalValues' | 'zonalPairs' | 'zonalMeans' | 'valuesIn'> {
  const byZone = <T>(all: readonly Zone[], value: T): Readonly<Record<string, T>> =>
    Object.fromEntries(all.map(({ id }) => [id, value]));
  return {
    zonal: async (request) => {
      memory.record('zonal', request);
      return byZone(request.zones, histogramOf(memory.fileAt(request.path).plane));
    },
    zonalValues: async (request) => {
      memory.record('zonalValues', request);
      const { plane, nodata } = memory.fileAt(request.path);
      return byZone(request.zones, zoneValues(statisticsOf(plane, nodata)));
    },
    zonalPairs: async (request) => {
      memory.record('zonalPairs', request);
      const { plane } = memory.fileAt(request.path);
      const by = memory.fileAt(request.by).plane[0] ?? 0;
      return byZone(request.zones, [{ by, value: plane[0] ?? 0, areaHa: plane.length }]);
    },
    zonalMeans: async (request) => {
      memory.record('zonalMeans', request);
      const means = request.rasters.map((raster) => statisticsOf(memory.planeOf(raster), request.nodata)?.mean ?? null);
      return byZone(request.zones, Object.fromEntries(Object.keys(request.groups).map((name) => [name, means])));
    },
    valuesIn: async (request) => {
      memory.record('valuesIn', request);
      const value = memory.fileAt(request.path).plane[0] ?? Number.NaN;
      const { geometries } = request;
      return { values: Float64Array.from(geometries, () => value), starts: [...geometries.keys(), geometries.length] };
    },
  };
}

const ARRAYS = { uint8: Uint8Array, int16: Int16Array, float32: Float32Array } as const;

function filled({ cols, rows }: PixelGrid, type: PlaneType, value: number): Plane {
  return new ARRAYS[type](cols * rows).fill(value);
}

function typeOf(plane: Plane): PlaneType {
  if (plane instanceof Uint8Array) return 'uint8';
  return plane instanceof Int16Array ? 'int16' : 'float32';
}

function histogramOf(plane: Plane): readonly number[] {
  if (!(plane instanceof Uint8Array)) return [];
  const counts = Array.from({ length: 256 }, () => 0);
  for (const value of plane) counts[value] = (counts[value] ?? 0) + 1;
  return counts;
}

function statisticsOf(plane: Plane, nodata: number | null): ValueStatistics | undefined {
  const known = [...plane].filter((value) => Number.isFinite(value) && value !== nodata);
  const count = known.length;
  if (count === 0) return undefined;
  const mean = known.reduce((sum, value) => sum + value, 0) / count;
  const stddev = Math.sqrt(known.reduce((sum, value) => sum + (value - mean) ** 2, 0) / count);
  const [minimum, maximum] = [Math.min(...known), Math.max(...known)];
  return { minimum, maximum, mean, stddev, count, validPercent: (100 * count) / plane.length };
}

function zoneValues(statistics: ValueStatistics | undefined): ZoneValues {
  if (statistics === undefined) return { areaHa: 0, mean: null, sum: 0, min: null, max: null, pixels: 0 };
  const { count, mean, minimum, maximum } = statistics;
  return { areaHa: count, mean, sum: mean * count * 10_000, min: minimum, max: maximum, pixels: count };
}
