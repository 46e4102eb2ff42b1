import { PROFILES } from '@headwater/stac';
import { FORMATS } from '../export/export-tree.ts';

/** How the program is called. */
export const USAGE = `usage: headwater-stac validate PATH|URL... [--profile ${PROFILES.join('|')}] [--json] [--strict] [--quiet] [--most-minutes N]
       headwater-stac lint PATH|URL [--check-assets] [--validate [--profile ${PROFILES.join('|')}]] [--any-file] [--json] [--strict] [--quiet] [--most-documents N] [--most-minutes N]
       headwater-stac export PATH|URL --format ${FORMATS.join('|')} --out DIR|FILE [--replace] [--no-level] [--any-file] [--quiet] [--most-documents N] [--most-minutes N]
       headwater-stac --help

validate  every document of a file (one document, or a FeatureCollection of Items), a folder, an .ndjson file or an address; asks nothing of a network
lint      a whole tree from its root: links, parents, extents, cycles, orphans; --check-assets asks each asset's address too
export    a whole tree as static files, one Item a line, or stac-geoparquet

--profile stac       STAC of anybody (where none is named): the rules of the official schemas for core and the known extensions, and of GeoJSON
--profile headwater  what Headwater's own documents must be: also ids by place, titles, labelled links, fetchable data, described columns
--any-file           lets a tree of files name files outside of its root's folder.

Exit codes: 0 conforming, 1 faults (--strict: warnings too), 2 wrong usage, or something that cannot be read or holds no document.
`;

/** A call that cannot be done as it is; the message names the argument and the remedy. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
