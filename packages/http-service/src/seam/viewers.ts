import type { MapBackground } from '../pages/map-backgrounds.ts';
import type { Shell } from '../pages/layout.ts';
import type { Reply } from './reply.ts';

/**
 * Files of a viewer for OpenAPI documents that can also send requests. The script runs after the page has loaded. The script reads
 * the document from the address in the attribute `data-document` of the element `#api-viewer`, and shows the viewer in this
 * element. Requests go to the path in `data-prefix`.
 */
export interface ApiViewer {
  /** Content of the script, UTF-8. */
  readonly script: () => Promise<Uint8Array>;
  /** Content of the style sheet, UTF-8. */
  readonly style: () => Promise<Uint8Array>;
}

/** The page of a viewer, and its files by their names. */
export interface ViewerReplies {
  readonly page: (shell: Shell) => Promise<Reply>;
  readonly file: (name: string) => Promise<Reply | undefined>;
}

/**
 * Files of the interactive maps, all of them scripts. The page loads `map.js` as a module. The other files are chunks that `map.js`
 * imports; the name of each chunk has a hash of its content. The script reads an `ItemMap` from the attribute `data-map` of an
 * element, or a `PlacesMap` from the attribute `data-places`.
 */
export interface MapViewer {
  /** Content of each file by its name, UTF-8. */
  readonly files: () => Promise<ReadonlyMap<string, Uint8Array>>;
}

/** A file of the documentation site. */
export interface GuideFile {
  /** Changes when the file changes. */
  readonly version: string;
  readonly read: () => Promise<Uint8Array>;
}

/** The documentation site, as `npm run docs` builds it for the address `/docs/guide/`. */
export interface Guide {
  /** Opens a file by its path below the root of the site, such as `guides/embed.html`; undefined if there is no such file. */
  readonly open: (path: string) => Promise<GuideFile | undefined>;
}

/** Returns the reply with a file of the site by its path; undefined if there is no such file. */
export type GuideReplies = (path: string) => Promise<Reply | undefined>;

/** Returns the reply with a file of the maps, by the file's name. The first request makes all files. */
export type MapReplies = (name: string) => Promise<Reply | undefined>;

/** The interactive maps of a service. */
export interface InteractiveMaps {
  readonly file: MapReplies;
  readonly backgrounds: readonly MapBackground[];
  /** Headers of a page with a map. */
  readonly headers: Readonly<Record<string, string>>;
}
