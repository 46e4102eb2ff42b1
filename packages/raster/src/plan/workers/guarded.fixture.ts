import { workerData } from 'node:worker_threads';
import { BEGUN, tell, told, type Stage } from './guard-stage.fixture.ts';
import { serveTasks } from './serve.ts';

/** What the thread is to do. */
export type Deed = 'answer' | 'loop' | 'turn' | 'exit' | 'wait';

/** Time in which a thread that waits has come to rest, whatever else the machine does; ms. */
const REST_MS = 10;
const RESTS = 20;

/** Does what it is told: also what no thread should. */
serveTasks(async () => {
  const stage: Stage = workerData;
  return async (deed: Deed): Promise<string> => {
    const goesOn = (which: Deed): boolean => deed === which;
    if (deed === 'loop' || deed === 'turn') tell(stage, BEGUN);
    while (goesOn('loop'));
    while (goesOn('turn')) await Promise.resolve();
    if (deed === 'exit') process.exit(3);
    if (deed === 'wait') {
      for (let rest = 0; rest < RESTS; rest += 1) await new Promise((done) => setTimeout(done, REST_MS));
      tell(stage, BEGUN);
      await told(stage, BEGUN);
    }
    return `done: ${deed}`;
  };
});
