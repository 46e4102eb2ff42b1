/** A body as text, at most so many bytes of it. */
export interface BodyText {
  readonly text: string;
  /** Bytes that were left out; 0 = the text is whole. */
  readonly leftOut: number;
}

/** Which end of a body that is too large is kept. */
export type KeptEnd = 'head' | 'tail';

/** Memory that one body may take, and which end of a larger one is kept. */
export interface BodyLimit {
  readonly bytes: number;
  readonly keep: KeptEnd;
}

/** Reads a body chunk by chunk, so that a log of any size takes no more memory than `limit` allows. */
export async function readBody(response: Response, limit: BodyLimit, signal: AbortSignal): Promise<BodyText> {
  if (response.body === null) return { text: '', leftOut: 0 };
  const reader: ReadableStreamDefaultReader<Uint8Array> = response.body.getReader();
  const stop = (): void => void reader.cancel(signal.reason).catch(() => undefined);
  signal.addEventListener('abort', stop, { once: true });
  try {
    const chunks = await collect(reader, limit);
    signal.throwIfAborted();
    return chunks;
  } finally {
    signal.removeEventListener('abort', stop);
  }
}

async function collect(reader: ReadableStreamDefaultReader<Uint8Array>, { bytes, keep }: BodyLimit): Promise<BodyText> {
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
