import type { Assessment, Remark } from '@headwater/accuracy';

/** What was compared, as it was named. */
export interface Compared {
  readonly map: string;
  readonly reference: string;
  readonly legend: string;
}

/** An assessment as JSON for other programs: names in snake_case, shares 0-1, areas in hectares, null where there is no figure. */
export function resultDocument(assessment: Assessment, remarks: readonly Remark[], compared: Compared): string {
  const { map, reference, legend } = compared;
  return `${JSON.stringify(snakeCased({ compared: { map, reference, legend }, ...assessment, remarks }), null, 1)}\n`;
}

function snakeCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(snakeCased);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [snake(name), snakeCased(inner)]));
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
