import { type Label, labelKey, type Legend, LegendSide, NODATA, UNMAPPED } from '../legend/legend.ts';
import { ConfusionMatrix } from '../matrix/confusion-matrix.ts';

/** The two labels of one sample; null outside of the raster, or for its nodata value. */
export interface LabelPair {
  readonly reference: Label | null;
  readonly mapped: Label | null;
}

/** A label that the legend does not contain, with its count. */
export interface Unknown {
  readonly label: Label;
  readonly count: number;
}

/** Pairs that are not in the matrix, counted by the first reason that applies, in this order. */
export interface LeftOut {
  readonly referenceNodata: number;
  /** The map has no data, or does not cover the sample. */
  readonly mapNodata: number;
  readonly unknownReference: readonly Unknown[];
  readonly unknownMap: readonly Unknown[];
}

/** Counts pairs of labels by the classes of a legend, and each label without a class. */
export class Tally {
  /** Codes are indexes of classes in the legend. */
  readonly matrix = new ConfusionMatrix();
  readonly #map: LegendSide;
  readonly #reference: LegendSide;
  readonly #unknownMap = new Map<string, Unknown>();
  readonly #unknownReference = new Map<string, Unknown>();
  #mapNodata = 0;
  #referenceNodata = 0;

  constructor(legend: Legend) {
    this.#map = new LegendSide(legend, 'map');
    this.#reference = new LegendSide(legend, 'reference');
  }

  /** Adds a pair `count` times. Returns true for equal classes, undefined for a pair that is left out. */
  add({ reference, mapped }: LabelPair, count = 1): boolean | undefined {
    const [of, as] = [placeOn(this.#reference, reference), placeOn(this.#map, mapped)];
    if (of === NODATA) this.#referenceNodata += count;
    else if (as === NODATA) this.#mapNodata += count;
    else if (of === UNMAPPED) note(this.#unknownReference, reference, count);
    else if (as === UNMAPPED) note(this.#unknownMap, mapped, count);
    else {
      this.matrix.add(of, as, count);
      return of === as;
    }
    return undefined;
  }

  get leftOut(): LeftOut {
    return {
      referenceNodata: this.#referenceNodata,
      mapNodata: this.#mapNodata,
      unknownReference: byCount(this.#unknownReference),
      unknownMap: byCount(this.#unknownMap),
    };
  }
}

const placeOn = (side: LegendSide, label: Label | null): number => (label === null ? NODATA : side.placeOf(label));

function note(unknown: Map<string, Unknown>, label: Label | null, count: number): void {
  if (label === null) return;
  const key = labelKey(label);
  unknown.set(key, { label, count: (unknown.get(key)?.count ?? 0) + count });
}

const byCount = (unknown: ReadonlyMap<string, Unknown>): Unknown[] =>
  [...unknown.values()].sort((a, b) => b.count - a.count);
