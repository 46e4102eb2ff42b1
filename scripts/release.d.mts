/** Text of VERSION after a release. */
export function releasedText(
  text: string,
  release: { readonly version: string; readonly date: string; readonly changes: readonly string[] },
): string;
