// Remembers from which JSON text an object or array was read, for the few who must keep it exactly as it was sent
// (a JSON field must not turn 1.10 into "1.10"). Nothing is kept longer than the object itself.

const sources = new WeakMap<object, string>();

export function rememberSource(node: object, text: string): void {
  sources.set(node, text);
}

/** The JSON text that `node` was read from; undefined when it came in another encoding. */
export function sourceOf(node: object): string | undefined {
  return sources.get(node);
}
