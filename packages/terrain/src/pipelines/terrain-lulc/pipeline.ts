import {
  type ComputedPlace,
  type Deliverable,
  type LayerNeed,
  loadPlace,
  type OpenedLayer,
  type Pipeline,
  type PipelineContext,
  type PipelinePorts,
  requestOfPlace,
  type ScratchRaster,
  type WorkContext,
} from '@headwater/core';
import {
  checkBoundary,
  createStepClock,
  inputsOfNeeds,
  isGridAround,
  isOutputGrid,
  openFiles,
} from '@headwater/layer-kit';
import type { CoveredTerrain } from '../../zones/land-cover-by-terrain.ts';
import { landformsNeed } from '../terrain-raster/landforms-need.ts';
import { resolveWithMws, terrainBasics } from '../shared/request.ts';
import { TERRAIN_RASTER } from '../terrain-raster/pipeline.ts';
import { makeCodes } from './make-codes.ts';
import type { LandCoverMaker } from './maker.ts';
import { publishTerrainLulc } from './publish.ts';
import { terrainLulcParams, type TerrainLulcParams, terrainLulcRequest, type TerrainLulcRequest } from './request.ts';
import { METHOD } from './words.ts';

/** Land cover on slopes and on plains, by micro-watershed: a pipeline for each, over the land cover that `maker` makes. */
export const createTerrainLulcPipelines = (maker: LandCoverMaker) =>
  [terrainLulcPipeline('slope', maker), terrainLulcPipeline('plain', maker)] as const;

function terrainLulcPipeline(
  terrain: CoveredTerrain,
  maker: LandCoverMaker,
): Pipeline<TerrainLulcRequest, TerrainLulcParams> {
  const basics = terrainBasics(`terrain_lulc_${terrain}_cluster`, METHOD);
  const { name, examples } = basics;
  const needs = (asked: TerrainLulcParams, job: ComputedPlace) => needsOf(asked, { job, maker });
  const years = { startYear: 2021, endYear: 2021 };
  const [first, second] = examples;
  return {
    ...basics,
    summary: `Computes which land cover lies on the ${terrain}s of each micro-watershed from the terrain raster and the published land cover of years.`,
    examples: [
      { ...first, request: { ...first.request, ...years } },
      { ...second, request: { ...second.request, ...years } },
    ],
    messages: { initiated: `${name} task initiated`, finished: `${name} finished` },
    keywords: ['terrain', 'land cover'],
    data: [`terrain_lulc_${terrain}`],
    request: terrainLulcRequest,
    params: terrainLulcParams,
    resolve: async (asked, ports) => {
      const { startYear, endYear } = asked;
      maker.checkYears({ startYear, endYear }, ports.now());
      return { ...(await resolveWithMws(asked, ports)), startYear, endYear };
    },
    fingerprint: (asked) => [basics.fingerprint(asked), asked.startYear, asked.endYear].join(':'),
    dependsOn: [TERRAIN_RASTER, maker.pipeline],
    needs: async (asked, ports) => needs(asked, await loadPlace(asked.tehsilId, ports)),
    inputs: async (asked, ports) => {
      const job = await loadPlace(asked.tehsilId, ports);
      return inputsOfNeeds(job, needs(asked, job), ports);
    },
    steps: [
      { name: 'combine', weight: 6 },
      { name: 'zonal', weight: 3 },
      { name: 'publish', weight: 1 },
    ],
    execute: (asked, ports, context) => execute(asked, { terrain, maker, ports, context }),
  };
}

/** The landforms, then the land cover of each year; one request makes all years, since they are corrected over all of them. */
function needsOf(
  { startYear, endYear, eoAccountId }: TerrainLulcParams,
  { job, maker }: { readonly job: ComputedPlace; readonly maker: LandCoverMaker },
): readonly LayerNeed[] {
  const { pipeline, workspace } = maker;
  const asked = { ...requestOfPlace(job, eoAccountId), startYear, endYear };
  const years = Array.from({ length: endYear - startYear + 1 }, (_, index) => startYear + index);
  const { id: tehsilId } = job.place.tehsil;
  const made = { kind: 'layer', workspace, tehsilId, place: job, pipeline, request: asked } as const;
  return [
    landformsNeed(job, eoAccountId),
    ...years.map((year): LayerNeed => ({ ...made, layerName: maker.layerName(job.slugs, year) })),
  ];
}

interface Tools {
  readonly terrain: CoveredTerrain;
  readonly maker: LandCoverMaker;
  readonly ports: PipelinePorts;
  readonly context: PipelineContext;
}

async function execute(asked: TerrainLulcParams, tools: Tools): Promise<Deliverable> {
  const { ports, context, maker } = tools;
  const scratch: ScratchRaster[] = [];
  try {
    const clock = createStepClock(ports, context);
    const job = await loadPlace(asked.tehsilId, ports);
    const needs = needsOf(asked, { job, maker });
    // Before the layers are opened: a version that comes meanwhile differs from what is told.
    const inputs = await inputsOfNeeds(job, needs, ports);
    const { landforms, years } = await openSources(needs, job, ports);
    const work = (step: string): WorkContext => ({
      signal: context.signal,
      progress: (share) => context.progress(step, share),
    });
    const keep = (rasters: readonly ScratchRaster[]): void => void scratch.push(...rasters);
    const codes = await clock.step('combine', () =>
      makeCodes({ landforms, years }, { job, ports, keep, work: work('combine') }),
    );
    context.log(`Land cover on ${tools.terrain}s: ${years.length} years on the landforms of run ${landforms.runId}`);
    const files = await openFiles(ports, context.run);
    const sources = { asked, terrain: tools.terrain, codes, landforms, years };
    const runId = context.run.id;
    const made = await publishTerrainLulc(sources, { job, ports, runId, files, clock, work: work('zonal') });
    return { ...made, timings: clock.seconds(), inputs };
  } finally {
    await ports.pixels.release(scratch);
  }
}

async function openSources(
  needs: readonly LayerNeed[],
  job: ComputedPlace,
  { published, pixels }: Pick<PipelinePorts, 'published' | 'pixels'>,
): Promise<{ readonly landforms: OpenedLayer; readonly years: readonly OpenedLayer[] }> {
  const opened = [];
  for (const [index, need] of needs.entries()) {
    const source = await published.layerFile(need.workspace, need.layerName);
    await checkBoundary(job, { need, source, isGridOf: index === 0 ? isGridAround : isOutputGrid }, pixels);
    opened.push(source);
  }
  const [landforms, ...years] = opened;
  if (landforms === undefined) throw new Error('the landforms are the first of the needs');
  return { landforms, years };
}
