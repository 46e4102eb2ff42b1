import { expect, it } from 'vitest';
import { isOrchestratorError, OrchestratorError } from './index.ts';

/** Compiles only if the error's code determines the type of its details. */
function describeError(error: unknown): string {
  if (!isOrchestratorError(error)) return 'another';
  switch (error.code) {
    case 'paused':
      return error.details.dagId;
    case 'stalled':
      return error.details.advice.join();
    case 'run_failed':
      return error.details.excerpt;
    default:
      return error.message;
  }
}

it('the code of an error determines the type of its details', () => {
  expect(describeError(new OrchestratorError('paused', 'it is paused', { details: { dagId: 'land_cover' } }))).toBe(
    'land_cover',
  );
  expect(describeError(new Error('other'))).toBe('another');
});
