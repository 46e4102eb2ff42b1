/** One drawn value: its label and `#rrggbb`; `alpha` 0-255. */
export interface StyleClass {
  readonly value: number;
  readonly label: string;
  readonly color: string;
  readonly alpha: number;
}
