/** Text of a body, up to a limit of bytes. */
export interface BodyText {
  readonly text: string;
  /**
   * Omitted bytes; 0: complete. If the beginning is kept, more bytes may be missing, because reading stops at the
   * limit.
   */
  readonly leftOut: number;
}

/** Kept part of a large body: beginning or end. */
export type KeptEnd = 'head' | 'tail';

/** Maximum size of a body in memory, and the kept part of a larger body. */
export interface BodyLimit {
  readonly bytes: number;
  readonly keep: KeptEnd;
}

/** Reads a body in chunks, with no more memory than `limit`. */
export function readBody(response: Response, limit: BodyLimit, signal: AbortSignal): Promise<BodyText> {
  return readWith(response, signal, (reader) => collect(reader, limit));
}

/** Receives a body in pieces. */
export type BodySink = (piece: string) => void;

/** Passes a body to `sink` without holding it in memory. */
export function pourBody(response: Response, sink: BodySink, signal: AbortSignal): Promise<BodyText> {
  return readWith(response, signal, (reader) => pour(reader, sink));
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function readWith(
  { body }: Response,
  signal: AbortSignal,
  read: (reader: Reader) => Promise<BodyText>,
): Promise<BodyText> {
  if (body === null) return { text: '', leftOut: 0 };
  const reader: Reader = body.getReader();
  const stop = (): void => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const text = await read(reader);
    signal.throwIfAborted();
    return text;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function pour(reader: Reader, sink: BodySink): Promise<BodyText> {
  const decoder = new TextDecoder();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    sink(decoder.decode(value, { stream: true }));
  }
  sink(decoder.decode());
  return { text: '', leftOut: 0 };
}

async function collect(reader: Reader, { bytes, keep }: BodyLimit): Promise<BodyText> {
  const chunks: Uint8Array[] = [];
  let [held, leftOut] = [0, 0];
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value);
    held += value.byteLength;
    while (held > bytes) {
      const surplus = held - bytes;
      const chunk = chunks.at(keep === 'head' ? -1 : 0);
      if (chunk === undefined) break;
      const rest = keep === 'head' ? chunk.subarray(0, chunk.byteLength - surplus) : chunk.subarray(surplus);
      const dropped = chunk.byteLength - rest.byteLength;
      chunks.splice(keep === 'head' ? -1 : 0, 1, ...(rest.byteLength > 0 ? [rest] : []));
      held -= dropped;
      leftOut += dropped;
    }
    if (keep === 'head' && leftOut > 0) {
      await reader.cancel();
      break;
    }
  }
  const decoder = new TextDecoder();
  const text = chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('') + decoder.decode();
  return { text, leftOut };
}
