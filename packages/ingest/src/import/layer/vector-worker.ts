import { workerData } from 'node:worker_threads';
import { isDomainError } from '@headwater/core';
import { sayApart } from '../apart/say-apart.ts';
import { BadPlaceFile } from '../../places/bad-place-file.ts';
import { readWhole, type VectorRequest } from './read-vector-apart.ts';

const request: VectorRequest = workerData;
await sayApart(async (progress) => {
  try {
    return await readWhole(request, progress);
  } catch (error) {
    const [problem] = (isDomainError(error) && error.fields?.['file']) || [];
    throw problem === undefined ? error : new BadPlaceFile(problem.message);
  }
});
