import { html, report, ogc, type Wording } from './wording.ts';
import { apiKeys, key } from './key.ts';
import { compute, problem, stac, success, withError } from './problem.ts';

/** Error formats by their names in operations. */
export const wordings = {
  problem,
  compute,
  success,
  withError,
  key,
  apiKeys,
  html,
  report,
  ogc,
  stac,
} as const satisfies Readonly<Record<string, Wording>>;

/** Error format of an operation: a name in `wordings`, or the embedder's own. */
export type ErrorFormat = keyof typeof wordings | Wording;

/** Error format of an operation; default: problem details. */
export function wordingOf(format: ErrorFormat = 'problem'): Wording {
  return typeof format === 'string' ? wordings[format] : format;
}
