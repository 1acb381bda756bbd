// Remembers the forms that the service has sent, by their versions: it is told which one is known, leaves it out while it is
// still the same, and it is filled in here. Whoever asks for a record always has it with its form.
import type { Call } from "../transport/transport.ts";

const parts = ["form", "labels", "filterRules", "notEmptyField", "model_associations", "model_behaviours"] as const;
type Parts = Partial<Record<(typeof parts)[number], unknown>>;

interface Memory {
  readonly byVersion: Map<string, Parts>;
  /** The one that was last sent in each place. */
  readonly last: Map<string, string>;
}

const MOST_KNOWN = 50;
const memories = new WeakMap<Call, Memory>();

function memoryOf(call: Call): Memory {
  const memory = memories.get(call) ?? { byVersion: new Map(), last: new Map() };
  memories.set(call, memory);
  return memory;
}

/** `place`: where the same form is likely. `whole`: the record with its form, should the one that is meant be unknown. */
export async function withKnownForm<View extends { readonly form_version?: string }>(
  call: Call,
  place: string,
  ask: (known: string | undefined) => Promise<View>,
  whole: () => Promise<View>,
): Promise<View> {
  const { byVersion, last } = memoryOf(call);
  const answer = await ask(last.get(place));
  const { form_version: version } = answer;
  // What was saved and cannot be shown has no form.
  if (version === undefined) return answer;
  if ("form" in answer) {
    if (byVersion.size >= MOST_KNOWN) byVersion.clear();
    byVersion.set(version, Object.fromEntries(parts.map((part) => [part, (answer as Parts)[part]])));
    last.set(place, version);
    return answer;
  }
  const known = byVersion.get(version);
  return known ? { ...(answer as View), ...known } : whole();
}
