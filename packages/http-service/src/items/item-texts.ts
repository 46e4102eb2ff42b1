import type { ItemForm, ItemSearch } from '@headwater/core/ports';
import type { Logger, Timers } from '@headwater/core';
import type { RunSignals } from '@headwater/core/runs';

/** Background job that writes the missing and outdated response texts of Items. */
export interface ItemTexts {
  /** Writes missing and outdated texts now, and missing texts after each change of a run. May be called twice. */
  start(): void;
  close(): Promise<void>;
}

/** Dependencies of `createItemTexts`. */
export interface ItemTextParts {
  readonly search: Pick<ItemSearch, 'unwritten' | 'write'>;
  readonly form: ItemForm;
  readonly signals: RunSignals;
  readonly timers: Pick<Timers, 'sleep'>;
  readonly logger: Logger;
}

/** Number of texts per transaction. Small, because other queries of the embedded database wait for the transaction. */
const AT_ONCE = 50;
/** Pause after a pass, ms, so that several signals of a run cause only one more pass. */
const PAUSE_MS = 100;

/**
 * Creates the job that writes missing and outdated texts of Items. A server rewrites the texts of other servers only at
 * its start, because otherwise two servers with different settings would rewrite each other's texts forever.
 */
export function createItemTexts({ search, form, signals, timers, logger }: ItemTextParts): ItemTexts {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isWanted = false;
  let othersLeft: number | undefined;
  let work: Promise<void> | undefined;
  const writeOthers = async (): Promise<void> => {
    othersLeft ??= await search.unwritten(form);
    while (!signal.aborted && othersLeft > 0) {
      const written = await search.write(form, Math.min(AT_ONCE, othersLeft), 'others');
      othersLeft = written === 0 ? 0 : othersLeft - written;
    }
  };
  const loop = async (): Promise<void> => {
    while (isWanted && !signal.aborted) {
      isWanted = false;
      try {
        while (!signal.aborted && (await search.write(form, AT_ONCE, 'missing')) > 0);
        await writeOthers();
        await timers.sleep(PAUSE_MS, signal);
      } catch (error) {
        if (!signal.aborted)
          logger.error(
            { error: String(error) },
            'the stored response texts of Items could not be written; the service tries again after the next change of a run, and responses are slower until then',
          );
      }
    }
    work = undefined;
  };
  const nudge = (): void => {
    isWanted = true;
    if (!signal.aborted) work ??= loop();
  };
  return {
    start: () => {
      if (signals.listeners('changed').includes(nudge)) return;
      signals.on('changed', nudge);
      nudge();
    },
    close: async () => {
      signals.off('changed', nudge);
      stopping.abort();
      await work;
    },
  };
}
