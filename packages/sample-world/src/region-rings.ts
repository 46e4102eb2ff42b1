/** Corner of cells: row and column of the lattice of `side + 1` nodes a side. */
type Node = number;

/**
 * Outline of the cells that `member` accepts as one closed ring of lattice nodes (index `row * (side + 1) + col`).
 * Walks along cell edges with the region on the left as the map is seen (north up): counter-clockwise, as GeoJSON wants.
 * Expects one piece without holes or corner contacts (`growRegions`), so each node is left by one edge only; throws otherwise.
 */
export function outline(side: number, member: (cell: number) => boolean): Node[] {
  const leaving = new Map<Node, Node>();
  const nodes = side + 1;
  const has = (row: number, col: number): boolean =>
    row >= 0 && col >= 0 && row < side && col < side && member(row * side + col);
  const edge = (from: Node, to: Node): void => {
    if (leaving.has(from)) throw new Error('A region of the sample touches itself by a corner');
    leaving.set(from, to);
  };
  for (let row = 0; row < side; row += 1) {
    for (let col = 0; col < side; col += 1) {
      if (!has(row, col)) continue;
      const at = row * nodes + col;
      if (!has(row - 1, col)) edge(at + 1, at);
      if (!has(row, col - 1)) edge(at, at + nodes);
      if (!has(row + 1, col)) edge(at + nodes, at + nodes + 1);
      if (!has(row, col + 1)) edge(at + nodes + 1, at + 1);
    }
  }
  return walk(leaving);
}

function walk(leaving: ReadonlyMap<Node, Node>): Node[] {
  const [first] = leaving.keys();
  if (first === undefined) throw new Error('A region of the sample is empty');
  const ring: Node[] = [first];
  for (let node = leaving.get(first); node !== first; node = leaving.get(node)) {
    if (node === undefined || ring.length > leaving.size)
      throw new Error('The outline of a region of the sample is open');
    ring.push(node);
  }
  if (ring.length !== leaving.size) throw new Error('A region of the sample has a hole');
  ring.push(first);
  return ring;
}
