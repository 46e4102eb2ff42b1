/** Range of bytes in a file. */
export interface Span {
  readonly offset: number;
  readonly length: number;
}

/** Neighbouring spans of one request. */
export interface SpanRun<T extends Span = Span> extends Span {
  readonly spans: readonly T[];
}

/** Maximum gap between two spans of a request, bytes. In COGs of GDAL, the gap between two tiles is 8 bytes. */
const MOST_GAP = 4096;
/** Maximum length of a request for several spans, bytes. Longer requests would not be faster. */
const MOST_RUN = 2 * 1024 * 1024;

/** Joins consecutive neighbouring spans to requests of limited length, in their order. */
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
