import { DomainError } from '@headwater/core';
import type { ScopeArea } from '@headwater/core/runs';
import { checkMayCompute } from '@headwater/identity';
import type { z } from 'zod';
import type { Ports } from '../../../deps.ts';
import { toWire } from '../../../wire/wire-error.ts';
import type { DryRun } from '../schemas/dry-run.ts';
import { expectedSeconds, expectedWork } from './expected-work.ts';
import { sceneEngineEstimate } from './scene-usage.ts';
import { type ComputationCall, NO_PIXELS } from './start-computation.ts';

/**
 * Estimates the work of a request and stores nothing. Throws `computing_not_allowed`, `unavailable`, and the errors of
 * `RunService.estimate`.
 */
export async function dryRun(
  { canCompute, runs, stores }: Ports<'canCompute' | 'runs' | 'stores'>,
  { principal, pipeline, request, area }: Omit<ComputationCall, 'options'> & { readonly area: ScopeArea | undefined },
  signal: AbortSignal,
): Promise<z.infer<typeof DryRun>> {
  checkMayCompute(principal.user);
  if (!canCompute) throw new DomainError('unavailable', NO_PIXELS);
  const estimate = await runs.estimate(principal, { pipeline, request, area }, signal);
  const { tehsils, km2, sampled, lacking, failed, reads, sceneEngine, elevations, missing, makers } = estimate;
  const then = await expectedWork({ pipeline, km2, request }, { stores });
  const seconds = reads === undefined ? then?.seconds : expectedSeconds(reads, then, tehsils);
  const published = then?.bytes ?? 0;
  // A pipeline with `needs` but without `plans` reads no scenes.
  const hasNone = pipeline.plans === undefined && pipeline.needs !== undefined;
  const scenes = hasNone ? { scenes: 0, bytes: 0, requests: 0 } : reads;
  return {
    dry_run: true,
    tehsils,
    km2,
    sampled,
    lacking,
    failed: failed.map(({ district, tehsil, error }) => ({ district, block: tehsil, message: toWire(error).message })),
    scenes: scenes?.scenes ?? null,
    bytes: sumOf(scenes?.bytes, elevations?.bytes),
    requests: sumOf(scenes?.requests, elevations?.requests),
    scene_engine:
      sceneEngine === undefined ? null : await sceneEngineEstimate(sceneEngine, reads?.decodedPixels ?? 0, { stores }),
    minutes: seconds === undefined ? null : seconds / 60,
    memory_bytes: reads?.memoryBytes ?? null,
    disk_bytes: reads === undefined && then === undefined ? null : (reads?.diskBytes ?? 0) + published,
    is_measured: reads === undefined ? then !== undefined : then?.decodedPixels !== undefined,
    missing: missing === undefined ? null : toWire(missing).message,
    makers: makers === undefined ? null : [...makers],
  };
}

const sumOf = (a: number | undefined, b: number | undefined): number | null =>
  a === undefined || b === undefined ? null : a + b;
