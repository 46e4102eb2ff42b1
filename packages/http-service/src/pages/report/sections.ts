import type { Crumb } from '../parts.ts';
import type { TextName } from '../texts.ts';

/** A measure with its values along the x axis of its section; null where nothing is known. */
export interface ShownMeasure {
  readonly name: TextName;
  /** `#rrggbb` in charts; without one it stands in the table only. */
  readonly color: string | undefined;
  readonly values: readonly (number | null)[];
}

/** Where a section's figures come from. */
export interface ShownSource {
  /** The layer, or the sheet where no layer tells of it. */
  readonly title: string;
  /** Undefined where there is no page of it. */
  readonly href: string | undefined;
  /** ISO 8601. */
  readonly publishedAt: string;
}

/** What every section of a report has. */
interface Section {
  readonly title: TextName;
  readonly note?: TextName | undefined;
  /** Those that differ, once each. */
  readonly sources: readonly ShownSource[];
}

/** Measures along years or days. */
export interface SeriesSection extends Section {
  readonly kind: 'series';
  readonly axis: 'year' | 'date';
  readonly labels: readonly string[];
  readonly chart: 'shares' | 'lines';
  /** Of the measures with a colour. */
  readonly unit: TextName | undefined;
  readonly measures: readonly ShownMeasure[];
}

/** One value for each measure. */
export interface ValuesSection extends Section {
  readonly kind: 'values';
  readonly unit: TextName;
  readonly values: readonly { readonly name: TextName; readonly value: number }[];
  /** The kind of terrain in words. */
  readonly described?: { readonly name: TextName; readonly text: TextName } | undefined;
}

/** Water bodies that a micro-watershed meets. */
export interface BodiesSection extends Section {
  readonly kind: 'bodies';
  readonly bodies: readonly ShownBody[];
}

/** A water body; area in hectares within the micro-watershed, degrees of its centre. */
export interface ShownBody {
  readonly id: string;
  /** '' where it is not known. */
  readonly name: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly areaHa: number | null;
}

/** A part of a report, shown only where something is published of it. */
export type ReportSection = SeriesSection | ValuesSection | BodiesSection;

/** What the pages of reports have in common. */
export interface ReportFacts {
  readonly prefix: string;
  readonly version: string;
  readonly place: { readonly state: string; readonly district: string; readonly tehsil: string };
  /** The same page in the other language. */
  readonly other: string;
  /** The catalogue's page of the tehsil; undefined where nothing is published of it. */
  readonly collection: string | undefined;
  readonly sections: readonly ReportSection[];
  /** True where figures were made of generated data. */
  readonly isSynthetic: boolean;
  readonly credits: readonly string[];
  readonly license: Crumb;
}
