import type { RunEvent, RunStore } from '../ports/runs.ts';
import type { RunLogLine } from './types.ts';

const PAGE = 500;

/** Log lines and state changes of a run with seq > `afterSeq`; progress ticks are left out. */
export async function readLog(
  runs: Pick<RunStore, 'events'>,
  runId: string,
  { afterSeq, limit }: { readonly afterSeq: number; readonly limit: number },
): Promise<readonly RunLogLine[]> {
  const lines: RunLogLine[] = [];
  let after = afterSeq;
  while (lines.length < limit) {
    const events = await runs.events(runId, after, PAGE);
    for (const event of events) {
      const message = logMessage(event);
      if (message !== undefined) lines.push({ seq: event.seq, at: event.at, message });
    }
    const last = events.at(-1);
    if (last === undefined || events.length < PAGE) break;
    after = last.seq;
  }
  return lines.slice(0, limit);
}

function logMessage({ kind, data }: RunEvent): string | undefined {
  if (kind === 'log') return String(data['message']);
  return kind === 'state' ? stateMessage(data) : undefined;
}

function stateMessage(data: RunEvent['data']): string {
  const attempt = data['state'] === 'running' ? ` (attempt ${String(data['attempt'])})` : '';
  const error = data['error'];
  const reason = typeof error === 'object' && error !== null && 'message' in error ? `: ${String(error.message)}` : '';
  return `state ${String(data['state'])}${attempt}${reason}`;
}
