import type { DomainError } from '@headwater/core';
import type { UnknownPlace } from '@headwater/core/places';
import { z } from 'zod';
import { wireName } from './names.ts';
import { fieldText, type Words } from './words.ts';

type RequestedPlace = UnknownPlace & { readonly parameter?: string };

const Unknown: z.ZodType<RequestedPlace> = z.object({
  kind: z.literal('place'),
  level: z.enum(['state', 'district', 'tehsil']),
  name: z.string(),
  within: z.string().exactOptional(),
  near: z.array(z.string()),
  known: z.array(z.string()).exactOptional(),
  parameter: z.string().exactOptional(),
});

const MOST_LISTED = 5;

/** Text of a 404 for a place: the unknown name, and similar or known names. Undefined for errors about other things. */
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
  if (known.length === 0) return 'No names are known there; an operator must first import boundaries.';
  if (known.length <= MOST_LISTED) return `Known: ${known.join(', ')}.`;
  return `${known.length} names are known there; get_states/, get_districts/ and get_blocks/ list them.`;
}
