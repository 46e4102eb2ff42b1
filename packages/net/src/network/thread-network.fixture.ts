// Worker thread that sends one request.
import { workerData } from 'node:worker_threads';
import { threadNetwork } from './watch-outgoing.ts';

const { settings, href } = workerData;
const answer = await threadNetwork(settings, () => {}).send({ href, headers: {} }, AbortSignal.timeout(10_000));
await answer.bytes(100);
