import { type AssetFile, DomainError } from '@headwater/core';
import { expect, it } from 'vitest';
import { serveFile } from './serve-file.ts';

/** A file whose stream yields these pieces; an `Error` makes the stream fail. */
function fileOf(...pieces: readonly (string | Error)[]): AssetFile & { readonly cancelled: unknown[] } {
  const left = [...pieces];
  const cancelled: unknown[] = [];
  const stream = (): ReadableStream<Uint8Array> =>
    new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          const piece = left.shift();
          if (piece === undefined) controller.close();
          else if (piece instanceof Error) controller.error(piece);
          else controller.enqueue(new TextEncoder().encode(piece));
        },
        cancel: (reason) => void cancelled.push(reason),
      },
      { highWaterMark: 0 },
    );
  return { bytes: 6, etag: 'a', modified: new Date(0), stream, cancelled };
}

async function serve(file: AssetFile): Promise<ReadableStream<Uint8Array>> {
  const reply = await serveFile({ file, mediaType: 'text/plain', isLasting: true }, 'GET', {});
  const body = 'body' in reply ? reply.body : undefined;
  return body instanceof ReadableStream ? body : expect.fail('the answer has no stream');
}

it('a file that was removed after it was opened is refused before a status is sent', async () => {
  const gone = new DomainError('unavailable', 'The file was removed; send the request again.');
  await expect(serve(fileOf(gone))).rejects.toBe(gone);
});

it('a whole file is sent; if a read after the first piece fails, the stream fails', async () => {
  const whole = await serve(fileOf('one', 'two'));
  expect(await new Response(whole).text()).toBe('onetwo');
  const broken = await serve(fileOf('one', new Error('gone')));
  await expect(new Response(broken).text()).rejects.toThrow('gone');
});

it('cancelling the response cancels the stream of the file', async () => {
  const file = fileOf('one', 'two');
  const body = await serve(file);
  await body.cancel('left');
  expect(file.cancelled).toEqual(['left']);
});
