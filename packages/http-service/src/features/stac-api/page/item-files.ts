import { html } from 'hono/html';
import type { Html } from '../../../pages/layout.ts';
import { copyText } from '../../../pages/parts.ts';
import { type Say, sayIn } from '../../../pages/texts.ts';
import { sizeText } from '../../../pages/words.ts';
import type { Language } from '../../../wire/words.ts';

/** A file of a layer, or a response of a service. */
export interface ShownFile {
  readonly title: string;
  /** Kind of file in a word: `GeoTIFF`, `QML`. */
  readonly kind: string;
  /** Text of the button: the kind of the file. For a table, the title. */
  readonly label: string;
  /** Address relative to this origin. */
  readonly href: string;
  /** Absolute address of this version. */
  readonly address: string;
  /** Absolute address of the newest version. */
  readonly latest: string;
  readonly name: string;
  readonly bytes: number | undefined;
  /** Layer type in a desktop GIS; undefined for a file that is not a layer. */
  readonly layer: 'raster' | 'vector' | undefined;
  readonly isMain: boolean;
}

/** Buttons for the main files, a download command for the first main file, and a list of all files. */
export function files(all: readonly ShownFile[], language: Language): Html {
  const say = sayIn(language);
  const main = all.filter(({ isMain }) => isMain);
  const [first] = main;
  return html`<ul class="buttons">
      ${main.map(
        ({ label, href, name, bytes }) =>
          html`<li>
            <a class="button" href="${href}" download="${name}"
              >${label}${bytes === undefined ? '' : html` <small>${sizeText(bytes, language)}</small>`}</a
            >
          </li> `,
      )}
      ${all.some(({ layer }) => layer !== undefined) ? html`<li><a class="button plainer" href="#qgis">${say('openInQgis')}</a></li>` : ''}
    </ul>
    ${first === undefined ? '' : copyText(`curl -f -o ${first.name} '${first.address}'`, say('fetchFile', { kind: first.kind }))}
    <details>
      <summary><span class="name">${say('allFiles')}</span></summary>
      <div class="inside">
        <ul class="plain">
          ${all.map(
            ({ title, kind, href, bytes }) =>
              html`<li>
                <a href="${href}" lang="en">${title}</a>
                (${kind}${bytes === undefined ? '' : `, ${sizeText(bytes, language)}`})
              </li> `,
          )}
        </ul>
      </div>
    </details>`;
}

/** Notes by layer type: QGIS reads only the needed parts of a GeoTIFF, but a GeoJSON as a whole. */
const QGIS_READS = {
  raster: 'qgisReadsRaster',
  vector: 'qgisReadsVector',
} as const;

/** Steps to open the layer in QGIS. Empty if there is no layer file. */
export function openInQgis(all: readonly ShownFile[], say: Say): Html | '' {
  const source =
    all.find(({ isMain, layer }) => isMain && layer !== undefined) ?? all.find(({ layer }) => layer !== undefined);
  if (source?.layer === undefined) return '';
  const kind = source.layer === 'raster' ? 'Raster' : 'Vector';
  const style = all.find((file) => file.kind === 'QML');
  return html`<h3 id="qgis">${say('openInQgis')}</h3>
    <p>${say(QGIS_READS[source.layer])}</p>
    <ol class="steps">
      <li>${say('qgisMenu')} <b lang="en">Layer › Add Layer › Add ${kind} Layer…</b></li>
      <li>${say('qgisPaste')} ${copyText(`/vsicurl/${source.latest}`, say('datasetForQgis'))}</li>
      ${
        style === undefined
          ? ''
          : html`<li>
              ${say('qgisStyle')} <a href="${style.href}" download="${style.name}">${say('styleFile')}</a>,
              <b lang="en">Properties › Symbology › Style › Load Style…</b>
            </li>`
      }
    </ol>`;
}
