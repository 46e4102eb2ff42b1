import type { PixelWindow } from '../pixels/pixel-window.ts';
import type { PaneMask, PaneWindow, SceneMasks } from './pane-mask.ts';

/**
 * A window of the grid that one worker computes, cut at tile borders. The window consists of up to 2 x 2 panes (parts
 * that fit in memory), which share 20 m tiles.
 */
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
  /** Masks of each scene in the section's panes, by the id of the scene. A scene that is missing here is not read. */
  readonly masks: ReadonlyMap<string, SceneMasks>;
}

/** Task of a worker. */
export type PlanTask = MaskTask | SectionTask;

/**
 * Reply to a mask task: the masks of the scene by pane (null if the scene overlaps no pane), and the number of pixels that were
 * decoded for these masks.
 */
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
 * Kind of reason for which a scene cannot be used: its file is broken, its server did not respond (but may respond
 * later), or the name of its server could not be resolved.
 */
export type SceneTrouble = 'input_data' | 'unavailable' | 'unresolved';

/** Reply to a task that failed because a file of a scene is broken or unavailable. The scene must be left out. */
export interface BrokenScene {
  readonly kind: 'broken';
  readonly sceneId: string;
  readonly reason: string;
  readonly code: SceneTrouble;
}

/** Reply of a worker. */
export type PlanReply = MaskReply | SectionReply | BrokenScene;
