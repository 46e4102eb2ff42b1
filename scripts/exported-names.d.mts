/** Exported names (values and types) of an entry, sorted. */
export interface ExportedNames {
  /** Name of the package. */
  readonly name: string;
  /** `.` or a sub-path, as in package.json. */
  readonly entry: string;
  readonly names: readonly string[];
}
/** Exported names of every TypeScript entry below `root`/packages. */
export function exportedNames(root: string): readonly ExportedNames[];
/** Distinct names of all entries, by package. */
export function namesByPackage(root: string): readonly Omit<ExportedNames, 'entry'>[];
