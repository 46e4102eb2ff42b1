import type { Shell } from '../../../pages/layout.ts';
import type { TextName } from '../../../pages/texts.ts';

/** A measure: its values in the order of its section's labels; null if unknown. */
export interface ShownMeasure {
  readonly name: TextName;
  readonly unit: TextName | undefined;
  /** Colour in charts, `#rrggbb`. Without a colour, the measure is only in the table. */
  readonly color: string | undefined;
  readonly values: readonly (number | null)[];
}

/** Source of a section's figures. */
export interface ShownSource {
  /** Title of the layer with these figures; undefined without layer. */
  readonly title: string | undefined;
  readonly href: string | undefined;
  /** Name of the imported file, if known. */
  readonly file: string | undefined;
  /** ISO 8601 time. */
  readonly publishedAt: string;
}

interface Section {
  readonly title: TextName;
  readonly titleParts?: Readonly<Record<string, string>> | undefined;
  readonly note?: TextName | undefined;
  /** Sources of the figures, each once. */
  readonly sources: readonly ShownSource[];
}

/** Section with measures over years or days. */
export interface SeriesSection extends Section {
  readonly kind: 'series';
  readonly axis: 'year' | 'date';
  readonly labels: readonly string[];
  readonly chart: 'shares' | 'lines';
  readonly measures: readonly ShownMeasure[];
}

/** Section with one value for each measure. */
export interface ValuesSection extends Section {
  readonly kind: 'values';
  readonly unit: TextName;
  readonly values: readonly { readonly name: TextName; readonly value: number }[];
  /** Kind of terrain or class of groundwater: a translated `text`, or imported `words`. */
  readonly described?:
    | ({ readonly name: TextName } & ({ readonly text: TextName } | { readonly words: string }))
    | undefined;
}

/** Section with published rows. Their texts are not translated. */
export interface RowsSection extends Section {
  readonly kind: 'rows';
  readonly heads: readonly TextName[];
  readonly rows: readonly (readonly (string | number | null)[])[];
  readonly more: number;
}

/** Section with the water bodies that intersect a micro-watershed. */
export interface BodiesSection extends Section {
  readonly kind: 'bodies';
  readonly bodies: readonly ShownBody[];
}

/** A water body: its centre in degrees, and its area within the micro-watershed in ha. */
export interface ShownBody {
  readonly id: string;
  /** '' if unknown. */
  readonly name: string;
  readonly latitude: number | null;
  readonly longitude: number | null;
  readonly areaHa: number | null;
}

/** A section of a report. Sections without data are not shown. */
export type ReportSection = SeriesSection | ValuesSection | BodiesSection | RowsSection;

/** Origins of the figures of a report. */
export interface ShownOrigins {
  /** True if this service computed some figures. */
  readonly isComputed: boolean;
  /** True if some figures were computed from synthetic data. */
  readonly isSynthetic: boolean;
  /** True if some figures were imported with an unknown licence. */
  readonly isImported: boolean;
}

/** A licence: its identifier, and the address of its text if known. */
export interface ShownLicence {
  readonly title: string;
  readonly href: string | undefined;
}

/** Data that the pages of all reports need. */
export interface ReportFacts extends Omit<Shell, 'language'> {
  readonly prefix: string;
  readonly version: string;
  readonly place: { readonly state: string; readonly district: string; readonly tehsil: string };
  /** Paths of the computing routes, as in `computingRoutes`. */
  readonly routes: string;
  /** Catalogue page of the tehsil; undefined if it has no Items. */
  readonly collection: string | undefined;
  readonly sections: readonly ReportSection[];
  readonly origins: ShownOrigins;
  readonly credits: readonly string[];
  /** Known licences of the shown figures, each once. */
  readonly licences: readonly ShownLicence[];
}
