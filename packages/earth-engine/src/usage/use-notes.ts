import { type Logger, messageOf } from '@headwater/core';
import type { NewSceneUse, SceneUse, SceneUseStore } from '@headwater/core/ports';

/** Notes about the scenes that an attempt reads. A note that cannot be stored does not fail the run. */
export interface UseNotes {
  /** Stores a note that the attempt begins to read scenes. Only the first call has an effect. */
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
 * Creates the notes of one attempt. `dueAt` is the present time, although the computing time can be read only after the
 * run: `UsageReader` postpones the read as long as the run has not ended.
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
      // Without the note of `begin`, `sceneUses.end` would end the note of an earlier attempt.
      if (begun === undefined || !(await begun)) return;
      await stored(() => sceneUses.end(use.runId, { requests, pixels, bytes }));
    },
  };
}
