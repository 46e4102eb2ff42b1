import type { PipelinePorts, Rgba, StoredFile } from '@headwater/core';
import type { AssetInput, PreviewInput } from '@headwater/stac';
import type { RunFiles } from '../run/work.ts';

/** Maximum length of the longer side of a preview, pixels. */
export const THUMBNAIL_SIZE = 512;
/** Colour of outlines in previews. */
export const OUTLINE_COLOR: Rgba = [35, 35, 35, 255];

/** Style texts of a layer. */
export interface StyleTexts {
  readonly qml: string;
  readonly sld: string;
}

/** Style files of a layer. */
export interface StyleFiles {
  readonly qml: StoredFile;
  readonly sld: StoredFile;
}

/** Description and legend of a preview. Without a legend, pages show the classes of the layer's data. */
export type PreviewText = Pick<PreviewInput, 'description' | 'legend'>;

interface Linking {
  readonly addresses: Pick<PipelinePorts['addresses'], 'file'>;
}

/** Writes the style files `{name}.qml` and `{name}.sld`. */
export const writeStyles = async (
  name: string,
  { qml, sld }: StyleTexts,
  files: Pick<RunFiles, 'write'>,
): Promise<StyleFiles> => ({
  qml: await files.write(`${name}.qml`, qml),
  sld: await files.write(`${name}.sld`, sld),
});

/** Makes an asset for a file of the run, with size and checksum. */
export const fileAsset = ({ addresses }: Linking, { key, bytes, sha256 }: StoredFile, title: string): AssetInput => ({
  href: addresses.file(key),
  title,
  file: { bytes, sha256 },
});

/** Makes the assets of the style files and the preview. */
export const sideAssets = (
  ports: Linking,
  { qml, sld, png }: StyleFiles & { readonly png: StoredFile },
  shown: PreviewText = {},
): { readonly style: AssetInput; readonly sld: AssetInput; readonly thumbnail: PreviewInput } => ({
  style: fileAsset(ports, qml, 'QGIS Style file'),
  sld: fileAsset(ports, sld, 'Styled Layer Descriptor'),
  thumbnail: { ...fileAsset(ports, png, 'Thumbnail'), ...shown },
});
