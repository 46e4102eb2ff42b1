import type { ItemForm, ItemSearch, Logger, RunSignals, Timers } from '@headwater/core';

/** Keeps the texts of Items written in the form in which they are sent. */
export interface ItemTexts {
  /** Writes what is not written yet, and from then on what runs publish, in this process or in another one; safe to call twice. */
  start(): void;
  /** Ends after the texts that are being written. */
  close(): Promise<void>;
}

/** What it works with. */
export interface ItemTextParts {
  readonly search: Pick<ItemSearch, 'write'>;
  readonly form: ItemForm;
  readonly signals: RunSignals;
  readonly timers: Pick<Timers, 'sleep'>;
  readonly logger: Logger;
}

/** Texts that are written in one transaction: others wait for the embedded database meanwhile. */
const AT_ONCE = 50;
/** Runs tell of each step that they take: several nudges are one look. */
const PAUSE_MS = 100;

/**
 * Writes each Item's text once, right after its publication, and all of them after a change of the form. Nobody waits for it: whoever reads
 * an Item before gets the same text, made on the way.
 */
export function createItemTexts({ search, form, signals, timers, logger }: ItemTextParts): ItemTexts {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isWanted = false;
  let work: Promise<void> | undefined;
  const loop = async (): Promise<void> => {
    while (isWanted && !signal.aborted) {
      isWanted = false;
      try {
        while (!signal.aborted && (await search.write(form, AT_ONCE)) > 0);
        await timers.sleep(PAUSE_MS, signal);
      } catch (error) {
        if (!signal.aborted)
          logger.error({ error: String(error) }, 'texts of Items are written at the next publication');
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
