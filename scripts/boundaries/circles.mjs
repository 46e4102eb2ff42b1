/** Circles of a graph: strongly connected groups of more than one node (Tarjan 1972). `edges`: node -> Set of nodes. */
export function circlesOf(edges) {
  const state = { index: new Map(), low: new Map(), stack: [], circles: [] };
  for (const node of edges.keys()) if (!state.index.has(node)) visit(node, edges, state);
  return state.circles;
}

function visit(node, edges, state) {
  const { index, low, stack, circles } = state;
  index.set(node, index.size);
  low.set(node, index.get(node));
  stack.push(node);
  for (const next of edges.get(node) ?? []) {
    if (!index.has(next)) visit(next, edges, state);
    // A node outside of the stack belongs to an earlier group.
    if (stack.includes(next)) low.set(node, Math.min(low.get(node), low.get(next)));
  }
  if (low.get(node) !== index.get(node)) return;
  const circle = stack.splice(stack.indexOf(node));
  if (circle.length > 1) circles.push(circle.toSorted());
}
