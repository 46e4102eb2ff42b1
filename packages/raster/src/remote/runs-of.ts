/** Bytes of a file. */
export interface Span {
  readonly offset: number;
  readonly length: number;
}

/** Neighbouring spans that one request reads. */
export interface SpanRun<T extends Span = Span> extends Span {
  readonly spans: readonly T[];
}

/** Maximum gap between two spans of one request, bytes. COGs of GDAL have 8 bytes between two tiles. */
const MOST_GAP = 4096;
/** Maximum length of a request for several spans, bytes: more would not be faster, and would take memory. */
const MOST_RUN = 2 * 1024 * 1024;

/** Joins spans that follow each other in the file, in the order given, to requests of limited length. */
export function runsOf<T extends Span>(spans: readonly T[]): readonly SpanRun<T>[] {
  const runs: { offset: number; length: number; spans: T[] }[] = [];
  for (const span of spans) {
    const last = runs.at(-1);
    const gap = last === undefined ? -1 : span.offset - last.offset - last.length;
    const length = last === undefined ? 0 : span.offset + span.length - last.offset;
    if (last !== undefined && gap >= 0 && gap <= MOST_GAP && length <= MOST_RUN) {
      last.length = length;
      last.spans.push(span);
    } else runs.push({ offset: span.offset, length: span.length, spans: [span] });
  }
  return runs;
}
