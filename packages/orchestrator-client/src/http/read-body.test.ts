import fc from 'fast-check';
import { expect, it } from 'vitest';
import { pourBody, readBody } from './read-body.ts';

const responseOf = (chunks: readonly string[]): Response =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(new TextEncoder().encode(chunk));
        controller.close();
      },
    }),
  );
const never = new AbortController().signal;

it('readBody keeps the beginning or the end of a body, and counts the bytes that are left out', async () => {
  const chunks = fc.array(fc.stringMatching(/^[a-z]{0,20}$/), { maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(chunks, fc.integer({ min: 1, max: 60 }), async (chunks, bytes) => {
      const whole = chunks.join('');
      expect(await readBody(responseOf(chunks), { bytes, keep: 'tail' }, never)).toEqual({
        text: whole.slice(-bytes),
        leftOut: Math.max(0, whole.length - bytes),
      });
      const head = await readBody(responseOf(chunks), { bytes, keep: 'head' }, never);
      expect(head.text).toBe(whole.slice(0, bytes));
      expect(head.leftOut > 0).toBe(whole.length > bytes);
    }),
  );
});

it('readBody returns the last 100,000 bytes of a body of 131 MB, and counts the bytes that are left out', async () => {
  let sent = 0;
  const chunk = new Uint8Array(65_536).fill(97);
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      sent += 1;
      controller.enqueue(chunk);
      if (sent === 2000) controller.close();
    },
  });
  const { text, leftOut } = await readBody(new Response(endless), { bytes: 100_000, keep: 'tail' }, never);
  expect([text.length, leftOut]).toEqual([100_000, 2000 * 65_536 - 100_000]);
});

it('stops reading when the signal aborts', async () => {
  const stop = new AbortController();
  const reading = readBody(new Response(new ReadableStream({})), { bytes: 10, keep: 'head' }, stop.signal);
  stop.abort(new Error('late'));
  await expect(reading).rejects.toThrow('late');
});

it('pourBody passes a body to the caller in pieces that contain only whole characters', async () => {
  const bytes = new TextEncoder().encode('नमस्ते');
  const response = new Response(
    new ReadableStream({
      start(controller) {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
        controller.close();
      },
    }),
  );
  let text = '';
  expect(await pourBody(response, (piece) => (text += piece), never)).toEqual({ text: '', leftOut: 0 });
  expect(text).toBe('नमस्ते');
});
