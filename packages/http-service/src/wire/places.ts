import type { DomainError } from '@headwater/core';
import type { UnknownPlace } from '@headwater/core/places';
import { z } from 'zod';
import { wireName } from './names.ts';
import { fieldText, type Words } from './words.ts';

/** `parameter`: the name by which the caller named the level, where the route knows several. */
type AskedPlace = UnknownPlace & { readonly parameter?: string };

const Unknown: z.ZodType<AskedPlace> = z.object({
  kind: z.literal('place'),
  level: z.enum(['state', 'district', 'tehsil']),
  name: z.string(),
  within: z.string().exactOptional(),
  near: z.array(z.string()),
  known: z.array(z.string()).exactOptional(),
  parameter: z.string().exactOptional(),
});

/** Most names that an answer lists; beyond it the place directory is the better list. */
const MOST_LISTED = 5;

/**
 * What a 404 of a place says: the name that is unknown at its level, then near names of that level, or what is known there.
 * `near` also stands in the body by itself. Undefined where the error is about something else.
 */
export function placeWords({ details }: DomainError): Words | undefined {
  const { success, data: place } = Unknown.safeParse(details);
  if (!success) return undefined;
  const field = place.parameter ?? wireName(place.level);
  const where = place.within === undefined ? '' : ` in ${place.within}`;
  const sentence = `"${place.name}" is not a known ${field}${where}. ${hint(place)}`;
  const fields = { [field]: [sentence] };
  return { message: fieldText(fields), fields, members: { near: place.near } };
}

function hint({ near, known = [] }: UnknownPlace): string {
  if (near.length > 0) return `Did you mean ${near.join(' or ')}?`;
  if (known.length === 0) return 'None is known there.';
  if (known.length <= MOST_LISTED) return `Known: ${known.join(', ')}.`;
  return `${known.length} are known there; see the place directory.`;
}
