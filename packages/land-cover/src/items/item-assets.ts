import type { PipelinePorts } from '@headwater/core';
import { fileAsset, type StyleFiles } from '@headwater/layer-kit';
import { type ExtraAssetInput, MEDIA } from '@headwater/stac';

/** Assets of the styles of levels 1 and 2. */
export const levelAssets = (
  ports: { readonly addresses: Pick<PipelinePorts['addresses'], 'file'> },
  levels: Readonly<Record<1 | 2, StyleFiles>>,
): Readonly<Record<string, ExtraAssetInput>> =>
  Object.fromEntries(
    ([1, 2] as const).flatMap((level) => {
      const roles = ['metadata'] as const;
      const [qml, sld] = [`QGIS Style file, level ${level}`, `Styled Layer Descriptor, level ${level}`];
      return [
        [`style_level_${level}`, { ...fileAsset(ports, levels[level].qml, qml), type: MEDIA.xml, roles }],
        [`sld_level_${level}`, { ...fileAsset(ports, levels[level].sld, sld), type: MEDIA.sld, roles }],
      ];
    }),
  );
