import { serveTasks } from './serve.ts';

/** What the thread is to do. */
export type Deed = 'answer' | 'loop' | 'turn' | 'exit' | 'wait';

/** Does what it is told: also what no thread should. */
serveTasks(async () => {
  return async (deed: Deed): Promise<string> => {
    const goesOn = (which: Deed): boolean => deed === which;
    while (goesOn('loop'));
    while (goesOn('turn')) await Promise.resolve();
    if (deed === 'exit') process.exit(3);
    if (deed === 'wait') await new Promise((done) => setTimeout(done, 1500));
    return `done: ${deed}`;
  };
});
