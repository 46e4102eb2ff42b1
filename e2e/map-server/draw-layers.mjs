// Draws layers with OpenLayers and MapLibre GL in Chromium. `draw` returns the colours at points of the map.
import { Map as LibreMap, setWorkerUrl } from 'maplibre-gl';
import MVT from 'ol/format/MVT.js';
import TileLayer from 'ol/layer/Tile.js';
import VectorTileLayer from 'ol/layer/VectorTile.js';
import OlMap from 'ol/Map.js';
import { fromLonLat } from 'ol/proj.js';
import VectorTileSource from 'ol/source/VectorTile.js';
import XYZ from 'ol/source/XYZ.js';
import { Circle, Fill, Stroke, Style } from 'ol/style.js';
import View from 'ol/View.js';

setWorkerUrl('/drawn/maplibre-gl-worker.mjs');

const colorOf = ({ attribute, limits, colors }, properties) => {
  const value = properties[attribute];
  return value === undefined ? undefined : colors[limits.findLastIndex((limit) => value >= limit)];
};

function olStyle(style) {
  return (feature) => {
    const color = colorOf(style, feature.getProperties());
    if (color === undefined) return undefined;
    if (style.geometry === 'point') return new Style({ image: new Circle({ radius: 5, fill: new Fill({ color }) }) });
    if (style.geometry === 'line') return new Style({ stroke: new Stroke({ color, width: 4 }) });
    return new Style({ fill: new Fill({ color }) });
  };
}

async function openLayers({ tiles, isVector, minzoom, maxzoom, style, center, zoom }, target) {
  const zooms = { minZoom: minzoom, maxZoom: maxzoom };
  const layer = isVector
    ? new VectorTileLayer({
        source: new VectorTileSource({ format: new MVT(), url: tiles, ...zooms }),
        style: olStyle(style),
        declutter: false,
      })
    : new TileLayer({ source: new XYZ({ url: tiles, interpolate: false, transition: 0, ...zooms }) });
  const map = new OlMap({
    target,
    layers: [layer],
    controls: [],
    interactions: [],
    pixelRatio: 1,
    view: new View({ center: fromLonLat(center), zoom, constrainResolution: true }),
  });
  await new Promise((resolve) => map.once('rendercomplete', resolve));
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = map.getSize();
  const context = canvas.getContext('2d');
  for (const part of target.querySelectorAll('canvas')) if (part.width > 0) context.drawImage(part, 0, 0);
  return { canvas, pixelOf: (place) => map.getPixelFromCoordinate(fromLonLat(place)), remove: () => map.setTarget() };
}

function libreLayer(name, { attribute, limits, colors, geometry = 'polygon' }) {
  const color = [
    'step',
    ['get', attribute],
    colors[0],
    ...colors.slice(1).flatMap((each, at) => [limits[at + 1], each]),
  ];
  const source = { id: 'layer', source: 'tiles', 'source-layer': name, filter: ['has', attribute] };
  if (geometry === 'point') return { ...source, type: 'circle', paint: { 'circle-radius': 5, 'circle-color': color } };
  if (geometry === 'line') return { ...source, type: 'line', paint: { 'line-width': 4, 'line-color': color } };
  return { ...source, type: 'fill', paint: { 'fill-antialias': false, 'fill-color': color } };
}

/** Zoom levels of MapLibre GL are for tiles of 512 pixels, hence `zoom - 1`. */
async function mapLibre({ tiles, isVector, minzoom, maxzoom, style, name, center, zoom }, container) {
  const paint = { 'raster-resampling': 'nearest', 'raster-fade-duration': 0 };
  const layer = isVector ? libreLayer(name, style) : { id: 'layer', source: 'tiles', type: 'raster', paint };
  const source = {
    type: isVector ? 'vector' : 'raster',
    tiles: [tiles],
    minzoom,
    maxzoom,
    tileSize: isVector ? 512 : 256,
  };
  const map = new LibreMap({
    container,
    center,
    zoom: zoom - 1,
    pixelRatio: 1,
    interactive: false,
    attributionControl: false,
    canvasContextAttributes: { preserveDrawingBuffer: true, antialias: false },
    style: { version: 8, sources: { tiles: source }, layers: [layer] },
  });
  await new Promise((resolve, reject) => {
    map.once('idle', resolve);
    map.once('error', ({ error }) => reject(error));
  });
  const drawn = map.getCanvas();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [drawn.width, drawn.height];
  canvas.getContext('2d').drawImage(drawn, 0, 0);
  return { canvas, pixelOf: (place) => Object.values(map.project(place)), remove: () => map.remove() };
}

const LIBRARIES = { OpenLayers: openLayers, 'MapLibre GL': mapLibre };

globalThis.draw = async ({ library, places, ...layer }) => {
  const target = document.createElement('div');
  target.style.cssText = 'width: 512px; height: 384px';
  document.body.append(target);
  const { canvas, pixelOf, remove } = await LIBRARIES[library](layer, target);
  const context = canvas.getContext('2d');
  const colors = places.map((place) => {
    const [x, y] = pixelOf(place);
    return [...context.getImageData(Math.floor(x) - 1, Math.floor(y) - 1, 3, 3).data];
  });
  remove();
  target.remove();
  return colors;
};
