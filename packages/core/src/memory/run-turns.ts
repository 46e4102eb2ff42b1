import type { ClaimOptions, Run } from '../ports/runs.ts';

/** Whose turn it is in a queue. */
export interface MemoryTurns {
  /** Those of these runs, oldest first, that a claim is about, in the order in which it looks at them. */
  readonly order: (runs: readonly Run[], options: ClaimOptions) => readonly Run[];
  readonly claimed: (run: Run, nowMs: number) => void;
  /** When one of these runs was claimed last, ms; undefined for never. */
  readonly lastClaim: (runs: readonly Run[]) => number | undefined;
  readonly forget: (runId: string) => void;
}

interface Claim {
  readonly nowMs: number;
  /** Counts claims: of two at one moment the later one is later. */
  readonly turn: number;
}

/** Builds the turns of no claim yet. */
export function memoryTurns(): MemoryTurns {
  const claims = new Map<string, Claim>();
  let turn = 0;
  const lastOf = (runs: readonly Run[]): Claim | undefined =>
    runs.reduce<Claim | undefined>((last, { id }) => {
      const claim = claims.get(id);
      return claim === undefined || (last !== undefined && last.turn > claim.turn) ? last : claim;
    }, undefined);
  return {
    order: (runs, { queue, pipelines, backend = 'local' }) => {
      const there = runs.filter((run) => run.backend === backend && run.queue === (queue ?? run.queue));
      const isUsable = (run: Run): boolean => pipelines.includes(run.pipeline);
      if (queue === undefined) return there.filter(isUsable);
      const isNew = ({ state, token }: Run): boolean => state === 'queued' && token === 0;
      const owners = Map.groupBy(there, ({ ownerId }) => ownerId);
      const waiting = Map.groupBy(there.filter(isNew), ({ ownerId }) => ownerId);
      // Sorting keeps the order of equals: of owners without a claim the one that came first.
      const turns = [...waiting.keys()].map((owner) => ({ owner, last: lastOf(owners.get(owner) ?? [])?.turn ?? 0 }));
      const byTurn = turns.sort((a, b) => a.last - b.last).flatMap(({ owner }) => waiting.get(owner) ?? []);
      return [...there.filter((run) => !isNew(run)), ...byTurn].filter(isUsable);
    },
    claimed: ({ id }, nowMs) => {
      turn += 1;
      claims.set(id, { nowMs, turn });
    },
    lastClaim: (runs) => lastOf(runs)?.nowMs,
    forget: (runId) => void claims.delete(runId),
  };
}
