import { workerData } from 'node:worker_threads';
import { BEGUN, setStage, nextStage, type Stage } from './guard-stage.fixture.ts';
import { serveTasks } from './serve.ts';

/**
 * Behaviour of the thread in a task. `loop` and `turn` never finish: `loop` blocks the thread, `turn` only awaits
 * resolved promises. `exit` ends the thread.
 */
export type Behaviour = 'answer' | 'loop' | 'turn' | 'exit' | 'wait';

/** Length of one rest of the task `wait`, ms. The thread is idle during a rest, even on a busy machine. */
const REST_MS = 10;
const RESTS = 20;

serveTasks(async () => {
  const stage: Stage = workerData;
  return async (behaviour: Behaviour): Promise<string> => {
    const goesOn = (which: Behaviour): boolean => behaviour === which;
    if (behaviour === 'loop' || behaviour === 'turn') setStage(stage, BEGUN);
    while (goesOn('loop'));
    while (goesOn('turn')) await Promise.resolve();
    if (behaviour === 'exit') process.exit(3);
    if (behaviour === 'wait') {
      for (let rest = 0; rest < RESTS; rest += 1) await new Promise((done) => setTimeout(done, REST_MS));
      setStage(stage, BEGUN);
      await nextStage(stage, BEGUN);
    }
    return `done: ${behaviour}`;
  };
});
