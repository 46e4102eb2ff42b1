import { DomainError } from '@headwater/core/errors';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import type { BrokenScene } from './plan-tasks.ts';
import type { PreparedScene } from './prepared.ts';
import { clearIn } from './scene-mask.ts';
import type { SceneMask } from './scene-mask.ts';

/** Which scenes of a plan are in use, which of them gave something, and why the others are left out. */
export class SceneLedger {
  /** Scene id -> reason. */
  readonly skipped: Record<string, string>;
  readonly #scenes: readonly PreparedScene[];
  /** Scenes in use; null = no mask, all pixels clear. */
  readonly #masks = new Map<string, SceneMask | null>();
  readonly #contributing = new Set<string>();

  /** Throws `no_scenes` where no scene can be used. */
  constructor(scenes: readonly PreparedScene[], skipped: Readonly<Record<string, string>>) {
    this.#scenes = scenes;
    this.skipped = { ...skipped };
    this.#check();
  }

  /** Takes a scene into use. */
  use(id: string, mask: SceneMask | null): void {
    this.#masks.set(id, mask);
  }

  /** Notes that a scene gave something to the results. */
  contributed(id: string): void {
    this.#contributing.add(id);
  }

  /** Leaves out a scene whose file broke; throws `no_scenes` where it was the last one. */
  leaveOut({ sceneId, reason }: Omit<BrokenScene, 'kind'>): void {
    this.skipped[sceneId] = reason;
    this.#masks.delete(sceneId);
    this.#contributing.delete(sceneId);
    this.#check();
  }

  /** True for a scene that could not be used or broke since. */
  isLeftOut(id: string): boolean {
    return Object.hasOwn(this.skipped, id);
  }

  /** Masks of the scenes that may have a clear pixel in a window of the grid. */
  masksIn(window: PixelWindow): Map<string, SceneMask | null> {
    return new Map([...this.#masks].filter(([, mask]) => mask === null || clearIn(mask, window)));
  }

  /** Ids of the scenes that gave something, by day of acquisition. */
  contributing(): string[] {
    return this.#scenes.map(({ id }) => id).filter((id) => this.#contributing.has(id));
  }

  #check(): void {
    if (this.#scenes.every(({ id }) => this.isLeftOut(id))) throw noScenes(this.skipped);
  }
}

/** Says every reason, for a plan in which no scene is left. */
function noScenes(skipped: Readonly<Record<string, string>>): DomainError {
  const reasons = Object.entries(skipped).map(([id, reason]) => `${id}: ${reason}`);
  const message =
    reasons.length === 0
      ? 'no scene falls into the period; add scenes for it or choose other years'
      : `none of the ${reasons.length} scenes can be used (${reasons.slice(0, 3).join('; ')}); repair or replace them`;
  return new DomainError('no_scenes', message, { details: { skipped } });
}
