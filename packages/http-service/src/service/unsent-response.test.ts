import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { withoutBody } from './unsent-response.ts';

it('a response to HEAD whose stream fails to cancel causes no unhandled rejection', async () => {
  const unhandled: unknown[] = [];
  const note = (error: unknown): void => void unhandled.push(error);
  process.on('unhandledRejection', note);
  onTestFinished(() => void process.off('unhandledRejection', note));
  let isCancelled = false;
  const cancel = async (): Promise<void> => {
    isCancelled = true;
    throw new Error('the file is gone');
  };
  expect(withoutBody({ status: 200, headers: {}, body: new ReadableStream({ cancel }) }).body).toBeUndefined();
  await setImmediate();
  expect([isCancelled, unhandled]).toEqual([true, []]);
});
