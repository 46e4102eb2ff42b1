import { type AnyPipeline, isDomainError } from '@headwater/core';
import type { ScopeArea } from '@headwater/core/runs';
import type { SessionPrincipal } from '@headwater/identity';
import type { Ports } from '../../../deps.ts';
import { callerOf } from '../../../screens/signed-in.ts';
import { toWire } from '../../../wire/wire-error.ts';
import { dryRun } from '../../runs/handlers/dry-run.ts';
import type { ShownEstimate } from '../page/estimate-table.ts';

/** A checked request of the form. */
interface ToEstimate {
  readonly principal: SessionPrincipal;
  readonly pipeline: AnyPipeline;
  readonly request: Readonly<Record<string, unknown>>;
  readonly area: ScopeArea | undefined;
}

/** Estimates the work of a request for the form. A refused estimate has its reason, so that the form can still be sent. */
export async function formEstimate(
  { principal, ...asked }: ToEstimate,
  signal: AbortSignal,
  deps: Ports<'canCompute' | 'runs' | 'stores'>,
): Promise<ShownEstimate> {
  try {
    return { figures: await dryRun(deps, { ...asked, principal: callerOf(principal) }, signal) };
  } catch (error) {
    if (!isDomainError(error) || signal.aborted) throw error;
    return { problem: toWire(error).message };
  }
}
