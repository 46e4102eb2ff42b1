import type { PipelinePorts, StoredFile } from '@headwater/core';
import { type AssetInput, type ExtraAssetInput, MEDIA, type PreviewInput } from '@headwater/stac';
import type { MwsPreview } from './mws-preview.ts';

/** What addresses of files are taken from. */
interface Linking {
  readonly addresses: Pick<PipelinePorts['addresses'], 'file'>;
}

/** Style files of a layer. */
export interface StyleFiles {
  readonly qml: StoredFile;
  readonly sld: StoredFile;
}

/** Style files and preview of a layer. */
export interface SideFiles extends StyleFiles {
  readonly png: StoredFile;
  /** Other styles of the same raster. */
  readonly levels?: Readonly<Record<1 | 2, StyleFiles>>;
}

/** Assets of the styles of levels 1 and 2. */
export const levelAssets = (
  ports: Linking,
  levels: Readonly<Record<1 | 2, StyleFiles>>,
): Readonly<Record<string, ExtraAssetInput>> =>
  Object.fromEntries(
    ([1, 2] as const).flatMap((level) => {
      const roles = ['metadata'] as const;
      const [qml, sld] = [`QGIS Style file, level ${level}`, `Styled Layer Descriptor, level ${level}`];
      return [
        [`style_level_${level}`, { ...asset(ports, levels[level].qml, qml), type: MEDIA.xml, roles }],
        [`sld_level_${level}`, { ...asset(ports, levels[level].sld, sld), type: MEDIA.sld, roles }],
      ];
    }),
  );

/** An asset for a file of the run, with its size and checksum. */
export const asset = ({ addresses }: Linking, { key, bytes, sha256 }: StoredFile, title: string): AssetInput => ({
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
