import type { PipelinePorts, StoredFile } from '@headwater/core';
import type { AssetInput } from '@headwater/stac';

/** Style files and preview of a layer. */
export interface SideFiles {
  readonly qml: StoredFile;
  readonly sld: StoredFile;
  readonly png: StoredFile;
}

/** An asset for a file of the run, with its size and checksum. */
export const asset = ({ addresses }: PipelinePorts, { key, bytes, sha256 }: StoredFile, title: string): AssetInput => ({
  href: addresses.file(key),
  title,
  file: { bytes, sha256 },
});

/** Assets of the style files and the preview. */
export const sideAssets = (
  ports: PipelinePorts,
  { qml, sld, png }: SideFiles,
): Readonly<Record<'style' | 'sld' | 'thumbnail', AssetInput>> => ({
  style: asset(ports, qml, 'QGIS Style file'),
  sld: asset(ports, sld, 'Styled Layer Descriptor'),
  thumbnail: asset(ports, png, 'Thumbnail'),
});
