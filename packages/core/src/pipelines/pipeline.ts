import type { z } from 'zod';
import type { CallerAccounts } from '../ports/eo-accounts.ts';
import type { Addresses, Remedies, Logger } from '../ports/host.ts';
import type { AssetStore } from '../ports/assets.ts';
import type { EarthObservation, ElevationSource } from '../ports/earth-observation.ts';
import type { MapStyle } from '../ports/map-server.ts';
import type { PixelPlan } from '../ports/pixel-plan.ts';
import type { PixelEngine } from '../ports/pixels.ts';
import type { PlaceStore } from '../ports/places.ts';
import type { PublishedLayers, PublishedReads } from '../ports/published.ts';
import type { Deliverable, Run } from '../ports/runs.ts';
import type { Region } from '../places/region.ts';
import type { Need } from './needs.ts';

/** Ports that a running pipeline can use. */
export interface PipelinePorts {
  readonly places: PlaceStore;
  readonly earthObservation: EarthObservation;
  readonly pixels: PixelEngine;
  readonly assets: AssetStore;
  /** Results of earlier runs. */
  readonly published: PublishedLayers;
  /** Source of elevations; undefined if the service has none. */
  readonly elevation?: ElevationSource;
  /** Builds the public addresses in the hrefs of Items. */
  readonly addresses: Addresses;
  readonly remedies: Remedies;
  /** Version of this software, for `processing:software`. */
  readonly version: string;
  readonly now: () => Date;
}

/** Context of one attempt of a run. */
export interface PipelineContext {
  readonly run: Run;
  readonly signal: AbortSignal;
  /** Reports the finished share (0-1) of a step in `Pipeline.steps`. */
  readonly progress: (step: string, share: number, note?: string) => void;
  /** Writes a line to the run's log. */
  readonly log: (message: string) => void;
  readonly logger: Logger;
}

/** A step of a pipeline, and its weight in the progress of the run. */
export interface PipelineStep {
  readonly name: string;
  readonly weight: number;
}

/** A request for the place and the years of the documentation's examples. */
export interface PipelineExample<R> {
  readonly name: string;
  readonly request: R;
}

/** Texts of responses: `initiated` after a run was stored, `finished` after it succeeded. */
export interface PipelineMessages {
  readonly initiated: string;
  readonly finished: string;
}

/** An input or output of a pipeline in workflow files. */
export interface PipelineDataset {
  /** Id of letters A-Z, a-z, digits and _, because other programs use the id in names. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** Kind of data. `layers` means rasters, vectors or both. */
  readonly form: 'raster' | 'vector' | 'layers' | 'table';
}

/** Inputs and outputs of a pipeline. */
export interface PipelineDatasets {
  readonly inputs: readonly PipelineDataset[];
  readonly outputs: readonly PipelineDataset[];
}

/** Texts about a pipeline for lists that people read. */
export interface PipelineListing {
  /** Name of the pipeline's result, such as `Land cover by year`. */
  readonly title: string;
  /** Group in lists, such as `Water`. */
  readonly theme: string;
  /** Inputs that no pipeline makes, such as `Digital elevation model`. */
  readonly sources?: readonly string[];
}

/** A validated region, and years that `resolve` must validate. */
export interface RegionRequest {
  readonly region: Region;
  readonly startYear: number;
  readonly endYear: number;
}

/** Support of a pipeline for regions, which are any boxes. */
export interface RegionRuns<P> {
  /** Name of the result in requests for a region, in lower case. */
  readonly scheme: string;
  /** Returns the parameters of the run; throws `validation` errors that name the field. */
  readonly resolve: (request: RegionRequest, ports: Pick<ResolvePorts, 'now'>) => P;
  /** Returns the newest year that can be computed for a region. Without this function, requests must name a year. */
  readonly newestYear?: (
    region: Region,
    ports: Pick<InputPorts, 'earthObservation'> & Pick<ResolvePorts, 'now'>,
    signal: AbortSignal,
  ) => Promise<number | undefined>;
}

/** A pipeline: its name, request and steps, and the function that computes a deliverable. */
export interface Pipeline<R, P> {
  readonly name: string;
  /** Last segment of the pipeline's route; aliases are further routes. */
  readonly route: string;
  readonly aliases: readonly string[];
  /** One sentence for the API reference. */
  readonly summary: string;
  /** Texts for lists of pipelines; default: the pipeline's name as title. */
  readonly listing?: PipelineListing;
  /** Requests for the API reference and the conformance suites. */
  readonly examples: readonly [PipelineExample<R>, ...PipelineExample<R>[]];
  readonly messages: PipelineMessages;
  /** Names of the tables and series that runs may publish; default: any name. */
  readonly data?: readonly string[];
  /** Inputs and outputs for workflow files, if `dependsOn` and `data` do not imply them. */
  readonly datasets?: Partial<PipelineDatasets>;
  /** Styles of the pipeline's layers that map servers have from the first start. */
  readonly styles?: readonly MapStyle[];
  /** Keywords of the pipeline's layers, for Collections. */
  readonly keywords?: readonly string[];
  /** Schema of the request with the domain's names (`tehsil`, `startYear`); the HTTP service adds the wire names. */
  readonly request: z.ZodObject & z.ZodType<R>;
  /** Returns the run's parameters for a request. Throws `validation` / `not_found` errors that name the field. */
  readonly resolve: (request: R, ports: ResolvePorts) => Promise<P>;
  /** Support for regions; default: only tehsils. */
  readonly regions?: RegionRuns<P>;
  /**
   * Schema of the parameters that are stored with the run as JSON. The names `call` and `sceneEngine` are reserved
   * (`Run.params`).
   */
  readonly params: z.ZodType<P>;
  readonly steps: readonly PipelineStep[];
  /** Returns a text that is equal for requests for equal work. */
  readonly fingerprint: (params: P) => string;
  /** Names of the pipelines whose results `needs` may return. Cycles of dependencies are refused. */
  readonly dependsOn?: readonly string[];
  /**
   * Returns layers, tables and elevations that must exist before a run. If data are missing, the request is refused, or
   * other runs make the data first.
   */
  readonly needs?: (params: P, ports: ResolvePorts) => readonly Need[] | Promise<readonly Need[]>;
  /**
   * Returns a text that changes with the data that a run would read, such as scenes. A stored result with an equal text
   * is reused. Without this function, every request is computed.
   */
  readonly inputs?: (params: P, ports: InputPorts, signal: AbortSignal) => Promise<string>;
  /**
   * Returns the pixel plans of a run; throws the errors of a run, such as `no_scenes`. Absent if the pipeline reads no
   * scenes.
   */
  readonly plans?: (params: P, ports: InputPorts, signal: AbortSignal) => Promise<readonly PixelPlan[]>;
  readonly execute: (params: P, ports: PipelinePorts, context: PipelineContext) => Promise<Deliverable>;
}

/** Ports that `inputs` can use. */
export interface InputPorts extends Pick<PipelinePorts, 'places' | 'earthObservation' | 'remedies' | 'elevation'> {
  readonly published: PublishedReads;
}

/** Ports that `resolve` and `needs` can use. */
export interface ResolvePorts {
  readonly places: PlaceStore;
  /** Accounts of the user who requests the run. */
  readonly eoAccounts: CallerAccounts;
  readonly published: PublishedReads;
  readonly elevation?: ElevationSource;
  readonly remedies: Remedies;
  readonly now: () => Date;
}
