import type { PipelineStep } from '../pipelines/pipeline.ts';

/** Overall progress (0-1) of weighted steps, which never decreases. */
export interface Weighing {
  /** Sets the progress of `step` (0-1) and returns the overall progress. Throws for an undeclared step. */
  note(step: string, share: number): number;
}

/** Creates the overall progress of a pipeline. Steps before the current step count as complete. */
export function createWeighing(steps: readonly PipelineStep[]): Weighing {
  const total = steps.reduce((sum, step) => sum + step.weight, 0);
  let reached = 0;
  return {
    note: (name, share) => {
      const index = steps.findIndex((step) => step.name === name);
      const step = steps[index];
      if (step === undefined) throw new Error(`Step "${name}" is not among the pipeline's steps; declare it there.`);
      const before = steps.slice(0, index).reduce((sum, { weight }) => sum + weight, 0);
      const part = Number.isFinite(share) ? Math.min(1, Math.max(0, share)) : 0;
      if (total > 0) reached = Math.min(1, Math.max(reached, (before + step.weight * part) / total));
      return reached;
    },
  };
}
