import { rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { messageOf } from '@headwater/core';
import { DomainError } from '@headwater/core/errors';
import type { MaskRule, PixelGrid, PlanScene, SceneBand } from '@headwater/core/pixel-plan';
import { PlatformError } from '../google-api.ts';
import type { ImageBand } from './images.ts';
import type { Requests } from './requests.ts';
import type { SceneFiles, StripFile } from './scene-files.ts';
import { pixelRequest, SAMPLE_BYTES, stripsOf } from './windows.ts';

/** Bytes of a response in addition to its pixels: header, tables, and growth by compression. */
const OVERHEAD_BYTES = 1_000_000;

/** Numbers of attempted requests, of received pixels (counted for each band), and of received bytes. */
export interface Tally {
  requests: number;
  pixels: number;
  bytes: number;
}

/** Files of the scenes of one plan. */
export interface Scratch {
  readonly folder: string;
  readonly mostBytes: number;
  bytes: number;
}

/** Tools for reading scenes. */
export interface SceneReading {
  readonly requests: Requests;
  readonly project: string;
  readonly workloadTag: string;
  readonly files: SceneFiles;
  readonly scratch: Scratch;
  readonly tally: Tally;
  readonly signal: AbortSignal;
  readonly abort: (reason: unknown) => void;
  readonly onWait: (note: string | null) => void;
}

/** Bands that a request can read together: names in the plan, and the bands of the image. */
export interface BandGroup {
  readonly names: readonly string[];
  readonly bands: readonly ImageBand[];
  readonly window: PixelGrid;
}

/** A scene to read: its number in the plan, and the window of each band. */
export interface WantedScene {
  readonly scene: PlanScene;
  readonly bands: ReadonlyMap<string, ImageBand & { readonly window: PixelGrid }>;
  readonly index: number;
}

/** Reads a scene into local files, the mask first. If no pixel is clear, the files of all other bands contain zeros. */
export async function takeScene(
  { scene, bands, index }: WantedScene,
  mask: MaskRule | null,
  reading: SceneReading,
): Promise<PlanScene> {
  const { files, scratch } = reading;
  const groups = groupsOf(bands, mask);
  const taken: Record<string, SceneBand> = {};
  let isClear = true;
  for (const [at, group] of groups.entries()) {
    const name = `${index}_${at}`;
    const isMask = mask !== null && group.names.includes(mask.band);
    const kept = isMask ? new Set(mask.keep) : undefined;
    const strips: readonly TakenStrip[] = isClear ? await readStrips({ ...group, name, kept }, reading) : [];
    for (const [band, of] of group.names.entries()) {
      const path = join(scratch.folder, `${name}_${band}.tif`);
      const type = isMask ? 'uint8' : 'uint16';
      await files.join({ path, grid: group.window, type, strips: strips.map(({ file }) => file), band });
      const usual = scene.bands[of];
      if (usual !== undefined) taken[of] = { ...usual, href: path };
      await addBytes(path, reading);
    }
    if (isMask) isClear = strips.some((strip) => strip.isClear);
    await Promise.all(strips.map(({ file }) => removeFile(file.path, scratch)));
  }
  return { ...scene, bands: taken };
}

/**
 * Groups of bands with equal grids, which one request can read. The band of the mask has its own group, because its
 * samples have another type.
 */
export function groupsOf(bands: WantedScene['bands'], mask: MaskRule | null): readonly BandGroup[] {
  const groups = new Map<string, { names: string[]; bands: ImageBand[]; window: PixelGrid }>();
  const names = [...bands.keys()].toSorted((a, b) => Number(b === mask?.band) - Number(a === mask?.band));
  for (const name of names) {
    const band = bands.get(name);
    if (band === undefined) continue;
    const key = name === mask?.band ? name : JSON.stringify(band.window);
    const group = groups.get(key) ?? { names: [], bands: [], window: band.window };
    group.names.push(name);
    group.bands.push(band);
    groups.set(key, group);
  }
  return [...groups.values()];
}

interface TakenStrip {
  readonly file: StripFile;
  /** True if the strip belongs to the mask and has a clear pixel. */
  readonly isClear: boolean;
}

interface GroupReading extends Pick<BandGroup, 'bands' | 'window'> {
  readonly name: string;
  readonly kept: ReadonlySet<number> | undefined;
}

/**
 * Reads the strips of a group. After a failure, all strips end before the error is thrown, so that no file is written
 * later.
 */
async function readStrips(group: GroupReading, reading: SceneReading): Promise<readonly TakenStrip[]> {
  const { bands, window, name } = group;
  const grids = stripsOf(window, bands.length, reading.requests.requestBytes);
  const read = await Promise.allSettled(
    grids.map(async (grid, at) => {
      const path = join(reading.scratch.folder, `${name}_strip${at}.tif`);
      try {
        return await readStrip({ path, grid, bands: bands.length }, group, reading);
      } catch (error) {
        reading.abort(error);
        throw error;
      }
    }),
  );
  return read.map((each) => {
    if (each.status === 'rejected') throw each.reason;
    return each.value;
  });
}

async function readStrip(file: StripFile, { bands, kept }: GroupReading, reading: SceneReading): Promise<TakenStrip> {
  const { requests, project, workloadTag, files, tally, signal, onWait } = reading;
  const pixels = file.grid.cols * file.grid.rows * bands.length;
  const request = {
    path: `/v1/projects/${project}/image:computePixels`,
    json: pixelRequest(bands, file.grid, workloadTag),
    most: 2 * pixels * SAMPLE_BYTES + OVERHEAD_BYTES,
    onRequest: () => void (tally.requests += 1),
    use: async (bytes: Uint8Array): Promise<boolean> => {
      tally.bytes += bytes.byteLength;
      await writeFile(file.path, bytes);
      try {
        const first = await files.check(file);
        return kept !== undefined && first.some((value) => kept.has(value));
      } catch (error) {
        signal.throwIfAborted();
        throw new PlatformError(
          'transient',
          `a response does not have the requested pixels (${reasonOf(error, file.path)})`,
        );
      }
    },
  };
  const isClear = await requests.pixels(request, { signal, onWait });
  tally.pixels += pixels;
  await addBytes(file.path, reading);
  return { file, isClear };
}

const reasonOf = (error: unknown, path: string): string => messageOf(error).replaceAll(path, 'the file');

/** Counts the size of a new file. Throws `storage_full` if the files of the plan exceed their limit. */
async function addBytes(path: string, { scratch }: Pick<SceneReading, 'scratch'>): Promise<void> {
  scratch.bytes += (await stat(path)).size;
  if (scratch.bytes <= scratch.mostBytes) return;
  const limit = Math.round(scratch.mostBytes / 1e6);
  const text = `The scenes that Earth Engine sent for one year take more than the limit of ${limit} MB; raise the limit in the settings of the service, or compute a smaller place.`;
  throw new DomainError('storage_full', text);
}

async function removeFile(path: string, scratch: Scratch): Promise<void> {
  scratch.bytes -= (await stat(path)).size;
  await rm(path, { force: true });
}
