import type { PixelWindow } from '../pixels/pixel-array.ts';
import { AREA_CELL } from './area-map.ts';
import type { AreaCells } from './area-map.ts';
import type { SceneMask } from './prepared.ts';

/** True where the mask may have a clear pixel in a window of the grid (exact to whole bytes of the mask's rows). */
export function clearIn(mask: SceneMask, window: PixelWindow): boolean {
  const bytes = new Uint8Array(mask.bits);
  const row1 = (mask.row + window.row + window.rows - 1) >> mask.shift;
  const byte0 = ((mask.col + window.col) >> mask.shift) >> 3;
  const byte1 = ((mask.col + window.col + window.cols - 1) >> mask.shift) >> 3;
  for (let row = (mask.row + window.row) >> mask.shift; row <= row1; row++) {
    for (let at = row * mask.stride + byte0; at <= row * mask.stride + byte1; at++) if (bytes[at] !== 0) return true;
  }
  return false;
}

/** True where the mask has a clear pixel in a cell that the area touches. */
export function clearInArea(mask: SceneMask, area: AreaCells): boolean {
  const bytes = new Uint8Array(mask.bits);
  for (let row = 0; row < mask.rows; row++) {
    const cellRow = Math.floor(((row << mask.shift) - mask.row) / AREA_CELL);
    for (let byte = 0; byte * 8 < mask.cols; byte++) {
      const value = bytes[row * mask.stride + byte] ?? 0;
      for (let bit = 0; value >> bit > 0; bit++) {
        if (((value >> bit) & 1) === 0) continue;
        const cellCol = Math.floor((((byte * 8 + bit) << mask.shift) - mask.col) / AREA_CELL);
        if (isTouched(area, cellCol, cellRow)) return true;
      }
    }
  }
  return false;
}

function isTouched(area: AreaCells, col: number, row: number): boolean {
  const [c, r] = [Math.min(Math.max(col, 0), area.cols - 1), Math.min(Math.max(row, 0), area.rows - 1)];
  return area.cells[r * area.cols + c] === 1;
}
