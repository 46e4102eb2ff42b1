import type { PipelinePorts, RunFiles, StoredFile } from '@headwater/core';
import type { AssetInput, PreviewInput } from '@headwater/stac';

/** Long side of previews, pixels. */
export const THUMBNAIL_SIZE = 512;

/** Style texts of a layer. */
export interface StyleTexts {
  readonly qml: string;
  readonly sld: string;
}

/** Style files and preview of a layer. */
export interface SideFiles {
  readonly qml: StoredFile;
  readonly sld: StoredFile;
  readonly png: StoredFile;
}

/** Writes the style files under the name, and takes up the preview that the engine wrote. */
export async function sideFiles(name: string, { qml, sld }: StyleTexts, files: RunFiles): Promise<SideFiles> {
  return {
    qml: await files.write(`${name}.qml`, qml),
    sld: await files.write(`${name}.sld`, sld),
    png: await files.stat(`${name}.png`),
  };
}

/** An asset for a file of the run, with its size and checksum. */
export const fileAsset = (
  { addresses }: Pick<PipelinePorts, 'addresses'>,
  { key, bytes, sha256 }: StoredFile,
  title: string,
): AssetInput => ({ href: addresses.file(key), title, file: { bytes, sha256 } });

/** Assets of the style files and the preview. */
export const sideAssets = (
  ports: Pick<PipelinePorts, 'addresses'>,
  { qml, sld, png }: SideFiles,
  shows: Pick<PreviewInput, 'legend' | 'description'> = {},
): { readonly style: AssetInput; readonly sld: AssetInput; readonly thumbnail: PreviewInput } => ({
  style: fileAsset(ports, qml, 'QGIS Style file'),
  sld: fileAsset(ports, sld, 'Styled Layer Descriptor'),
  thumbnail: { ...fileAsset(ports, png, 'Thumbnail'), ...shows },
});
