import type { PipelinePorts, StoredFile } from '@headwater/core';
import type { AssetInput, PreviewInput } from '@headwater/stac';
import type { MwsPreview } from './mws-preview.ts';

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

/** Assets of the style files and the preview, with what it shows where the layer's own classes do not say it. */
export const sideAssets = (
  ports: PipelinePorts,
  { qml, sld, png }: SideFiles,
  shows?: Pick<MwsPreview, 'legend' | 'caption'>,
): { readonly style: AssetInput; readonly sld: AssetInput; readonly thumbnail: PreviewInput } => ({
  style: asset(ports, qml, 'QGIS Style file'),
  sld: asset(ports, sld, 'Styled Layer Descriptor'),
  thumbnail: { ...asset(ports, png, 'Thumbnail'), ...shown(shows) },
});

function shown(
  shows: Pick<MwsPreview, 'legend' | 'caption'> | undefined,
): Pick<PreviewInput, 'description' | 'legend'> {
  if (shows === undefined) return {};
  const [first, ...others] = shows.legend;
  return { description: shows.caption, ...(first === undefined ? {} : { legend: [first, ...others] }) };
}
