/** The package itself contains no types. */
declare module 'stac-node-validator' {
  interface ValidationReport {
    readonly id: string;
    readonly valid: boolean;
    readonly messages: readonly string[];
    readonly results: Readonly<Record<'core' | 'extensions' | 'custom', unknown>>;
    readonly children: readonly ValidationReport[];
  }
  interface ValidationConfig {
    /** Loads a schema, or a document, by its address. */
    readonly loader: (uri: string) => Promise<unknown>;
    /** If true, the result contains all errors. */
    readonly verbose: boolean;
  }
  export default function validate(data: readonly object[], config: ValidationConfig): Promise<ValidationReport>;
}
