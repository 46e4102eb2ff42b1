import type { SceneBand } from '@headwater/core/pixel-plan';
import { type Remote, type RemoteSettings, threadRemote } from '../remote/remote.ts';
import type { TiffLayout, TiffLevel } from '../tiff/layout.ts';
import { openRaster } from '../tiff/open-raster.ts';
import type { SceneTrouble } from './plan-tasks.ts';
import { sceneTrouble } from './scene-files.ts';
import { serveTasks } from './workers/serve.ts';

/** Data for the worker that reads headers. */
export interface HeaderWork {
  readonly network: RemoteSettings;
}

/** Files of one scene by the name of the band. */
export type HeaderFiles = ReadonlyMap<string, SceneBand>;

/** Layouts of all files of a scene, or the reason why the scene cannot be used. */
export type SceneHeaders =
  | { readonly layouts: ReadonlyMap<string, TiffLayout> }
  | { readonly reason: string; readonly code: SceneTrouble };

serveTasks(async (report, _share, { network: settings }: HeaderWork) => {
  const remote = threadRemote(settings, report);
  return (scenes: readonly HeaderFiles[]): Promise<readonly SceneHeaders[]> =>
    Promise.all(scenes.map((files) => readScene(files, remote)));
});

async function readScene(files: HeaderFiles, remote: Remote): Promise<SceneHeaders> {
  const layouts = new Map<string, TiffLayout>();
  try {
    for (const [name, { href, within }] of files) {
      const file = await openRaster(href, { ...remote, within });
      file.close();
      layouts.set(name, shareLayout(file.layout));
    }
    return { layouts };
  } catch (error) {
    const trouble = sceneTrouble(error);
    if (trouble === undefined) throw error;
    return trouble;
  }
}

/** Drops the overviews, and puts the tile tables into shared memory, because a year of scenes has millions of tiles. */
function shareLayout(layout: TiffLayout): TiffLayout {
  const { levels, mask } = layout;
  return { ...layout, levels: shareFirst(levels), mask: mask && { ...mask, levels: shareFirst(mask.levels) } };
}

const shareFirst = (levels: readonly TiffLevel[]): readonly TiffLevel[] =>
  levels
    .slice(0, 1)
    .map((level) => ({ ...level, offsets: shared(level.offsets), byteCounts: shared(level.byteCounts) }));

function shared(table: Float64Array): Float64Array {
  const copy = new Float64Array(new SharedArrayBuffer(table.byteLength));
  copy.set(table);
  return copy;
}
