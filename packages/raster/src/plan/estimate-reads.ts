import type { WorkContext } from '@headwater/core';
import type { PixelPlan } from '@headwater/core/pixel-plan';
import type { ReadEstimate } from '@headwater/core/ports';
import { spreadSample } from '@headwater/core/values';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import { sampleBytes } from '../pixels/pixel-array.ts';
import { HEAD_BYTES } from '../tiff/http-source.ts';
import { runsOfTiles } from '../tiff/raster-file.ts';
import { type TilePart, tilesOf } from '../tiff/tiles-of.ts';
import { sourceWindow } from '../warp/resample.ts';
import { underWindow } from './alignment.ts';
import { areaMap } from './area-map.ts';
import { type CutGrid, cutSections, isContinued } from './cut-sections.ts';
import type { ExecuteTools } from './execute.ts';
import { type DatedSteps, daysIn, paneMemory, unfinishedBytes } from './memory-budget.ts';
import { datedScenes, prepareScenes } from './prepare.ts';
import type { PreparedBand, PreparedScene, PreparedStep } from './prepared.ts';

const SAMPLED = 12;

/** Memory of the process without the panes (parts of the grid in work), bytes; from the benchmark `dry_run_memory`. */
const BASE_BYTES = 275e6;

interface Reads {
  bytes: number;
  requests: number;
  decoded: number;
}

/**
 * Estimates the reads of a plan from the headers of at most twelve scenes. A run reads less, because it skips the bands
 * of cloudy scenes.
 */
export async function estimateReads(
  plan: PixelPlan,
  { signal }: Pick<WorkContext, 'signal'>,
  { threads, network = {} }: Pick<ExecuteTools, 'threads' | 'network'>,
): Promise<ReadEstimate> {
  const dated = datedScenes(plan);
  const sampled = spreadSample(dated, SAMPLED).map(({ scene }) => scene);
  const found = await prepareScenes({ ...plan, scenes: sampled }, { signal, network, onWait: () => {} });
  const { grid, indices } = plan;
  const area = areaMap(grid, plan.area);
  const days = dated.map(({ day, at }) => ({ day, steps: at }));
  const { sections, tilesAcross } = cutSections({ plan: { grid, indices, ...found }, area, threads, dated: days });
  const reads: Reads = { bytes: 0, requests: 0, decoded: 0 };
  for (const scene of found.scenes) addScene(reads, scene, { plan, steps: found.steps, sections });
  const factor = found.scenes.length === 0 ? 0 : dated.length / sampled.length;
  const pixels = grid.cols * grid.rows;
  const planes = plan.outputs.reduce((sum, { type = 'uint8' }) => sum + sampleBytes(type), 0);
  return {
    scenes: dated.length,
    bytes: Math.round(reads.bytes * factor),
    requests: Math.round(reads.requests * factor),
    decodedPixels: Math.round(reads.decoded * factor),
    gridPixels: pixels,
    memoryBytes: memoryOf({ sections, steps: found.steps, days: daysIn(found.steps, days), threads, tilesAcross }),
    diskBytes: pixels * planes,
  };
}

/**
 * Memory in the worst case, in which each thread computes one of the largest sections, and has unfinished tiles of
 * each band and date.
 */
function memoryOf({
  sections,
  tilesAcross,
  threads,
  ...year
}: DatedSteps & Pick<CutGrid, 'sections' | 'tilesAcross'> & { readonly threads: number }): number {
  const unfinished = unfinishedBytes(year.steps, year.days, tilesAcross);
  const sizes = sections.map((section) => paneMemory(section, year, threads)).toSorted((a, b) => b - a);
  return BASE_BYTES + sizes.slice(0, threads).reduce((sum, bytes) => sum + bytes + unfinished, 0);
}

interface Counting {
  readonly plan: PixelPlan;
  readonly steps: readonly PreparedStep[];
  readonly sections: CutGrid['sections'];
}

function addScene(reads: Reads, scene: PreparedScene, { plan, steps, sections }: Counting): void {
  const panes = sections.flatMap((section) => section.panes);
  const files = [...Object.values(scene.bands), ...(scene.mask === null ? [] : [scene.mask])];
  for (const { remote } of files) {
    if (!remote) continue;
    reads.requests += 1;
    reads.bytes += HEAD_BYTES;
  }
  if (scene.mask !== null) addTiles(reads, scene.mask, { plan, windows: panes, isOnce: true });
  for (const step of scene.steps)
    for (const name of steps[step]?.bands ?? []) {
      const band = scene.bands[name];
      if (band === undefined) continue;
      for (const section of sections) {
        // A tile of 20 m that several panes of a section share is counted once. Any other tile that can be
        // decompressed in parts is counted once for each column of panes.
        const isShared = band.alignment.kind === 'aligned' && band.alignment.shift === 1;
        const isInColumns = !isShared && isContinued(band);
        const columns = isInColumns ? columnsOf(section.panes) : [section.panes];
        for (const windows of columns) addTiles(reads, band, { plan, windows, isOnce: isShared || isInColumns });
      }
    }
}

const columnsOf = (panes: readonly PixelWindow[]): readonly (readonly PixelWindow[])[] => [
  ...Map.groupBy(panes, ({ col }) => col).values(),
];

/** Adds the reads of tiles under windows. With `isOnce`, a tile under several windows is counted once. */
function addTiles(
  reads: Reads,
  { layout, alignment, remote }: PreparedBand,
  {
    plan,
    windows,
    isOnce,
  }: { readonly plan: PixelPlan; readonly windows: readonly PixelWindow[]; readonly isOnce: boolean },
): void {
  const [level] = layout.levels;
  if (level === undefined) return;
  const seen = new Set<number>();
  for (const window of windows) {
    const native =
      alignment.kind === 'aligned'
        ? underWindow(alignment, window).native
        : sourceWindow(plan.grid, window, { grid: layout.grid, margin: 1 });
    if (native === null) continue;
    const isRead = ({ index }: TilePart): boolean => (level.byteCounts[index] ?? 0) > 0 && !(isOnce && seen.has(index));
    const parts = tilesOf(level, native).filter(isRead);
    for (const { index, tileRows } of parts) {
      seen.add(index);
      reads.bytes += level.byteCounts[index] ?? 0;
      reads.decoded += level.tile.cols * tileRows;
    }
    if (remote) reads.requests += runsOfTiles(level, parts).length;
  }
}
