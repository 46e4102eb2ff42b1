import type { ItemForm, ItemSearch } from '@headwater/core/ports';
import type { Logger, Timers } from '@headwater/core';
import type { RunSignals } from '@headwater/core/runs';

/** Keeps the texts of Items written in the form in which they are sent. */
export interface ItemTexts {
  /** Writes what is not written in this form, and from then on what is published without a text; safe to call twice. */
  start(): void;
  /** Ends after the texts that are being written. */
  close(): Promise<void>;
}

/** What it works with. */
export interface ItemTextParts {
  readonly search: Pick<ItemSearch, 'unwritten' | 'write'>;
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
 * A publication writes the texts of its Items itself; what is left is written here: all texts once after a start with another form, and those
 * of Items that somebody published without. Nobody waits for it: whoever reads an Item before gets the same text, made on the way.
 *
 * Servers of other settings on the same stores have another form. Each goes over what the others wrote once, when it starts, no further than
 * what it found then, and leaves it alone from then on: two of them never rewrite each other's texts in turns.
 */
export function createItemTexts({ search, form, signals, timers, logger }: ItemTextParts): ItemTexts {
  const stopping = new AbortController();
  const { signal } = stopping;
  let isWanted = false;
  /** Texts of another form that are still to be written; undefined before they are counted. */
  let left: number | undefined;
  let work: Promise<void> | undefined;
  const writeOthers = async (): Promise<void> => {
    left ??= await search.unwritten(form);
    while (!signal.aborted && left > 0) {
      const written = await search.write(form, Math.min(AT_ONCE, left), 'others');
      left = written === 0 ? 0 : left - written;
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
