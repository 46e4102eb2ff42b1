// Worker thread that sends one request. The worker creates a network twice, in the same way as a thread that serves
// several calls.
import { workerData } from 'node:worker_threads';
import { threadNetwork } from './watch-outgoing.ts';

const { settings, href } = workerData;
threadNetwork(settings, () => {});
const answer = await threadNetwork(settings, () => {}).send({ href, headers: {} }, AbortSignal.timeout(10_000));
await answer.bytes(100);
