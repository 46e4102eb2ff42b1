import { workerData } from 'node:worker_threads';
import { isDomainError } from '@headwater/core';
import { reportToParent } from '../child-process/report-to-parent.ts';
import { BadPlaceFile } from '../../places/bad-place-file.ts';
import { readWhole, type VectorRequest } from './read-vector-in-child.ts';

const request: VectorRequest = workerData;
await reportToParent(async (progress) => {
  try {
    return await readWhole(request, progress);
  } catch (error) {
    const [problem] = (isDomainError(error) && error.fields?.['file']) || [];
    throw problem === undefined ? error : new BadPlaceFile(problem.message);
  }
});
