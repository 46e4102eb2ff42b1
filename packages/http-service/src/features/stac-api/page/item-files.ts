import { html } from 'hono/html';
import type { Html } from '../../../pages/layout.ts';
import { copyText } from '../../../pages/parts.ts';
import { sizeText } from '../../../pages/words.ts';

/** A file or service answer of a layer. */
export interface ShownFile {
  readonly title: string;
  /** What it is in a word: `GeoTIFF`, `QML`. */
  readonly kind: string;
  /** What its button says: the kind; of a table, which may be one of several, the title. */
  readonly label: string;
  /** Relative to this origin. */
  readonly href: string;
  /** Absolute address of this version. */
  readonly address: string;
  /** Absolute address of the newest version. */
  readonly latest: string;
  /** Name to save it under. */
  readonly name: string;
  readonly bytes: number | undefined;
  /** What a desktop GIS adds it as; undefined for anything else. */
  readonly layer: 'raster' | 'vector' | undefined;
  /** Shown as a button; the others stand in the list of everything. */
  readonly isMain: boolean;
}

/** The files that most people want as buttons with the command that fetches the first, and everything as a list. */
export function files(all: readonly ShownFile[]): Html {
  const main = all.filter(({ isMain }) => isMain);
  const [first] = main;
  return html`<ul class="buttons">
      ${main.map(
        ({ label, href, name, bytes }) =>
          html`<li>
            <a class="button" href="${href}" download="${name}"
              >${label}${bytes === undefined ? '' : html` <small>${sizeText(bytes)}</small>`}</a
            >
          </li> `,
      )}
      ${all.some(({ layer }) => layer !== undefined) ? html`<li><a class="button plainer" href="#qgis">Open in QGIS</a></li>` : ''}
    </ul>
    ${first === undefined ? '' : copyText(`curl -f -o ${first.name} '${first.address}'`, `the command that fetches the ${first.kind}`)}
    <details>
      <summary><span class="name">All files and services</span></summary>
      <div class="inside">
        <ul class="plain">
          ${all.map(
            ({ title, kind, href, bytes }) =>
              html`<li>
                <a href="${href}">${title}</a> (${kind}${bytes === undefined ? '' : `, ${sizeText(bytes)}`})
              </li> `,
          )}
        </ul>
      </div>
    </details>`;
}

/** A cloud-optimised GeoTIFF has tiles and overviews; a GeoJSON has to be parsed from its first byte to its last. */
const HOW_READ = {
  raster: 'and only the parts that it shows',
  vector: 'the whole file each time it opens it',
} as const;

/** What to paste where, so that QGIS reads the layer from here with its style. Nothing where there is no layer for it. */
export function openInQgis(all: readonly ShownFile[]): Html | '' {
  const source =
    all.find(({ isMain, layer }) => isMain && layer !== undefined) ?? all.find(({ layer }) => layer !== undefined);
  if (source?.layer === undefined) return '';
  const kind = source.layer === 'raster' ? 'Raster' : 'Vector';
  const style = all.find((file) => file.kind === 'QML');
  return html`<h3 id="qgis">Open in QGIS</h3>
    <p>Without a download: QGIS reads the layer from here, ${HOW_READ[source.layer]}.</p>
    <ol class="steps">
      <li>In QGIS choose <b>Layer › Add Layer › Add ${kind} Layer…</b> with source type <b>File</b>.</li>
      <li>
        Paste this as the ${source.layer} dataset; it stays the newest version:
        ${copyText(`/vsicurl/${source.latest}`, 'the dataset for QGIS')}
      </li>
      ${
        style === undefined
          ? ''
          : html`<li>
              For its colours download the <a href="${style.href}" download="${style.name}">style (QML)</a>, then in the
              layer's <b>Properties › Symbology</b> choose <b>Style › Load Style…</b> and that file.
            </li>`
      }
    </ol>`;
}
