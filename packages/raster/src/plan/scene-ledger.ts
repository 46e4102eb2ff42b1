import { DomainError } from '@headwater/core/errors';
import type { PaneMask, SceneMasks } from './pane-mask.ts';
import type { BrokenScene, Section } from './plan-tasks.ts';
import type { PreparedScenes } from './prepare.ts';
import type { PreparedScene } from './prepared.ts';

/**
 * Records three things about the scenes of a plan: the scenes in use, the scenes that contributed values, and the reasons why all other scenes
 * are left out.
 */
export class SceneLedger {
  /**
   * Reason for each scene that is left out, by the id of the scene. The reasons are in a Map and not in an object,
   * because an id may be `__proto__`.
   */
  readonly #skipped: Map<string, string>;
  readonly #scenes: readonly PreparedScene[];
  readonly #masks = new Map<string, SceneMasks>();
  readonly #contributing = new Set<string>();
  /** Reason for each scene that overlaps no pane (part of the grid) or has no clear pixel in the area, by the id of the scene. */
  readonly #idle = new Map<string, string>();

  /** Ids of the scenes whose servers did not respond. */
  readonly #unavailable: Set<string>;
  /**
   * True if the name of at least one server could not be resolved. This is reported in the details of an error about missing
   * scenes.
   */
  #isUnresolved: boolean;
  readonly #all: number;
  readonly #mayMiss: number;

  /**
   * Throws `unavailable` if more than the share `mayMiss` of all scenes is unavailable, or if no scene can be used and some
   * scenes are unavailable. Throws `no_scenes` if no scene can be used for other reasons.
   */
  constructor({ scenes, skipped, unavailable, isUnresolved }: PreparedScenes, mayMiss = 1) {
    this.#scenes = scenes;
    this.#all = scenes.length + skipped.size;
    this.#mayMiss = mayMiss;
    this.#skipped = new Map(skipped);
    this.#unavailable = new Set(unavailable);
    this.#isUnresolved = isUnresolved;
    this.#check();
  }

  /**
   * Stores the masks of a scene (null if the scene overlaps no pane). If the scene cannot contribute, stores the
   * reason.
   */
  use(id: string, masks: ReadonlyMap<number, PaneMask> | null): void {
    if (masks === null) this.#idle.set(id, 'does not meet the area');
    else if (![...masks.values()].some(({ clear }) => clear !== null)) this.#idle.set(id, 'no clear pixel in the area');
    if (masks !== null && masks.size > 0) this.#masks.set(id, masks);
  }

  /** Adds a scene without a mask, whose pixels are all clear. */
  useWhole(id: string): void {
    this.#masks.set(id, null);
  }

  /** Records that a scene contributed values to the results. */
  contributed(id: string): void {
    this.#contributing.add(id);
  }

  /**
   * Leaves out a scene because a file of the scene is broken or unavailable. Throws the same errors as the constructor if too few
   * scenes remain.
   */
  leaveOut({ sceneId, reason, code }: Omit<BrokenScene, 'kind'>): void {
    this.#skipped.set(sceneId, reason);
    if (code !== 'input_data') this.#unavailable.add(sceneId);
    this.#isUnresolved ||= code === 'unresolved';
    this.#masks.delete(sceneId);
    this.#check();
  }

  /** True for a scene that could not be opened, or that was left out later because of a broken or unavailable file. */
  isLeftOut(id: string): boolean {
    return this.#skipped.has(id);
  }

  /** Masks of the scenes in the panes of a section; a scene without a useful pixel in these panes is absent. */
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

  /** Ids of the scenes that contributed values, sorted by day of acquisition. */
  contributing(): string[] {
    return this.#scenes.map(({ id }) => id).filter((id) => this.#contributing.has(id));
  }

  /** Reasons why scenes are left out, by the id of the scene. */
  skipped(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#skipped);
  }

  /** Reasons why scenes that could be read contributed no value, by the id of the scene. */
  unused(): Readonly<Record<string, string>> {
    const idle = this.#scenes.filter(({ id }) => !this.isLeftOut(id) && !this.#contributing.has(id));
    return Object.fromEntries(
      idle.map(({ id, shared }) => [
        id,
        this.#idle.get(id) ?? (shared ? 'other scenes of its day have its pixels' : 'no data'),
      ]),
    );
  }

  /** Ids of the scenes whose servers did not respond, in ascending order. */
  unavailable(): string[] {
    return [...this.#unavailable].toSorted();
  }

  #check(): void {
    const missing = this.unavailable();
    if (missing.length > this.#mayMiss * this.#all) throw this.#tooFew(missing);
    if (!this.#scenes.every(({ id }) => this.isLeftOut(id))) return;
    const details = { skipped: this.skipped(), ...this.#unresolved() };
    throw new DomainError(missing.length > 0 ? 'unavailable' : 'no_scenes', noScenes(details.skipped), { details });
  }

  #unresolved(): { readonly isUnresolved?: true } {
    return this.#isUnresolved ? { isUnresolved: true } : {};
  }

  #tooFew(missing: readonly string[]): DomainError {
    const [first = ''] = missing;
    const most = `${Math.round(1000 * this.#mayMiss) / 10} %`;
    const message = `${missing.length} of ${this.#all} scenes are unavailable, but at most ${most} may be missing. The first is ${first}: ${this.#skipped.get(first) ?? ''}. Start the run again when the server of the scenes responds`;
    return new DomainError('unavailable', message, { details: { missing, ...this.#unresolved() } });
  }
}

/** Error message for a plan without a usable scene; contains the first reasons. */
function noScenes(skipped: Readonly<Record<string, string>>): string {
  const reasons = Object.entries(skipped).map(([id, reason]) => `${id}: ${reason}`);
  if (reasons.length === 0) return 'no scene is in the period; add scenes for it or choose other years';
  if (reasons.length === 1) return `the only scene cannot be used (${reasons[0] ?? ''}); repair or replace it`;
  return `none of the ${reasons.length} scenes can be used (${reasons.slice(0, 3).join('; ')}); repair or replace them`;
}
