import Graticule from 'ol/layer/Graticule.js';
import Fill from 'ol/style/Fill.js';
import Stroke from 'ol/style/Stroke.js';
import Text from 'ol/style/Text.js';
import { say } from './texts.ts';

/** Distances between lines, decimal degrees. */
const INTERVALS = [90, 45, 30, 20, 10, 5, 2, 1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001];

/** Lines of latitude and longitude. The numbers have a white outline, so that they are readable on every background. */
export function graticule(): Graticule {
  const label = (textAlign: CanvasTextAlign, textBaseline: CanvasTextBaseline): Text =>
    new Text({
      font: '600 13px system-ui, sans-serif',
      fill: new Fill({ color: '#000' }),
      stroke: new Stroke({ color: '#fff', width: 4 }),
      textAlign,
      textBaseline,
    });
  const text = (degrees: number, side: string): string => `${Number(Math.abs(degrees).toFixed(4))}° ${side}`;
  return new Graticule({
    showLabels: true,
    wrapX: false,
    intervals: INTERVALS,
    targetSize: 140,
    zIndex: 3,
    strokeStyle: new Stroke({ color: 'rgba(96,96,96,.9)', width: 1, lineDash: [6, 4] }),
    lonLabelPosition: 0.98,
    latLabelPosition: 0.97,
    lonLabelStyle: label('center', 'top'),
    latLabelStyle: label('end', 'middle'),
    lonLabelFormatter: (degrees) => text(degrees, say(degrees < 0 ? 'mapWest' : 'mapEast')),
    latLabelFormatter: (degrees) => text(degrees, say(degrees < 0 ? 'mapSouth' : 'mapNorth')),
  });
}
