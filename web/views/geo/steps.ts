// The steps of a colored map. Pure.

/** Bounds that hold about as many values each: one giant does not make all others look empty. */
export function stepsOf(values: readonly number[], count: number): readonly number[] {
  const sorted = [...new Set(values)].sort((one, other) => one - other);
  const bounds = Array.from(
    { length: count - 1 },
    (_, index) => sorted[Math.floor(((index + 1) * sorted.length) / count)] ?? 0,
  );
  return [...new Set(bounds)].filter((bound) => bound !== sorted[0]);
}

export function pieceLabel(from: number | undefined, to: number | undefined, text: (value: number) => string): string {
  if (from === undefined) return to === undefined ? "" : `< ${text(to)}`;
  return to === undefined ? `≥ ${text(from)}` : `${text(from)} – ${text(to)}`;
}
