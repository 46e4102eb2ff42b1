// Worker thread that sends one request and creates a network twice, like a thread that serves several calls.
import { workerData } from 'node:worker_threads';
import { threadNetwork } from './watch-outgoing.ts';

const { settings, href } = workerData;
threadNetwork(settings, () => {});
const answer = await threadNetwork(settings, () => {}).send({ href, headers: {} }, AbortSignal.timeout(10_000));
await answer.bytes(100);
