import { workerData } from 'node:worker_threads';
import { reportToParent } from '../child-process/report-to-parent.ts';
import { checkFeatures, type CheckRequest } from './check-features.ts';

const request: CheckRequest = workerData;
await reportToParent((progress) => checkFeatures(request, progress));
