import { workerData } from 'node:worker_threads';
import { sayApart } from '../apart/say-apart.ts';
import { checkFeatures, type CheckRequest } from './check-features.ts';

const request: CheckRequest = workerData;
await sayApart((progress) => checkFeatures(request, progress));
