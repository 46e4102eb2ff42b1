import type { PixelWindow } from '../pixels/pixel-window.ts';
import type { PaneMask, PaneWindow, SceneMasks } from './pane-mask.ts';

/** A window of the grid that one worker composites: cut on tile borders, up to 2 x 2 panes that share their 20 m tiles. */
export interface Section {
  readonly window: PixelWindow;
  readonly panes: readonly PaneWindow[];
}

/** Asks for the clear pixels of one scene. */
export interface MaskTask {
  readonly kind: 'mask';
  readonly sceneId: string;
}

/** Asks for the outputs of one section. */
export interface SectionTask {
  readonly kind: 'section';
  readonly section: Section;
  /** Scene id -> its masks of the section's panes; scenes that are absent are not read. */
  readonly masks: ReadonlyMap<string, SceneMasks>;
}

/** What a worker is asked. */
export type PlanTask = MaskTask | SectionTask;

/** What a scene's mask says by pane, null where the scene meets none, and the pixels that were decoded for it. */
export interface MaskReply {
  readonly kind: 'mask';
  readonly masks: ReadonlyMap<number, PaneMask> | null;
  readonly decoded: number;
}

/** What a finished section was made of. */
export interface SectionReply {
  readonly kind: 'section';
  /** Scenes that were read for it. */
  readonly used: readonly string[];
  /** Scenes that gave at least one value. */
  readonly valued: readonly string[];
  readonly decoded: number;
}

/** Why a scene cannot be used: its file is broken, or its server did not answer and may do so another time. */
export type SceneTrouble = 'input_data' | 'unavailable';

/** A file of a scene broke or could not be had while it was read: the scene is to be left out. */
export interface BrokenScene {
  readonly kind: 'broken';
  readonly sceneId: string;
  readonly reason: string;
  readonly code: SceneTrouble;
}

/** What a worker answers. */
export type PlanReply = MaskReply | SectionReply | BrokenScene;
