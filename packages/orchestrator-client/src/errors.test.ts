import { expect, it } from 'vitest';
import { isOrchestratorError, OrchestratorError } from './index.ts';

/** Compiles only where the code of a failure tells what its details hold. */
function told(error: unknown): string {
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

it('a failure is told apart by its code', () => {
  expect(told(new OrchestratorError('paused', 'it is paused', { details: { dagId: 'land_cover' } }))).toBe(
    'land_cover',
  );
  expect(told(new Error('else'))).toBe('another');
});
