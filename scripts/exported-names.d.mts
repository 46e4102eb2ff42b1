/** Exported names of one entry of a package, values and types, sorted. */
export interface ExportedNames {
  /** Name of the package. */
  readonly name: string;
  /** `.` or a sub-path, as in package.json. */
  readonly entry: string;
  readonly names: readonly string[];
}
/** Exported names of every entry with a TypeScript source of the packages below `root`/packages. */
export function exportedNames(root: string): readonly ExportedNames[];
/** Distinct names of all entries of each package. */
export function namesByPackage(root: string): readonly Omit<ExportedNames, 'entry'>[];
