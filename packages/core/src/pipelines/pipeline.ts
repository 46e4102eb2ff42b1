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
  /** Builds the public addresses that the hrefs of Items contain. */
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
  /** Reports the finished share (0-1) of a step in `Pipeline.steps`; the progress of the run is the weighted sum over all steps. */
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

/** A request for the place of the examples in the documentation, with years and other values that exist there. */
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
  /** Id of letters A-Z, a-z, digits and _. Other characters are not allowed, because the id becomes part of names in other programs. */
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

/** A region and the years to compute. The region is already validated; `resolve` must validate the years. */
export interface RegionRequest {
  readonly region: Region;
  readonly startYear: number;
  readonly endYear: number;
}

/** Support of a pipeline for regions: the same computation as for a tehsil, for any box. */
export interface RegionRuns<P> {
  /** Name of the classification scheme or other result, in lower case. Requests for a region contain this name. */
  readonly scheme: string;
  /** Returns the parameters of the run; throws `validation` errors that name the field of `RegionRequest`. */
  readonly resolve: (request: RegionRequest, ports: Pick<ResolvePorts, 'now'>) => P;
  /** Returns the newest year that can be computed for a region; undefined if there is none. If absent, requests must name a year. */
  readonly newestYear?: (
    region: Region,
    ports: Pick<InputPorts, 'earthObservation'> & Pick<ResolvePorts, 'now'>,
    signal: AbortSignal,
  ) => Promise<number | undefined>;
}

/** A pipeline: its name, request and steps, and the function that computes a deliverable from parameters. */
export interface Pipeline<R, P> {
  readonly name: string;
  /** Last segment of the route that starts the pipeline. Each alias is another route that accepts the same body. */
  readonly route: string;
  readonly aliases: readonly string[];
  /** One sentence for the API reference. */
  readonly summary: string;
  /** Texts for lists of pipelines. Default: the title is the pipeline's name, and there is no theme. */
  readonly listing?: PipelineListing;
  /** At least one request. The API reference shows these requests, and the conformance suites send them. */
  readonly examples: readonly [PipelineExample<R>, ...PipelineExample<R>[]];
  readonly messages: PipelineMessages;
  /**
   * Names of the tables and series that runs of the pipeline may publish; a run that publishes data with another name fails. The error for a
   * missing table or series names this pipeline's route. If absent, runs may publish any name, and no error names the route.
   */
  readonly data?: readonly string[];
  /**
   * Inputs and outputs for workflow files, if `dependsOn` and `data` do not imply them (`datasetsOf`). Data that the pipeline makes only
   * for its own use are not inputs.
   */
  readonly datasets?: Partial<PipelineDatasets>;
  /** Styles of the pipeline's layers that are the same at all places; map servers have them from the first start. Default: none. */
  readonly styles?: readonly MapStyle[];
  /** Keywords of the pipeline's layers, for Collections; default: none. */
  readonly keywords?: readonly string[];
  /**
   * Schema of the request with the domain's names (`tehsil`, `startYear`; `request-fields.ts` has the usual fields). From this schema the HTTP
   * service derives the schema of the body, which has wire names and also accepts aliases and numbers as text.
   */
  readonly request: z.ZodObject & z.ZodType<R>;
  /** Checks the request against existing data; throws `validation` / `not_found` errors that name the request's field. */
  readonly resolve: (request: R, ports: ResolvePorts) => Promise<P>;
  /** Support for regions; if absent, the pipeline computes only tehsils. The result for a region has only Items, no layers, tables or series. */
  readonly regions?: RegionRuns<P>;
  /** Schema of the parameters that are stored with the run as JSON. The names `call` and `sceneEngine` are reserved (`Run.params`). */
  readonly params: z.ZodType<P>;
  readonly steps: readonly PipelineStep[];
  /** Returns a text that is equal for requests for the same work. */
  readonly fingerprint: (params: P) => string;
  /** Names of the pipelines whose layers or tables `needs` may return. Pipelines that depend on each other in a circle are refused. */
  readonly dependsOn?: readonly string[];
  /**
   * Returns layers, tables and elevations that must exist before a run can start. If such data are missing, the request is refused, and the
   * error contains the requests that make the data. With `StartOptions.withDependencies`, other runs make the missing data first. If `needs` is
   * absent, the pipeline needs nothing.
   */
  readonly needs?: (params: P, ports: ResolvePorts) => readonly Need[] | Promise<readonly Need[]>;
  /**
   * Returns a text that changes when the data change that a run would read: scenes, places, and all other data that affect the result and are
   * not part of `fingerprint`. This function must not compute the result. A stored result with equal `Deliverable.inputs` is reused for an equal
   * request. If absent, every request is computed.
   */
  readonly inputs?: (params: P, ports: InputPorts, signal: AbortSignal) => Promise<string>;
  /**
   * Returns the pixel plans that a run would execute, without reading a pixel. Throws the same errors as a run, such as `no_scenes`. If absent,
   * the pipeline reads no scenes.
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
