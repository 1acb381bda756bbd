// One drawing per task: several that are due at once would keep the page from answering until the last of them stands.

const waiting = new Set<() => void>();

function drawNext(): void {
  const [next] = waiting;
  if (next === undefined) return;
  waiting.delete(next);
  if (waiting.size > 0) setTimeout(drawNext);
  next();
}

/** Draws when it is its turn. Gives what takes it back. */
export function inTurn(draw: () => void): () => void {
  if (waiting.size === 0) setTimeout(drawNext);
  waiting.add(draw);
  return () => void waiting.delete(draw);
}
