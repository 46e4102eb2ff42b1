import type { PixelWindow } from '../pixels/pixel-window.ts';
import type { PaneMask, PaneWindow, SceneMasks } from './pane-mask.ts';

/** Window of the grid for one worker, cut at tile borders, and its panes (parts that fit in memory). */
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
  /** Masks in the section's panes by scene id. A scene without an entry is not read. */
  readonly masks: ReadonlyMap<string, SceneMasks>;
}

/** Task of a worker. */
export type PlanTask = MaskTask | SectionTask;

/** Reply to a mask task: masks by pane (null if the scene overlaps no pane), and number of decoded pixels. */
export interface MaskReply {
  readonly kind: 'mask';
  readonly masks: ReadonlyMap<number, PaneMask> | null;
  readonly decoded: number;
}

/** Reply to a section task. */
export interface SectionReply {
  readonly kind: 'section';
  /** Scenes with observed pixels in the panes. If one of them is left out later, the section is computed again. */
  readonly used: readonly string[];
  /** Scenes that contributed at least one value. */
  readonly valued: readonly string[];
  readonly decoded: number;
}

/** Reason why a scene cannot be used: broken file, no response, or unknown host name. */
export type SceneTrouble = 'input_data' | 'unavailable' | 'unresolved';

/** Reply to a task that failed because a file of a scene is broken or unavailable. */
export interface BrokenScene {
  readonly kind: 'broken';
  readonly sceneId: string;
  readonly reason: string;
  readonly code: SceneTrouble;
}

/** Reply of a worker. */
export type PlanReply = MaskReply | SectionReply | BrokenScene;
