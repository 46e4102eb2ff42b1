import { DomainError } from '@headwater/core/errors';
import type { PaneMask, SceneMasks } from './pane-mask.ts';
import type { BrokenScene, Section } from './plan-tasks.ts';
import type { PreparedScenes } from './prepare.ts';
import type { PreparedScene } from './prepared.ts';

/** Which scenes of a plan are in use, which of them gave something, and why the others are left out. */
export class SceneLedger {
  /** Scene id -> reason; a map, since an id may be `__proto__`. */
  readonly #skipped: Map<string, string>;
  readonly #scenes: readonly PreparedScene[];
  readonly #masks = new Map<string, SceneMasks>();
  readonly #contributing = new Set<string>();
  /** Scenes without a clear pixel where it matters: id -> reason. */
  readonly #idle = new Map<string, string>();

  /** Scenes whose servers did not answer. */
  readonly #unavailable: Set<string>;
  readonly #all: number;
  readonly #mayMiss: number;

  /** Throws `unavailable` where more than the share `mayMiss` of all scenes could not be had, `no_scenes` where none can be used. */
  constructor({ scenes, skipped, unavailable }: PreparedScenes, mayMiss = 1) {
    this.#scenes = scenes;
    this.#all = scenes.length + skipped.size;
    this.#mayMiss = mayMiss;
    this.#skipped = new Map(skipped);
    this.#unavailable = new Set(unavailable);
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

  /** Leaves out a scene whose file broke or could not be had; throws as the constructor does where it was the last one. */
  leaveOut({ sceneId, reason, code }: Omit<BrokenScene, 'kind'>): void {
    this.#skipped.set(sceneId, reason);
    if (code === 'unavailable') this.#unavailable.add(sceneId);
    this.#masks.delete(sceneId);
    this.#check();
  }

  /** True for a scene that could not be used or broke since. */
  isLeftOut(id: string): boolean {
    return this.#skipped.has(id);
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

  /** Why scenes are left out: id -> reason. */
  skipped(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#skipped);
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

  /** Ids of the scenes that could not be had because their servers did not answer, ascending. */
  unavailable(): string[] {
    return [...this.#unavailable].toSorted();
  }

  #check(): void {
    const missing = this.unavailable();
    if (missing.length > this.#mayMiss * this.#all) throw this.#tooFew(missing);
    if (!this.#scenes.every(({ id }) => this.isLeftOut(id))) return;
    throw noScenes(this.skipped(), missing.length > 0 ? 'unavailable' : 'no_scenes');
  }

  #tooFew(missing: readonly string[]): DomainError {
    const [first = ''] = missing;
    const most = `${Math.round(1000 * this.#mayMiss) / 10} %`;
    const message = `${missing.length} of ${this.#all} scenes could not be had, at most ${most} may be missing (${first}: ${this.#skipped.get(first) ?? ''})`;
    return new DomainError('unavailable', message, { details: { missing } });
  }
}

/** Says every reason, for a plan in which no scene is left. */
function noScenes(skipped: Readonly<Record<string, string>>, code: 'unavailable' | 'no_scenes'): DomainError {
  const reasons = Object.entries(skipped).map(([id, reason]) => `${id}: ${reason}`);
  const message =
    reasons.length === 0
      ? 'no scene falls into the period; add scenes for it or choose other years'
      : reasons.length === 1
        ? `the only scene cannot be used (${reasons[0] ?? ''}); repair or replace it`
        : `none of the ${reasons.length} scenes can be used (${reasons.slice(0, 3).join('; ')}); repair or replace them`;
  return new DomainError(code, message, { details: { skipped } });
}
