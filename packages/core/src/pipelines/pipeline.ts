import type { z } from 'zod';
import type { EoAccountStore } from '../ports/eo-accounts.ts';
import type { Addresses } from '../ports/addresses.ts';
import type { AssetStore } from '../ports/assets.ts';
import type { EarthObservation } from '../ports/earth-observation.ts';
import type { ElevationSource } from '../ports/elevation.ts';
import type { PixelEngine } from '../ports/pixels.ts';
import type { PlaceStore } from '../ports/places.ts';
import type { PublishedLayers, PublishedReads } from '../ports/published.ts';
import type { Deliverable, Run } from '../ports/runs.ts';
import type { Remedies } from '../ports/remedies.ts';
import type { Logger } from '../ports/system.ts';
import type { Region } from '../places/region.ts';
import type { Need } from './needs.ts';

/** What pipelines may use. */
export interface PipelinePorts {
  readonly places: PlaceStore;
  readonly earthObservation: EarthObservation;
  readonly pixels: PixelEngine;
  readonly assets: AssetStore;
  /** What runs published before. */
  readonly published: PublishedLayers;
  /** Where elevations come from; undefined where the composition gives none. */
  readonly elevation?: ElevationSource;
  /** Every href of an Item comes from here. */
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

/** A request that works on the documented place, with the years, or whatever else it asks for, that exist there. */
export interface PipelineExample<R> {
  readonly name: string;
  readonly request: R;
}

/** Texts of answers: for a run that was stored, and for one that ended well. */
export interface PipelineMessages {
  readonly initiated: string;
  readonly finished: string;
}

/** Something that a pipeline reads or makes, as workflow files name it. */
export interface PipelineDataset {
  /** Letters A-Z, a-z, digits and _: it becomes part of names in other programs. */
  readonly id: string;
  readonly title: string;
  readonly description: string;
  /** `layers`: rasters, vectors or both. */
  readonly form: 'raster' | 'vector' | 'layers' | 'table';
}

/** What a pipeline reads and makes. */
export interface PipelineDatasets {
  readonly inputs: readonly PipelineDataset[];
  readonly outputs: readonly PipelineDataset[];
}

/** A region and the years to compute of it; the region is checked, the years are not. */
export interface RegionRequest {
  readonly region: Region;
  readonly startYear: number;
  readonly endYear: number;
}

/** How a pipeline computes regions: the same work as for a tehsil, of another place. */
export interface RegionRuns<P> {
  /** Name of the classification scheme, or whatever else it makes, by which requests for a region name it; lower case. */
  readonly scheme: string;
  /** Parameters of the run; throws `validation` errors that name the field of `RegionRequest`. */
  readonly resolve: (request: RegionRequest, ports: Pick<ResolvePorts, 'now'>) => P;
}

/** A pipeline is a typed value: name, request, steps, and one function from parameters to what is published. */
export interface Pipeline<R, P> {
  readonly name: string;
  /** Last segment of the route that starts it; the same body is taken at each alias. */
  readonly route: string;
  readonly aliases: readonly string[];
  /** One sentence for the reference. */
  readonly summary: string;
  /** At least one request; the reference and the conformance suites send them. */
  readonly examples: readonly [PipelineExample<R>, ...PipelineExample<R>[]];
  readonly messages: PipelineMessages;
  /**
   * Names of the tables and series that its runs may publish; a run that publishes another one fails. Where one is missing, its route is
   * named. Left out: any, and its route is named nowhere.
   */
  readonly data?: readonly string[];
  /**
   * What it reads and makes, where workflow files shall tell more than follows from `dependsOn` and `data` (`datasetsOf`). What it makes
   * for itself it does not read.
   */
  readonly datasets?: Partial<PipelineDatasets>;
  /** What its layers are about, as Collections say it; default: nothing. */
  readonly keywords?: readonly string[];
  /**
   * What is asked for, in domain names (`tehsil`, `startYear`; `request-fields.ts` has the usual ones). The HTTP edge derives its
   * body from it: names, aliases, numbers as text.
   */
  readonly request: z.ZodObject & z.ZodType<R>;
  /** Checks the request against what exists; throws `validation` / `not_found` errors that name the request's field. */
  readonly resolve: (request: R, ports: ResolvePorts) => Promise<P>;
  /** Left out: it computes tehsils only. What it makes of a region are Items, without layers, tables and series. */
  readonly regions?: RegionRuns<P>;
  /** Parameters as stored in the run's row (JSON round trip safe). */
  readonly params: z.ZodType<P>;
  readonly steps: readonly PipelineStep[];
  /** Text that is equal for requests that would do the same work. */
  readonly fingerprint: (params: P) => string;
  /**
   * Names of pipelines whose layers or tables `needs` may name. No pipeline may lead back to itself by them: a registry of such
   * pipelines is refused.
   */
  readonly dependsOn?: readonly string[];
  /**
   * What has to be published, or to be had, before a run can begin. Where something is missing the request is refused with the
   * requests that make it, or these are made first (`StartOptions.withDependencies`). Left out: nothing.
   */
  readonly needs?: (params: P, ports: ResolvePorts) => readonly Need[] | Promise<readonly Need[]>;
  /**
   * Text that is equal while a run would read the same (scenes, places, whatever else the result depends on beside `fingerprint`),
   * found without computing. A stored result whose `Deliverable.inputs` equal it answers an equal request. Left out: always computed.
   */
  readonly inputs?: (params: P, ports: InputPorts, signal: AbortSignal) => Promise<string>;
  readonly execute: (params: P, ports: PipelinePorts, context: PipelineContext) => Promise<Deliverable>;
}

/** What finding out about a run's inputs may look at. */
export interface InputPorts extends Pick<PipelinePorts, 'places' | 'earthObservation' | 'remedies' | 'elevation'> {
  readonly published: PublishedReads;
}

/** What request checks may look at. */
export interface ResolvePorts {
  readonly places: PlaceStore;
  readonly eoAccounts: EoAccountStore;
  readonly published: PublishedReads;
  readonly elevation?: ElevationSource;
  readonly remedies: Remedies;
  readonly now: () => Date;
}
