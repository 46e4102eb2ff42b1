import { DomainError, type TehsilNames } from '@headwater/core';
import { findTehsil } from '@headwater/core/places';
import type { Ports } from '../../../deps.ts';
import { RequestError } from '../../../wire/request-error.ts';
import type { NamedPlace } from '../schemas/public-places.ts';
import { sentenceOf } from '../../../wire/sentences.ts';

/** The tehsil that a query names. Throws `validation` and `not_found`, which name the parameter that the caller sent. */
export async function namedTehsil(
  { stores }: Ports<'stores'>,
  { names, slugs, parameter }: NamedPlace,
): Promise<TehsilNames> {
  try {
    return await findTehsil(stores, names, slugs);
  } catch (error) {
    throw asSent(error, parameter);
  }
}

/** On the other routes the third level is `block`; here it is what the caller calls it. */
function asSent(error: unknown, parameter: NamedPlace['parameter']): unknown {
  if (!(error instanceof DomainError)) return error;
  const { code, message, fields, details } = error;
  const { tehsil: problems } = fields;
  if (problems === undefined) return error;
  if (code === 'not_found') return new DomainError(code, message, { fields, details: { ...details, parameter } });
  return new RequestError({ [parameter]: problems.map((problem) => sentenceOf(problem, parameter)) });
}
