import { appliedPolicies, type AuthDeps, type Policy } from '@headwater/identity';
import type { CorsRule, Operation } from '../rows/operation.ts';
import { parseQuery } from '../reading/query.ts';
import { createBodyReader, type BodyReader } from '../reading/read-body.ts';
import { bodySpec } from '../seam/row-body.ts';
import { checked } from '../wire/checked.ts';
import { cacheQueries } from './query-cache.ts';

/** Defaults for operations without their own settings. */
export interface RowDefaults {
  readonly bodyLimit: number;
  /** Sign-in of the host, if it replaces tokens. */
  readonly host?: AuthDeps['host'];
}

/** Operation with all facts that are computed once, when the service is created. */
export interface RowPlan {
  readonly row: Operation;
  readonly policies: readonly Policy[];
  /** True if `public` is the only policy. */
  readonly isOpen: boolean;
  /** Headers that the policies read, for `Vary`. */
  readonly credentialHeaders: readonly string[];
  readonly asksBody: boolean;
  /** Parses and validates a query. Throws `validation` and `parse`. */
  readonly readQuery: (text: string) => unknown;
  /** Reads the body; undefined for an operation without body. */
  readonly readBody: BodyReader | undefined;
  /** Validates a body that was read. Throws `validation`. */
  readonly checkBody: (raw: unknown) => unknown;
  readonly cors: CorsRule;
}

/** Compiles an operation. Throws for an unknown policy. */
export function planOf(row: Operation, { bodyLimit, host }: RowDefaults): RowPlan {
  const policies = appliedPolicies(row.auth, { host });
  const isOpen = row.auth === 'public';
  const spec = row.body === undefined ? undefined : bodySpec(row.body);
  return {
    row,
    policies,
    isOpen,
    credentialHeaders: [...new Set(policies.flatMap(headersOf))],
    asksBody: policies.some(({ places }) => places.some((place) => place.in === 'body')),
    readQuery: row.cachesQueries === true ? cacheQueries(queryReader(row)) : queryReader(row),
    readBody: spec === undefined ? undefined : createBodyReader(spec, bodyLimit),
    // A missing body is validated as an empty form, so that each missing field is reported.
    checkBody: spec?.kind === 'fields' ? (raw) => checked(spec.schema, raw === undefined ? {} : raw) : (raw) => raw,
    cors: row.cors ?? (isOpen && row.method === 'GET' ? 'any' : 'configured'),
  };
}

function queryReader({ query: schema, foldQueryCase, joinedQuery }: Operation): (text: string) => unknown {
  return (text) => {
    // Parsed even without a schema, so that all operations refuse malformed and repeated parameters.
    const values = parseQuery(text, foldQueryCase === true, joinedQuery);
    return schema === undefined ? undefined : checked(schema, values);
  };
}

function headersOf({ places, scheme }: Policy): readonly string[] {
  return places.flatMap((place) => {
    if (place.in === 'body') return [];
    if (place.in === 'cookie') return ['Cookie'];
    const isOfScheme = scheme?.type === 'apiKey' && scheme.name.toLowerCase() === place.name;
    return [isOfScheme ? scheme.name : place.name === 'authorization' ? 'Authorization' : place.name];
  });
}
