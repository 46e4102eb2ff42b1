/** Answers of status 200 that are no log: what the web server says in its place, and what to do. */
const REASONS: readonly (readonly [RegExp, string])[] = [
  [
    /secret_key|403 (Client Error: )?FORBIDDEN/i,
    'the worker refused to serve its log: give web server, scheduler and workers the same [webserver] secret_key, and compare their clocks',
  ],
  [
    /https?:\/\/:\d+/,
    'the task never reached a worker, or its worker died before it told its address: look at the scheduler and the workers',
  ],
  [/Try number \d+ is invalid/i, 'the task never started, so there is no log of this try'],
  [
    /Could not read served logs|Failed to fetch log file|Connection refused|timed out/i,
    "the web server cannot reach the worker's log server (port 8793): see whether the worker still runs, or configure remote logging",
  ],
  [
    /Log file does not exist|No logs found/i,
    'the log file is gone or was never written: configure remote logging where workers come and go',
  ],
];

/** A log taken apart: its text, or why there is none. */
export type ReadLog =
  | { readonly text: string; readonly problem: null }
  | { readonly text: ''; readonly problem: string };

/**
 * Takes the web server's own remarks off a log: lines that begin with `***` and, above them, the name of the host. Where
 * nothing else is left, they say why there is no log.
 */
export function withoutRemarks(text: string): ReadLog {
  const lines = text.split('\n');
  const remarks = lines.filter((line) => line.startsWith('***'));
  const isHostAbove = lines[1]?.startsWith('***') === true && !lines[0]?.startsWith('***');
  const rest = (isHostAbove ? lines.slice(1) : lines).filter((line) => !line.startsWith('***'));
  const said = remarks.join('\n');
  const own = rest.join('\n').trim();
  // What else was remarked may tell more than that there is none.
  if (REFUSAL.test(own)) return { text: '', problem: reasonOf([...remarks, own].join('\n')) };
  if (own !== '' && !isHostOnly(own, remarks.length)) return { text: own, problem: null };
  return { text: '', problem: reasonOf(said) };
}

/** The one line that stands in a log's place. */
const REFUSAL = /^(?:\S*\n)?(?:Error fetching the logs\..*|No logs found\b.*)$/;

/** A log without any line but the host's name. */
const isHostOnly = (text: string, remarks: number): boolean => remarks > 0 && /^[\w.:-]+$/.test(text);

function reasonOf(said: string): string {
  if (said === '') return 'the log is empty';
  const known = REASONS.find(([pattern]) => pattern.test(said))?.[1];
  const words = said
    .replaceAll(/\*\*\*|\s+/g, ' ')
    .trim()
    .slice(0, 300);
  return known === undefined ? `the orchestrator has no log: ${words}` : `${known}. It said: ${words}`;
}
