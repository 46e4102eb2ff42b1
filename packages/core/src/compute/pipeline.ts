import type { z } from 'zod';
import type { EoAccountStore } from '../ports/accounts.ts';
import type { AssetStore } from '../ports/assets.ts';
import type { EarthObservation } from '../ports/earth-observation.ts';
import type { PixelEngine } from '../ports/pixels.ts';
import type { Place, PlaceStore } from '../ports/places.ts';
import type { Deliverable, Run } from '../ports/runs.ts';
import type { Logger } from '../ports/system.ts';

/** What pipelines may use. */
export interface PipelinePorts {
  readonly places: PlaceStore;
  readonly earthObservation: EarthObservation;
  readonly pixels: PixelEngine;
  readonly assets: AssetStore;
  /** Absolute public address of this service, no trailing slash; every href starts with it. */
  readonly baseUrl: string;
  /** Absolute public address of the map server, no trailing slash (`{baseUrl}/geoserver` until the full one comes). */
  readonly mapServerUrl: string;
  /** Version of this software, for `processing:software`. */
  readonly version: string;
  readonly now: () => Date;
}

/** One attempt at a run. */
export interface PipelineContext {
  readonly run: Run;
  readonly signal: AbortSignal;
  /** Step name (from `steps`) and its share done, 0-1; the machine weighs it into the run's progress. */
  readonly progress: (step: string, share: number, note?: string) => void;
  /** A line for the run's log. */
  readonly log: (message: string) => void;
  readonly logger: Logger;
}

/** A step and its weight in the run's progress bar. */
export interface PipelineStep {
  readonly name: string;
  readonly weight: number;
}

/** A pipeline is a typed value: name, parameters, steps, and one function from parameters to what is published. */
export interface Pipeline<R, P> {
  readonly name: string;
  /** `POST /api/v1/{route}/`, and the same body at each alias. */
  readonly route: string;
  readonly aliases: readonly string[];
  /** One sentence for OpenAPI. */
  readonly summary: string;
  /** Wire body (snake_case, numeric strings accepted) -> request. */
  readonly request: z.ZodType<R>;
  /** Checks the request against what exists; throws `validation` / `not_found` errors that name the wire field. */
  readonly resolve: (request: R, ports: ResolvePorts) => Promise<P>;
  /** Parameters as stored in the run's row (JSON round trip safe). */
  readonly params: z.ZodType<P>;
  readonly steps: readonly PipelineStep[];
  /** Text that is equal for requests that would do the same work. */
  readonly fingerprint: (params: P) => string;
  readonly execute: (params: P, ports: PipelinePorts, context: PipelineContext) => Promise<Deliverable>;
}

/** What request checks may look at. */
export interface ResolvePorts {
  readonly places: PlaceStore;
  readonly eoAccounts: EoAccountStore;
  readonly now: () => Date;
}

/** Resolved parameters of the land-cover pipeline. */
export interface LulcParams {
  readonly tehsilId: Place['tehsil']['id'];
  readonly startYear: number;
  readonly endYear: number;
  readonly eoAccountId: number;
}
