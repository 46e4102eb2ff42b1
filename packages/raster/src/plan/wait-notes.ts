import type { WorkContext } from '@headwater/core';

/** Progress that remembers where it stands, so that a wait can be told beside it. */
export interface WaitNotes {
  readonly progress: WorkContext['progress'];
  /** What is waited for; null when the work goes on. */
  readonly onWait: (note: string | null) => void;
}

/** Tells waits as notes of the progress that was reached. */
export function waitNotes({ progress }: Pick<WorkContext, 'progress'>): WaitNotes {
  let reached = 0;
  return {
    progress: (share, note) => {
      reached = share;
      progress(share, note);
    },
    onWait: (note) => progress(reached, note ?? 'going on'),
  };
}
