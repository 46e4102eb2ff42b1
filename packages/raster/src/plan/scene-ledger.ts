import { DomainError } from '@headwater/core/errors';
import type { PaneMask, SceneMasks } from './pane-mask.ts';
import type { BrokenScene, Section } from './plan-tasks.ts';
import type { PreparedScenes } from './prepare.ts';
import type { PreparedScene } from './prepared.ts';

/** State of the scenes of a plan: in use, with values, or left out with a reason. */
export class SceneLedger {
  /** Reasons by scene id. This is a Map, because an id may be `__proto__`. */
  readonly #skipped: Map<string, string>;
  readonly #scenes: readonly PreparedScene[];
  readonly #masks = new Map<string, SceneMasks>();
  readonly #contributing = new Set<string>();
  /** Reasons of scenes without a clear pixel in the area, by id. */
  readonly #idle = new Map<string, string>();

  readonly #unavailable: Set<string>;
  /** True if a host name could not be resolved, for the details of an error. */
  #isUnresolved: boolean;
  readonly #all: number;
  readonly #mayMiss: number;

  /**
   * Throws `unavailable` if more than the share `mayMiss` of all scenes is unavailable. Without usable scenes, throws
   * `unavailable` if some are unavailable, otherwise `no_scenes`.
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
   * Stores the masks of a scene. Without a clear pixel, also stores the reason why the scene contributes no value.
   * `masks` is null if the scene overlaps no pane.
   */
  use(id: string, masks: ReadonlyMap<number, PaneMask> | null): void {
    if (masks === null) this.#idle.set(id, 'does not overlap the area');
    else if (![...masks.values()].some(({ clear }) => clear !== null)) this.#idle.set(id, 'no clear pixel in the area');
    if (masks !== null && masks.size > 0) this.#masks.set(id, masks);
  }

  /** Adds a scene without a mask, whose pixels are all clear. */
  useWhole(id: string): void {
    this.#masks.set(id, null);
  }

  contributed(id: string): void {
    this.#contributing.add(id);
  }

  /** Leaves out a scene with a broken or unavailable file. Throws the errors of the constructor. */
  leaveOut({ sceneId, reason, code }: Omit<BrokenScene, 'kind'>): void {
    this.#skipped.set(sceneId, reason);
    if (code !== 'input_data') this.#unavailable.add(sceneId);
    this.#isUnresolved ||= code === 'unresolved';
    this.#masks.delete(sceneId);
    this.#check();
  }

  /** True for a scene that was left out because of a broken or unavailable file. */
  isLeftOut(id: string): boolean {
    return this.#skipped.has(id);
  }

  /** Masks of the scenes with useful pixels in the panes of a section. */
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

  skipped(): Readonly<Record<string, string>> {
    return Object.fromEntries(this.#skipped);
  }

  /** Reasons why readable scenes contributed no value, by id. */
  unused(): Readonly<Record<string, string>> {
    const idle = this.#scenes.filter(({ id }) => !this.isLeftOut(id) && !this.#contributing.has(id));
    return Object.fromEntries(
      idle.map(({ id, shared }) => [
        id,
        this.#idle.get(id) ?? (shared ? 'other scenes of the same day cover its pixels' : 'no data'),
      ]),
    );
  }

  /** Ids of the scenes whose server did not respond or has an unknown host name, ascending. */
  unavailable(): string[] {
    return [...this.#unavailable].toSorted();
  }

  #check(): void {
    const missing = this.unavailable();
    if (missing.length > this.#mayMiss * this.#all) throw this.#tooFew(missing);
    if (!this.#scenes.every(({ id }) => this.isLeftOut(id))) return;
    const details = { skipped: this.skipped(), ...this.#unresolved() };
    const code = missing.length > 0 ? 'unavailable' : 'no_scenes';
    throw new DomainError(code, noScenes(details.skipped, code), { details });
  }

  #unresolved(): { readonly isUnresolved?: true } {
    return this.#isUnresolved ? { isUnresolved: true } : {};
  }

  #tooFew(missing: readonly string[]): DomainError {
    const [first = ''] = missing;
    const reason = (this.#skipped.get(first) ?? '').replace(/\.$/, '');
    const most = `${Math.round(1000 * this.#mayMiss) / 10} %`;
    const message = `${missing.length} of ${this.#all} scenes are unavailable, but at most ${most} may be missing. The first is ${first}: ${reason}.${this.#isUnresolved ? '' : ' Try again later.'}`;
    return new DomainError('unavailable', message, { details: { missing, ...this.#unresolved() } });
  }
}

function noScenes(skipped: Readonly<Record<string, string>>, code: 'unavailable' | 'no_scenes'): string {
  const isLater = code === 'unavailable';
  const reasons = Object.entries(skipped).map(([id, reason]) => `${id}: ${reason}`);
  if (reasons.length === 0) return 'no scene is in the period; add scenes for it or choose other years';
  if (reasons.length === 1)
    return `the only scene cannot be used (${reasons[0] ?? ''}); ${isLater ? LATER : 'repair or replace it'}`;
  return `none of the ${reasons.length} scenes can be used (${reasons.slice(0, 3).join('; ')}); ${isLater ? LATER : 'repair or replace them'}`;
}

const LATER = 'try again later, or use other scenes';
