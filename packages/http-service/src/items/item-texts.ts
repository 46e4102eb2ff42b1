import type { ItemForm, ItemSearch } from '@headwater/core/ports';
import type { Logger, Timers } from '@headwater/core';
import type { RunSignals } from '@headwater/core/runs';

/** Background job that writes missing texts of Items in the form of this service. */
export interface ItemTexts {
  /**
   * Writes all texts that are missing or in another form. Later, writes the texts of Items that are published without
   * a text. May be called twice.
   */
  start(): void;
  /** Stops after the batch in progress. */
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

/** Number of texts per transaction. It is small, because other queries of the embedded database wait for the transaction. */
const AT_ONCE = 50;
/** Pause before a pass, ms. Runs send a signal for each step; the pause makes several signals cause only one pass. */
const PAUSE_MS = 100;

/**
 * Creates the background job. A publication writes the texts of its Items itself. If the form has changed since the last start,
 * this job writes all texts once. The job also writes texts of Items that were published without a text. Requests do not wait for
 * this job, because a missing text is computed when the Item is read. Servers with the same stores but different settings have
 * different forms. Each server rewrites the texts of other servers only once, at its own start. So two servers do not rewrite each
 * other's texts repeatedly.
 */
export function createItemTexts({ search, form, signals, timers, logger }: ItemTextParts): ItemTexts {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isWanted = false;
  /** Number of texts in another form that are not rewritten yet; undefined before they are counted. */
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
            'the texts of Items could not be written; the next publication tries again',
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
