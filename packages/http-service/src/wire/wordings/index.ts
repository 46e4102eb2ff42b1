import { html, report } from './wording.ts';
import { apiKeys, key } from './key.ts';
import { ogc } from './ogc.ts';
import { compute, problem, success } from './problem.ts';
import { stac } from './problem.ts';
import type { Wording } from './wording.ts';

/** Every wording by the name that rows of the operations table use; a surface with habits of its own adds a line. */
export const wordings = {
  problem,
  compute,
  success,
  key,
  apiKeys,
  html,
  report,
  ogc,
  stac,
} as const satisfies Readonly<Record<string, Wording>>;

/** How a row words its failures: by a name of the registry, or by a wording of the embedder's own. */
export type ErrorFormat = keyof typeof wordings | Wording;

/** The wording that a row names; problem details where it names none. */
export function wordingOf(format: ErrorFormat = 'problem'): Wording {
  return typeof format === 'string' ? wordings[format] : format;
}
