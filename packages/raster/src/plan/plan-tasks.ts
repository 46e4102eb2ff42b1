import type { PixelWindow } from '../pixels/pixel-window.ts';
import type { PaneMask, PaneWindow, SceneMasks } from './pane-mask.ts';

/** A window of the grid for one worker: cut on tile borders, up to 2 x 2 panes that share their 20 m tiles. */
export interface Section {
  readonly window: PixelWindow;
  readonly panes: readonly PaneWindow[];
}

/** Task to compute the clear pixels of one scene. */
export interface MaskTask {
  readonly kind: 'mask';
  readonly sceneId: string;
}

/** Task to compute the outputs of one section. */
export interface SectionTask {
  readonly kind: 'section';
  readonly section: Section;
  /** Scene id -> its masks in the section's panes; missing scenes are not read. */
  readonly masks: ReadonlyMap<string, SceneMasks>;
}

/** Task of a worker. */
export type PlanTask = MaskTask | SectionTask;

/** Masks of a scene by pane, and the number of pixels that were decoded for these masks. Null if the scene overlaps no pane. */
export interface MaskReply {
  readonly kind: 'mask';
  readonly masks: ReadonlyMap<number, PaneMask> | null;
  readonly decoded: number;
}

/** Reply to a section task. */
export interface SectionReply {
  readonly kind: 'section';
  /** Scenes that were read for the section. */
  readonly used: readonly string[];
  /** Scenes that contributed at least one value. */
  readonly valued: readonly string[];
  readonly decoded: number;
}

/**
 * Kind of the reason for an unusable scene. Its file is broken, its server did not respond (but may respond later), or
 * the name of its server could not be resolved.
 */
export type SceneTrouble = 'input_data' | 'unavailable' | 'unresolved';

/** Reply for a scene with a file that proved broken or unavailable during a task: the scene is to be left out. */
export interface BrokenScene {
  readonly kind: 'broken';
  readonly sceneId: string;
  readonly reason: string;
  readonly code: SceneTrouble;
}

/** Reply of a worker. */
export type PlanReply = MaskReply | SectionReply | BrokenScene;
