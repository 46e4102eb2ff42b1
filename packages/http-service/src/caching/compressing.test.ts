import { expect, it } from 'vitest';
import { compressedPieces } from './compressing.ts';

it.each(['gzip', 'br'] as const)('cancelling the compressed pieces (%s) cancels their source', async (encoding) => {
  const cancelled = Promise.withResolvers<void>();
  const source = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(crypto.getRandomValues(new Uint8Array(65_536))),
    cancel: () => cancelled.resolve(),
  });
  for await (const piece of compressedPieces(source, encoding)) {
    expect(piece.byteLength).toBeGreaterThan(0);
    break;
  }
  await cancelled.promise;
});
