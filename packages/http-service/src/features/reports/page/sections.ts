import type { TextName } from '../../../pages/texts.ts';

/** A measure with its values along the x axis of its section; null where nothing is known. */
export interface ShownMeasure {
  readonly name: TextName;
  /** Undefined where it has none. */
  readonly unit: TextName | undefined;
  /** `#rrggbb` in charts; without one it stands in the table only. */
  readonly color: string | undefined;
  readonly values: readonly (number | null)[];
}

/** Where a section's figures come from. */
export interface ShownSource {
  /** The layer that tells of it; undefined where none does. */
  readonly title: string | undefined;
  /** Of the layer's page; undefined where there is none. */
  readonly href: string | undefined;
  /** Name of the file from which it was imported; undefined for what was computed, and where nobody knows. */
  readonly file: string | undefined;
  /** ISO 8601. */
  readonly publishedAt: string;
}

/** What every section of a report has. */
interface Section {
  readonly title: TextName;
  /** What takes the place of names in the title. */
  readonly titleParts?: Readonly<Record<string, string>> | undefined;
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
  readonly measures: readonly ShownMeasure[];
}

/** One value for each measure. */
export interface ValuesSection extends Section {
  readonly kind: 'values';
  readonly unit: TextName;
  readonly values: readonly { readonly name: TextName; readonly value: number }[];
  /** The kind of terrain, the class of groundwater; a text of the catalogue, or words as they were imported. */
  readonly described?:
    | ({ readonly name: TextName } & ({ readonly text: TextName } | { readonly words: string }))
    | undefined;
}

/** Rows as they were published: texts stay in their own language. */
export interface RowsSection extends Section {
  readonly kind: 'rows';
  readonly heads: readonly TextName[];
  /** A cell for each head. */
  readonly rows: readonly (readonly (string | number | null)[])[];
  /** Rows that are not shown. */
  readonly more: number;
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
export type ReportSection = SeriesSection | ValuesSection | BodiesSection | RowsSection;

/** What the figures of a report were made of. */
export interface ShownOrigins {
  /** Computed by this service. */
  readonly isComputed: boolean;
  /** Some of them from generated data. */
  readonly isSynthetic: boolean;
  /** Some were imported, of which nobody told a licence. */
  readonly isImported: boolean;
}

/** A licence: its identifier, and where its text is, if that is known. */
export interface ShownLicence {
  readonly title: string;
  readonly href: string | undefined;
}

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
  readonly origins: ShownOrigins;
  readonly credits: readonly string[];
  /** Licences of what is shown, each once, those that are known. */
  readonly licences: readonly ShownLicence[];
}
