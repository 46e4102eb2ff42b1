import type { MapBackground } from '../pages/map-backgrounds.ts';
import type { Shell } from '../pages/layout.ts';
import type { Reply } from './reply.ts';

/**
 * Files of a viewer for OpenAPI documents. The script fills the element `#api-viewer`: its attribute `data-document`
 * has the address of the document, and `data-prefix` the path to which requests go.
 */
export interface ApiViewer {
  /** Script, UTF-8. */
  readonly script: () => Promise<Uint8Array>;
  /** Style sheet, UTF-8. */
  readonly style: () => Promise<Uint8Array>;
}

/** Page of a viewer, and its files by name. */
export interface ViewerReplies {
  readonly page: (shell: Shell) => Promise<Reply>;
  readonly file: (name: string) => Promise<Reply | undefined>;
}

/**
 * Scripts of the interactive maps. Pages load `map.js`, which imports the other scripts. An element of
 * the page has an `ItemMap` in its attribute `data-map`, or a `PlacesMap` in `data-places`.
 */
export interface MapViewer {
  /** UTF-8 content of each file by name. */
  readonly files: () => Promise<ReadonlyMap<string, Uint8Array>>;
}

/** File of the documentation site. */
export interface GuideFile {
  /** Text that changes when the file changes. */
  readonly version: string;
  readonly read: () => Promise<Uint8Array>;
}

/** Documentation site, built by `npm run docs` for the address `/docs/guide/`. */
export interface Guide {
  /** Opens a file by its path in the site, such as `guides/embed.html`; undefined if absent. */
  readonly open: (path: string) => Promise<GuideFile | undefined>;
}

/** Returns a file of the site by its path; undefined if absent. */
export type GuideReplies = (path: string) => Promise<Reply | undefined>;

/** Returns a file of the maps by its name. The first request creates all files. */
export type MapReplies = (name: string) => Promise<Reply | undefined>;

/** Interactive maps of a service. */
export interface InteractiveMaps {
  readonly file: MapReplies;
  readonly backgrounds: readonly MapBackground[];
  readonly headers: Readonly<Record<string, string>>;
}
