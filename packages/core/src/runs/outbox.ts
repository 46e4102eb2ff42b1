import type { RunEvent } from '../ports/runs.ts';
import type { Clock } from '../ports/system.ts';
import { storableText } from '../storable-text.ts';

/** An event that the store has not got yet. */
export type UnsentEvent = Pick<RunEvent, 'kind' | 'data'>;

/** Where an attempt stands: overall progress 0-1 and the step at work. */
export interface Position {
  readonly progress: number;
  readonly step: string | null;
}

/** What an attempt wants to tell and has not told yet. */
export interface Outbox {
  readonly progress: (at: { readonly progress: number; readonly step: string; readonly note?: string }) => void;
  readonly log: (message: string) => void;
  readonly position: () => Position;
  /** True when something is left to send. */
  readonly waiting: () => boolean;
  /** Sends in order; what `send` refuses stays for the next time. */
  readonly drain: (send: (event: UnsentEvent) => Promise<unknown>) => Promise<void>;
  /** Seconds spent in each step so far. */
  readonly seconds: () => Readonly<Record<string, number>>;
}

/** Lines kept while the store is away; later ones are counted only. */
const MAX_LINES = 1000;
/** Smallest change of progress that is worth an event of its own. */
const PROGRESS_STEP = 0.01;
/** Pause before a note is told for its own sake, ms: work that waits for a server makes no progress but has something to say. */
const NOTE_MS = 5000;

/** An empty outbox at progress 0. */
export function createOutbox(clock: Clock): Outbox {
  const lines: string[] = [];
  let dropped = 0;
  let position: Position = { progress: 0, step: null };
  let note: string | undefined;
  let told: Position = position;
  let toldNote: { readonly note: string | undefined; readonly atMs: number } = { note: undefined, atMs: 0 };
  const watch = createStopwatch(clock);
  const noteDue = (): boolean => note !== toldNote.note && clock.now().getTime() - toldNote.atMs >= NOTE_MS;
  const progressDue = (): boolean =>
    position.step !== told.step || Math.abs(position.progress - told.progress) >= PROGRESS_STEP || noteDue();
  return {
    progress: (at) => {
      if (at.step !== position.step) watch.enter(at.step);
      position = { progress: at.progress, step: at.step };
      note = at.note === undefined ? undefined : storableText(at.note);
    },
    log: (message) => {
      if (lines.length < MAX_LINES) lines.push(storableText(message));
      else dropped += 1;
    },
    position: () => position,
    waiting: () => lines.length > 0 || progressDue(),
    drain: async (send) => {
      while (lines.length > 0) {
        await send({ kind: 'log', data: { message: lines[0] } });
        lines.shift();
      }
      if (dropped > 0) {
        await send({ kind: 'log', data: { message: `${dropped} lines were dropped while the database was away.` } });
        dropped = 0;
      }
      if (!progressDue()) return;
      const now = position;
      const noteNow = { note, atMs: clock.now().getTime() };
      await send({ kind: 'progress', data: { ...now, ...(note === undefined ? {} : { note }) } });
      told = now;
      toldNote = noteNow;
    },
    seconds: watch.seconds,
  };
}

function createStopwatch(clock: Clock): {
  readonly enter: (step: string) => void;
  readonly seconds: () => Readonly<Record<string, number>>;
} {
  const spent = new Map<string, number>();
  let open: { readonly step: string; readonly sinceMs: number } | undefined;
  const bank = (): void => {
    if (open === undefined) return;
    const seconds = (clock.now().getTime() - open.sinceMs) / 1000;
    spent.set(open.step, (spent.get(open.step) ?? 0) + seconds);
  };
  const enter = (step: string): void => {
    bank();
    open = { step, sinceMs: clock.now().getTime() };
  };
  return {
    enter,
    seconds: () => {
      if (open !== undefined) enter(open.step);
      return Object.fromEntries(spent);
    },
  };
}
