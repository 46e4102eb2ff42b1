import { type Logger, messageOf } from '@headwater/core';
import type { NewSceneUse, SceneUse, SceneUseStore } from '@headwater/core/ports';

/** Stores notes about the scenes that one attempt of a run reads. If a note cannot be stored, the run does not fail. */
export interface UseNotes {
  /** Stores a note that the attempt begins to read scenes; resolves when this note is stored. Only the first call has an effect. */
  readonly begin: () => Promise<void>;
  /** Stores the counts of the attempt if the note of `begin` was stored. */
  readonly end: (counts: Pick<SceneUse, 'requests' | 'pixels' | 'bytes'>) => Promise<void>;
}

/** Dependencies of `createUseNotes`. */
export interface UseNotesParts {
  readonly sceneUses: Pick<SceneUseStore, 'begin' | 'end'>;
  readonly logger: Pick<Logger, 'error'>;
  readonly now: () => Date;
}

/**
 * Creates the notes of one attempt. `dueAt` is the time at which `UsageReader` first reads Earth Engine's computing time: at once.
 * If the run has not ended then, the reader postpones the read.
 */
export function createUseNotes(
  use: Pick<NewSceneUse, 'runId' | 'accountId' | 'project' | 'workloadTag'>,
  { sceneUses, logger, now }: UseNotesParts,
): UseNotes {
  let begun: Promise<boolean> | undefined;
  const stored = async (write: () => Promise<void>): Promise<boolean> => {
    try {
      await write();
      return true;
    } catch (error) {
      logger.error({ runId: use.runId, error: messageOf(error) }, 'the use of Earth Engine was not stored');
      return false;
    }
  };
  return {
    begin: async () => {
      const at = now().toISOString();
      begun ??= stored(() => sceneUses.begin({ ...use, startedAt: at, dueAt: at }));
      await begun;
    },
    end: async ({ requests, pixels, bytes }) => {
      // If the note of `begin` was not stored, `sceneUses.end` would count an earlier attempt of the run, which never ended, as ended. So nothing is stored.
      if (begun === undefined || !(await begun)) return;
      await stored(() => sceneUses.end(use.runId, { requests, pixels, bytes }));
    },
  };
}
