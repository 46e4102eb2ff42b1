/** Text of VERSION after a release. */
export function releasedText(
  text: string,
  release: { readonly version: string; readonly date: string; readonly changes: readonly string[] },
): string;

/** Releases the packages of a folder; `run` throws if a command fails. */
export function release<Packed>(steps: {
  readonly folder: string;
  readonly run: (command: string, ...args: readonly string[]) => void;
  readonly pack: () => Packed;
  readonly publish: (packed: Packed) => void;
}): void;
