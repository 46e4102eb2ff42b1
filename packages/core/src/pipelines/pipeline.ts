import type { z } from 'zod';
import type { EoAccountStore } from '../ports/eo-accounts.ts';
import type { Addresses, Remedies, Logger } from '../ports/host.ts';
import type { AssetStore } from '../ports/assets.ts';
import type { EarthObservation } from '../ports/earth-observation.ts';
import type { ElevationSource } from '../ports/elevation.ts';
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
  /** Source of elevations; undefined if the composition has none. */
  readonly elevation?: ElevationSource;
  /** Source of every href of an Item. */
  readonly addresses: Addresses;
  readonly remedies: Remedies;
  /** Version of this software, for `processing:software`. */
  readonly version: string;
  readonly now: () => Date;
}

/** One attempt at a run. */
export interface PipelineContext {
  readonly run: Run;
  readonly signal: AbortSignal;
  /** Reports the share (0-1) of a step in `steps`; the run machine weights it into the run's progress. */
  readonly progress: (step: string, share: number, note?: string) => void;
  /** Writes a line to the run's log. */
  readonly log: (message: string) => void;
  readonly logger: Logger;
}

/** A step and its weight in the run's progress bar. */
export interface PipelineStep {
  readonly name: string;
  readonly weight: number;
}

/** A request for the documented place, with years and other values that exist there. */
export interface PipelineExample<R> {
  readonly name: string;
  readonly request: R;
}

/** Texts of responses: after a run was stored, and after it succeeded. */
export interface PipelineMessages {
  readonly initiated: string;
  readonly finished: string;
}

/** An input or output of a pipeline in workflow files. */
export interface PipelineDataset {
  /** Letters A-Z, a-z, digits and _: it becomes part of names in other programs. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** `layers`: rasters, vectors or both. */
  readonly form: 'raster' | 'vector' | 'layers' | 'table';
}

/** Inputs and outputs of a pipeline. */
export interface PipelineDatasets {
  readonly inputs: readonly PipelineDataset[];
  readonly outputs: readonly PipelineDataset[];
}

/** Texts about a pipeline for lists that people read. */
export interface PipelineListing {
  /** Name of its result, such as `Land cover by year`. */
  readonly title: string;
  /** Group in lists, such as `Water`. */
  readonly theme: string;
  /** Inputs that no pipeline makes, such as `Digital elevation model`. */
  readonly sources?: readonly string[];
}

/** A region and the years to compute; the region is validated, the years are not. */
export interface RegionRequest {
  readonly region: Region;
  readonly startYear: number;
  readonly endYear: number;
}

/** Support of a pipeline for regions: the same computation as for a tehsil, of another place. */
export interface RegionRuns<P> {
  /** Name of the classification scheme or other result, in lower case; requests for a region use it. */
  readonly scheme: string;
  /** Parameters of the run; throws `validation` errors that name the field of `RegionRequest`. */
  readonly resolve: (request: RegionRequest, ports: Pick<ResolvePorts, 'now'>) => P;
  /** The newest year that can be computed for a region; undefined if there is none. Left out: requests must name a year. */
  readonly newestYear?: (
    region: Region,
    ports: Pick<InputPorts, 'earthObservation'> & Pick<ResolvePorts, 'now'>,
    signal: AbortSignal,
  ) => Promise<number | undefined>;
}

/** A pipeline is a typed value: name, request, steps, and a function from parameters to a deliverable. */
export interface Pipeline<R, P> {
  readonly name: string;
  /** Last segment of the route that starts it; each alias accepts the same body. */
  readonly route: string;
  readonly aliases: readonly string[];
  /** One sentence for the API reference. */
  readonly summary: string;
  /** Default: its name as the title, without theme. */
  readonly listing?: PipelineListing;
  /** At least one request; the API reference and the conformance suites send them. */
  readonly examples: readonly [PipelineExample<R>, ...PipelineExample<R>[]];
  readonly messages: PipelineMessages;
  /**
   * Names of the tables and series that its runs may publish; a run that publishes another one fails. The error for a missing one names
   * this pipeline's route. Left out: any name, and no error names its route.
   */
  readonly data?: readonly string[];
  /**
   * Inputs and outputs for workflow files, if `dependsOn` and `data` do not imply them (`datasetsOf`). Data that the pipeline makes for its
   * own use are not inputs.
   */
  readonly datasets?: Partial<PipelineDatasets>;
  /** Keywords of its layers, for Collections; default: none. */
  readonly keywords?: readonly string[];
  /**
   * Schema of the request in domain names (`tehsil`, `startYear`; `request-fields.ts` has the usual fields). The HTTP edge derives its body
   * from it: names, aliases, numbers as text.
   */
  readonly request: z.ZodObject & z.ZodType<R>;
  /** Checks the request against existing data; throws `validation` / `not_found` errors that name the request's field. */
  readonly resolve: (request: R, ports: ResolvePorts) => Promise<P>;
  /** Left out: it computes tehsils only. Results for a region are Items, without layers, tables and series. */
  readonly regions?: RegionRuns<P>;
  /** Parameters as stored in the run's row (JSON round trip safe). */
  readonly params: z.ZodType<P>;
  readonly steps: readonly PipelineStep[];
  /** Text that is equal for requests of the same work. */
  readonly fingerprint: (params: P) => string;
  /** Names of pipelines whose layers or tables `needs` may name. A registry with a circle of dependencies is refused. */
  readonly dependsOn?: readonly string[];
  /**
   * Layers, tables and elevations that must exist before a run can start. If some are missing, the request is refused with the requests
   * that make them, or they are made first (`StartOptions.withDependencies`). Left out: nothing.
   */
  readonly needs?: (params: P, ports: ResolvePorts) => readonly Need[] | Promise<readonly Need[]>;
  /**
   * Text that is equal while a run would read the same data (scenes, places, and all else that affects the result besides `fingerprint`),
   * determined without computing. A stored result with equal `Deliverable.inputs` is reused for an equal request. Left out: always
   * computed.
   */
  readonly inputs?: (params: P, ports: InputPorts, signal: AbortSignal) => Promise<string>;
  readonly execute: (params: P, ports: PipelinePorts, context: PipelineContext) => Promise<Deliverable>;
}

/** Ports that `inputs` can use. */
export interface InputPorts extends Pick<PipelinePorts, 'places' | 'earthObservation' | 'remedies' | 'elevation'> {
  readonly published: PublishedReads;
}

/** Ports that `resolve` and `needs` can use. */
export interface ResolvePorts {
  readonly places: PlaceStore;
  readonly eoAccounts: EoAccountStore;
  readonly published: PublishedReads;
  readonly elevation?: ElevationSource;
  readonly remedies: Remedies;
  readonly now: () => Date;
}
