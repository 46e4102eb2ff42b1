/** Least and largest value of the data types that hold whole numbers and that a number of JSON can name exactly. */
const WHOLE: Readonly<Record<string, readonly [least: number, most: number]>> = {
  int8: [-128, 127],
  uint8: [0, 255],
  int16: [-32_768, 32_767],
  uint16: [0, 65_535],
  int32: [-2_147_483_648, 2_147_483_647],
  uint32: [0, 4_294_967_295],
};

/** False for a value that pixels of a data type cannot have, so that none could mean no data; true where that is not known. */
export function mayHold(dataType: string, value: number): boolean {
  const range = Object.hasOwn(WHOLE, dataType) ? WHOLE[dataType] : undefined;
  return range === undefined || (Number.isInteger(value) && value >= range[0] && value <= range[1]);
}
