import { DomainError } from '@headwater/core/errors';
import type { PaneMask, SceneMasks } from './pane-mask.ts';
import type { BrokenScene, Section } from './plan-tasks.ts';
import type { PreparedScene } from './prepared.ts';

/** Which scenes of a plan are in use, which of them gave something, and why the others are left out. */
export class SceneLedger {
  /** Scene id -> reason. */
  readonly skipped: Record<string, string>;
  readonly #scenes: readonly PreparedScene[];
  readonly #masks = new Map<string, SceneMasks>();
  readonly #contributing = new Set<string>();
  /** Scenes without a clear pixel where it matters: id -> reason. */
  readonly #idle = new Map<string, string>();

  /** Throws `no_scenes` where no scene can be used. */
  constructor(scenes: readonly PreparedScene[], skipped: Readonly<Record<string, string>>) {
    this.#scenes = scenes;
    this.skipped = { ...skipped };
    this.#check();
  }

  /** Takes a scene into use with what its mask says; null = it meets no pane. */
  use(id: string, masks: ReadonlyMap<number, PaneMask> | null): void {
    if (masks === null) this.#idle.set(id, 'does not meet the area');
    else if (![...masks.values()].some(({ clear }) => clear !== null)) this.#idle.set(id, 'no clear pixel in the area');
    if (masks !== null && masks.size > 0) this.#masks.set(id, masks);
  }

  /** Takes a scene into use whose pixels are all clear. */
  useWhole(id: string): void {
    this.#masks.set(id, null);
  }

  /** Notes that a scene gave something to the results. */
  contributed(id: string): void {
    this.#contributing.add(id);
  }

  /** Leaves out a scene whose file broke; throws `no_scenes` where it was the last one. */
  leaveOut({ sceneId, reason }: Omit<BrokenScene, 'kind'>): void {
    this.skipped[sceneId] = reason;
    this.#masks.delete(sceneId);
    this.#check();
  }

  /** True for a scene that could not be used or broke since. */
  isLeftOut(id: string): boolean {
    return Object.hasOwn(this.skipped, id);
  }

  /** What the masks of the scenes say of the panes of a section; scenes that have nothing there are absent. */
  masksIn({ panes }: Section): Map<string, SceneMasks> {
    const found = new Map<string, SceneMasks>();
    for (const [id, masks] of this.#masks) {
      if (masks === null) {
        found.set(id, null);
        continue;
      }
      const here = panes.flatMap((pane) => {
        const mask = masks.get(pane.id);
        return mask === undefined ? [] : [[pane.id, mask] as const];
      });
      if (here.length > 0) found.set(id, new Map(here));
    }
    return found;
  }

  /** Ids of the scenes that gave something, by day of acquisition. */
  contributing(): string[] {
    return this.#scenes.map(({ id }) => id).filter((id) => this.#contributing.has(id));
  }

  /** Why scenes that could be read gave nothing. */
  unused(): Readonly<Record<string, string>> {
    const idle = this.#scenes.filter(({ id }) => !this.isLeftOut(id) && !this.#contributing.has(id));
    return Object.fromEntries(
      idle.map(({ id, shared }) => [
        id,
        this.#idle.get(id) ?? (shared ? 'other scenes of its day give its pixels' : 'no data'),
      ]),
    );
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
