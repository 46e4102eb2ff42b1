import type { Polygon } from 'geojson';
import type {
  Addresses,
  EarthObservation,
  PipelineContext,
  PipelinePorts,
  PixelEngine,
  Place,
  PlaceStore,
  Run,
  Scene,
} from '@headwater/core';
import { createPublishedLayers } from '@headwater/core/pipelines';
import type { CombinePlan, PixelPlan } from '@headwater/core/pixel-plan';
import type { WriteCogRequest } from '@headwater/core/ports';
import { createMemoryAssets, createMemoryDomainStores } from '@headwater/core/memory';
import { lulcPipeline } from './pipeline.ts';
import { boxPolygon } from '../../../scripts/boxes.mjs';

/** Returns a lon/lat square. */
export const square = (west: number, south: number, size: number): Polygon =>
  boxPolygon({ west, south, east: west + size, north: south + size });

/** A fictional place. */
export const PLACE: Place = {
  state: { id: 1, name: 'Nadi Pradesh', isActive: true },
  district: { id: 2, name: 'East Nadi', isActive: true, stateId: 1 },
  tehsil: { id: 3, name: 'Jal & Gaon', isActive: true, districtId: 2, geometry: square(75.5, 23.2, 0.04) },
};

/** Two micro-watersheds; the second extends beyond the tehsil. */
export const MWS = [
  { uid: '12_100174', tehsilId: 3, geometry: square(75.5, 23.2, 0.02) },
  { uid: '12_100175', tehsilId: 3, geometry: square(75.53, 23.23, 0.02) },
];

/** A place directory with `PLACE`; `change` replaces members. */
export function directory(change: Partial<PlaceStore> = {}): PlaceStore {
  const unused = () => Promise.reject(new Error('not used'));
  return {
    states: () => Promise.resolve([PLACE.state]),
    districts: () => Promise.resolve([PLACE.district]),
    tehsils: () => Promise.resolve([PLACE.tehsil]),
    tehsilUnits: () => Promise.resolve([PLACE.tehsil]),
    findState: (slug) => Promise.resolve(slug === 'nadi_pradesh' ? PLACE.state : undefined),
    findDistrict: (_, slug) => Promise.resolve(slug === 'east_nadi' ? PLACE.district : undefined),
    findTehsil: (_, slug) => Promise.resolve(slug === 'jal_gaon' ? PLACE.tehsil : undefined),
    placeOfTehsil: () => Promise.resolve(PLACE),
    namesOf: unused,
    tehsilsWithin: unused,
    namesakesOf: () => Promise.resolve([]),
    mwsOf: () => Promise.resolve(MWS),
    villagesOf: () => Promise.resolve([]),
    saveBundle: unused,
    saveChanges: unused,
    importedTehsils: () => Promise.resolve([]),
    removeTehsil: unused,
    setActive: unused,
    datasets: () => Promise.resolve([]),
    seedDatasets: unused,
    ...change,
  };
}

const BANDS = ['blue', 'green', 'red', 'nir', 'swir16', 'scl'];

/** Returns a scene over `PLACE` on a day, with all bands. */
export const scene = (day: string, change: Partial<Scene> = {}): Scene => ({
  id: `S2_${day}`,
  itemHref: `https://stac.example.org/items/S2_${day}`,
  collection: 'sentinel-2-l2a',
  datetime: `${day}T05:30:00.000Z`,
  bands: Object.fromEntries(
    BANDS.map((b) => [b, { href: `/data/${day}/${b}.tif`, offset: 0, scale: 0.0001, nodata: 0 }]),
  ),
  crs: 'EPSG:32643',
  bbox: [75, 23, 76, 24],
  processing: {},
  synthetic: false,
  ...change,
});

/** A catalogue that returns these scenes for every query. */
export const finds = (scenes: readonly Scene[]): EarthObservation => ({
  search: () => Promise.resolve({ scenes, rejected: [] }),
});

/** Requests that the engine received. */
export interface EngineRequests {
  readonly plans: PixelPlan[];
  readonly combined: CombinePlan[];
  readonly cogs: WriteCogRequest[];
  readonly released: string[];
}

const unused = () => Promise.reject(new Error('the pipeline does not use this'));

export const noRequests = (): EngineRequests => ({ plans: [], combined: [], cogs: [], released: [] });

/** An engine that records its requests and returns fixed results. If `clear` is false, no scene contributes a value. */
export function fakePixels(requests: EngineRequests, { clear = true }: { readonly clear?: boolean } = {}): PixelEngine {
  const planes = (plan: PixelPlan | CombinePlan, tag: string) =>
    Object.fromEntries(plan.outputs.map((o) => [o.name, { key: `${tag}/${o.name}`, grid: plan.grid }]));
  return {
    execute: (plan) => {
      requests.plans.push(plan);
      const outputs = planes(plan, plan.steps[0]?.start ?? '');
      return Promise.resolve({
        outputs,
        contributing: clear ? plan.scenes.map((s) => s.id) : [],
        unused: {},
        skipped: {},
        pieces: { computed: 1, outside: 0 },
        decodedPixels: 10,
      });
    },
    combine: (plan) => {
      requests.combined.push(plan);
      return Promise.resolve(planes(plan, 'combined'));
    },
    writeCog: (request) => {
      requests.cogs.push(request);
      const histogram = Array.from({ length: 256 }, (_, v) => ({ 1: 900, 2: 60, 3: 30, 4: 10 })[v] ?? 0);
      return Promise.resolve({
        path: request.path,
        bytes: 4,
        sha256: 'a'.repeat(64),
        grid: request.grid,
        histogram,
        inside: 1000,
      });
    },
    zonal: ({ zones }) =>
      Promise.resolve(
        Object.fromEntries(zones.map((z) => [z.id, Array.from({ length: 256 }, (_, v) => (v < 13 ? v / 2 : 0))])),
      ),
    whole: unused,
    read: unused,
    fromValues: unused,
    gridOf: unused,
    zonalValues: unused,
    zonalPairs: unused,
    zonalMeans: unused,
    valuesIn: unused,
    thumbnail: () => Promise.resolve(),
    zoneThumbnail: () => Promise.resolve(),
    release: (rasters) => {
      requests.released.push(...rasters.map((r) => r.key));
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  };
}

/** Remedies in error messages. */
export const REMEDIES = {
  placeData: 'ask your operator',
  scenes: 'Bring scenes.',
  elevation: 'Bring a DEM.',
  orchestrator: 'Bring one.',
  callers: 'Let them in.',
  sceneEngines: 'Give them.',
} as const;

/** Addresses of a service at `http://localhost:8000`. */
const ADDRESSES: Addresses = {
  catalog: () => 'http://localhost:8000/stac/',
  collection: (path) => `http://localhost:8000/stac/${path}/`,
  item: (path, id) => `http://localhost:8000/stac/${path}/items/${id}/`,
  file: (key) => `http://localhost:8000/files/${key}`,
  features: (workspace, layer) => `http://localhost:8000/features/${workspace}:${layer}`,
  table: (path, name, form) => `http://localhost:8000/tables/${path}/${name}.${form}`,
  coverage: (workspace, layer) => `http://localhost:8000/coverages/${workspace}:${layer}`,
};

/** Reader of published layers in a service without published layers. */
export const NOTHING_PUBLISHED = createPublishedLayers(createMemoryDomainStores(), createMemoryAssets());

/** Returns ports that consist of fakes; `written` collects the text files. */
export function fakePorts(change: Partial<PipelinePorts>, written: Map<string, string>): PipelinePorts {
  const file = (id: string, token: number, name: string) => ({
    key: `${id}/${token}/${name}`,
    bytes: 4,
    sha256: 'b'.repeat(64),
  });
  return {
    places: directory(),
    earthObservation: finds([]),
    pixels: fakePixels(noRequests()),
    assets: {
      begin: () => Promise.resolve('/assets/run'),
      write: (...[id, token, name, body]) => {
        if (typeof body === 'string') written.set(name, body);
        return Promise.resolve(file(id, token, name));
      },
      stat: (id, token, name) => Promise.resolve(file(id, token, name)),
      remove: () => Promise.resolve(),
      open: () => Promise.resolve(undefined),
      discard: () => Promise.resolve(),
    },
    published: NOTHING_PUBLISHED,
    addresses: ADDRESSES,
    remedies: REMEDIES,
    version: '0.1.0',
    now: () => new Date('2025-01-02T03:04:05Z'),
    ...change,
  };
}

const RUN = await claimed();

async function claimed(): Promise<Run> {
  const { runs } = createMemoryDomainStores();
  await runs.enqueue({ id: 'run-1', pipeline: 'lulc_for_tehsil', params: {}, fingerprint: '', ownerId: 1 });
  const run = await runs.claim({
    workerId: 'fixture',
    leaseMs: 30_000,
    pipelines: ['lulc_for_tehsil'],
    maxAttempts: 3,
  });
  if (run === undefined) throw new Error('the memory store returned no run to its only worker');
  return run;
}

/** A context that collects log lines and the names of steps with progress. */
export function fakeContext(lines: string[] = [], steps: string[] = []): PipelineContext {
  const quiet = () => undefined;
  return {
    run: RUN,
    signal: new AbortController().signal,
    progress: (step) => void (steps.at(-1) === step || steps.push(step)),
    log: (line) => void lines.push(line),
    logger: { debug: quiet, info: quiet, error: quiet },
  };
}

/** Six dates of a hydrological year in six different 16-day steps, which are enough for a run. */
export const days = (year: number): string[] => [
  ...['08-03', '10-10', '11-20'].map((day) => `${year}-${day}`),
  ...['01-05', '02-20', '04-20'].map((day) => `${year + 1}-${day}`),
];

/** Returns the parameters of a run over these years of `PLACE`. */
export const params = (startYear: number, endYear: number) => ({ tehsilId: 3, startYear, endYear, eoAccountId: 1 });

/** Prepares a run over these years; collects its requests, files, log lines and steps. */
export async function runWith(years: readonly number[], change: Partial<PipelinePorts> = {}) {
  const requests = noRequests();
  const written = new Map<string, string>();
  const [lines, steps]: [string[], string[]] = [[], []];
  const scenes = years.flatMap((y) => days(y).map((d) => scene(d)));
  const ports = fakePorts({ earthObservation: finds(scenes), pixels: fakePixels(requests), ...change }, written);
  const context: { -readonly [K in keyof PipelineContext]: PipelineContext[K] } = fakeContext(lines, steps);
  const run = () => lulcPipeline.execute(params(years[0] ?? 0, years.at(-1) ?? 0), ports, context);
  return { requests, written, lines, steps, run, context, ports };
}
