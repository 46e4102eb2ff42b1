import type { MapTexts } from '@headwater/http-service';

let texts: MapTexts | undefined;

/** Sets the texts of the page's only map. */
export function useTexts(given: MapTexts): void {
  texts = given;
}

/** A text of the map; `parts` replace placeholders. */
export function say(name: keyof MapTexts, parts: Readonly<Record<string, string>> = {}): string {
  return (texts?.[name] ?? '').replace(/\{(\w+)\}/g, (_, part: string) => parts[part] ?? '');
}
