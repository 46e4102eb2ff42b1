import { DomainError, type TehsilNames } from '@headwater/core';
import { findTehsil } from '@headwater/core/places';
import type { Ports } from '../../../deps.ts';
import { absent } from '../../../wire/absent.ts';
import { RequestError } from '../../../wire/request-error.ts';
import { sentenceOf } from '../../../wire/sentences.ts';
import type { NamedPlace } from '../schemas/public-places.ts';

/** Finds the tehsil of a query. Errors name the parameter that was sent, `tehsil` or `block`. */
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

function asSent(error: unknown, parameter: NamedPlace['parameter']): unknown {
  if (!(error instanceof DomainError)) return error;
  const { code, message, fields, details } = error;
  const { tehsil: problems } = fields;
  if (problems === undefined) return error;
  if (code === 'not_found') return new DomainError(code, message, { fields, details: { ...details, parameter } });
  return new RequestError({ [parameter]: problems.map((problem) => sentenceOf(problem, parameter)) });
}

/** Finds the tehsil of a micro-watershed. Throws `validation`, and `not_found` for an unknown tehsil or uid. */
export async function namedMws(
  deps: Ports<'stores'>,
  query: NamedPlace & { readonly uid: string },
): Promise<TehsilNames> {
  const names = await namedTehsil(deps, query);
  const uids = await deps.stores.lookups.mwsUids(names.tehsilId);
  if (uids.length === 0) throw absent('mwsOutlines', { tehsil: names.tehsil });
  if (!uids.includes(query.uid)) throw absent('mws', { uid: query.uid, tehsil: names.tehsil });
  return names;
}
