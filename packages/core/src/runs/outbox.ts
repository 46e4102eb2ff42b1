import type { RunEvent } from '../ports/runs.ts';
import type { Clock } from '../ports/host.ts';
import { storableText } from '../storable-text.ts';

/** An event that is not stored yet. */
export type UnsentEvent = Pick<RunEvent, 'kind' | 'data'>;

/** Overall progress (0-1) and current step of an attempt. */
export interface Position {
  readonly progress: number;
  readonly step: string | null;
}

/** Log lines and progress of an attempt that are not stored yet. */
export interface Outbox {
  readonly progress: (at: { readonly progress: number; readonly step: string; readonly note?: string }) => void;
  readonly log: (message: string) => void;
  readonly position: () => Position;
  /** Returns true if a log line is not sent yet, or if a progress event is due. */
  readonly waiting: () => boolean;
  /** Sends the events in order. An event for which `send` rejects stays until the next call. */
  readonly drain: (send: (event: UnsentEvent) => Promise<unknown>) => Promise<void>;
  /** Returns the seconds that the attempt has spent in each step. */
  readonly seconds: () => Readonly<Record<string, number>>;
}

/** Maximum number of buffered log lines; further lines are dropped and counted. */
const MAX_LINES = 1000;
/** Smallest change of progress that is sent as an event. */
const PROGRESS_STEP = 0.01;
/** Minimum interval of events that change only the note, ms. */
const NOTE_MS = 5000;

/** Creates an empty outbox at progress 0. */
export function createOutbox(clock: Clock): Outbox {
  const lines: string[] = [];
  let dropped = 0;
  let position: Position = { progress: 0, step: null };
  let note: string | undefined;
  let sent: Position = position;
  let sentNote: { readonly note: string | undefined; readonly atMs: number } = { note: undefined, atMs: 0 };
  const watch = createStopwatch(clock);
  const noteDue = (): boolean => note !== sentNote.note && clock.now().getTime() - sentNote.atMs >= NOTE_MS;
  const progressDue = (): boolean =>
    position.step !== sent.step || Math.abs(position.progress - sent.progress) >= PROGRESS_STEP || noteDue();
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
        await send({
          kind: 'log',
          data: { message: `Log lines that were dropped while the database did not respond: ${dropped}.` },
        });
        dropped = 0;
      }
      if (!progressDue()) return;
      const now = position;
      const noteToSend = { note, atMs: clock.now().getTime() };
      await send({ kind: 'progress', data: { ...now, ...(note === undefined ? {} : { note }) } });
      sent = now;
      sentNote = noteToSend;
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
