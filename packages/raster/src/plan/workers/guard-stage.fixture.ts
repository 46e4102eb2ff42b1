/** Shared array that synchronises guarded threads with their test. Element 0 is the current stage. */
export type Stage = Int32Array<SharedArrayBuffer>;

/** Values of the stage: the thread has begun its task; the thread may continue. */
export const [BEGUN, GO_ON] = [1, 2] as const;

export function setStage(stage: Stage, what: number): void {
  Atomics.store(stage, 0, what);
  Atomics.notify(stage, 0);
}

/** Resolves with the next stage when the stage is no longer `before`. The initial stage is 0. */
export async function nextStage(stage: Stage, before: number): Promise<number> {
  await Atomics.waitAsync(stage, 0, before).value;
  return Atomics.load(stage, 0);
}
