// A layered drawing of a graph, left to right (Sugiyama's method in its simplest form). Pure.
//
// Edges that close a cycle are turned round while layers are chosen; edges over several layers get a
// bend in each; a few sweeps of barycentres bring neighbours side by side.

const SWEEPS = 6;

/**
 * @param {string[]} nodes
 * @param {{from: string, to: string, conditional?: boolean}[]} edges
 * @returns {{layers: string[][], routes: {from, to, conditional, back: boolean, via: string[]}[]}}
 *   `layers` hold nodes and bends from top to bottom; `via` are a route's stations in drawing order.
 */
export function layered(nodes, edges) {
  const known = edges.filter(({ from, to }) => nodes.includes(from) && nodes.includes(to) && from !== to);
  const back = closingEdges(nodes, known);
  const rank = longestPaths(nodes, known, back);
  const layers = Array.from({ length: Math.max(0, ...rank.values()) + 1 }, () => []);
  for (const node of nodes) layers[rank.get(node)].push(node);
  const routes = known.map((edge, index) => route(edge, index, back.has(edge), rank, layers));
  untangle(layers, routes);
  return { layers, routes };
}

function closingEdges(nodes, edges) {
  const state = new Map();
  const closing = new Set();
  const visit = (node) => {
    state.set(node, 'open');
    for (const edge of edges.filter(({ from }) => from === node)) {
      if (state.get(edge.to) === 'open') closing.add(edge);
      else if (!state.has(edge.to)) visit(edge.to);
    }
    state.set(node, 'done');
  };
  const entered = new Set(edges.map(({ to }) => to));
  for (const node of [...nodes].sort((a, b) => entered.has(a) - entered.has(b))) {
    if (!state.has(node)) visit(node);
  }
  return closing;
}

function longestPaths(nodes, edges, back) {
  const rank = new Map(nodes.map((node) => [node, 0]));
  for (let round = 0; round < nodes.length; round++) {
    for (const edge of edges) {
      const [from, to] = back.has(edge) ? [edge.to, edge.from] : [edge.from, edge.to];
      rank.set(to, Math.max(rank.get(to), rank.get(from) + 1));
    }
  }
  return rank;
}

function route(edge, index, back, rank, layers) {
  const [first, last] = back ? [edge.to, edge.from] : [edge.from, edge.to];
  const via = [first];
  for (let layer = rank.get(first) + 1; layer < rank.get(last); layer++) {
    const bend = `bend ${index} ${layer}`;
    layers[layer].push(bend);
    via.push(bend);
  }
  via.push(last);
  return { ...edge, back, via };
}

function untangle(layers, routes) {
  const links = routes.flatMap(({ via }) => via.slice(1).map((to, i) => [via[i], to]));
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const forward = sweep % 2 === 0;
    const order = forward ? layers.keys() : [...layers.keys()].reverse();
    for (const at of order) {
      const fixed = layers[forward ? at - 1 : at + 1];
      if (fixed) layers[at] = byBarycentre(layers[at], fixed, links, forward);
    }
  }
}

function byBarycentre(layer, fixed, links, forward) {
  const spread = (fixed.length + 1) / (layer.length + 1);
  const weight = new Map(layer.map((node, place) => {
    const near = links
      .filter(([from, to]) => (forward ? to : from) === node)
      .map(([from, to]) => fixed.indexOf(forward ? from : to))
      .filter((found) => found >= 0);
    const mean = near.reduce((sum, found) => sum + found, 0) / near.length;
    return [node, near.length ? mean : (place + 1) * spread - 1];
  }));
  const places = new Map(layer.map((node, place) => [node, place]));
  return [...layer].sort((a, b) => weight.get(a) - weight.get(b) || places.get(a) - places.get(b));
}
