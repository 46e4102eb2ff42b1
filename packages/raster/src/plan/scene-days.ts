import type { PaneMask } from './pane-mask.ts';
import type { PreparedScene } from './prepared.ts';

/** A scene with useful pixels in a pane; mask null = all pixels are clear. */
export interface PaneScene {
  readonly scene: PreparedScene;
  readonly mask: PaneMask | null;
}

/** The scenes of one solar day, in order of priority. */
export type SceneDay = readonly PaneScene[];

/** Days of a step on which a pane has a clear pixel; `scenes` must be sorted by day. */
export function sceneDays(scenes: readonly PaneScene[], step: number): readonly SceneDay[] {
  const days = new Map<string, PaneScene[]>();
  for (const entry of scenes) {
    if (!entry.scene.steps.includes(step)) continue;
    const day = days.get(entry.scene.day) ?? [];
    days.set(entry.scene.day, [...day, entry]);
  }
  return [...days.values()].map(upToLastClear).filter((day) => day.length > 0);
}

/** Drops the scenes after the last scene with a clear pixel: a scene without clear pixels affects only later scenes. */
function upToLastClear(day: SceneDay): SceneDay {
  return day.slice(0, day.findLastIndex(({ mask }) => mask === null || mask.clear !== null) + 1);
}
