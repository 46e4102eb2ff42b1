/** What guarded threads and their test tell each other, in element 0. */
export type Stage = Int32Array<SharedArrayBuffer>;

/** A thread is at its deed; it may go on. */
export const [BEGUN, GO_ON] = [1, 2] as const;

export function tell(stage: Stage, what: number): void {
  Atomics.store(stage, 0, what);
  Atomics.notify(stage, 0);
}

/** What is told next; `before` is what has been told so far, 0 in the beginning. */
export async function told(stage: Stage, before: number): Promise<number> {
  await Atomics.waitAsync(stage, 0, before).value;
  return Atomics.load(stage, 0);
}
