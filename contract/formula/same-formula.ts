// Takes a computed field as it is and as it would be, and what fields are called from now on; tells whether it gives the same result.
import { renameInFormula } from "./rename-in-formula.ts";

interface Computed {
  readonly type: string;
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  readonly computed?: { readonly kind: string; readonly formula?: string } | undefined;
}

/** Whatever else was changed about it. `renames`: old name → new name. */
export function isSameResult(
  before: Computed,
  after: Computed,
  renames: ReadonlyMap<string, string> = new Map(),
): boolean {
  return told(withNames(before, renames)) === told(after);
}

function withNames({ type, settings, computed }: Computed, renames: ReadonlyMap<string, string>): Computed {
  const currency = settings?.currencyField;
  const formula = computed?.formula;
  return {
    type,
    settings:
      typeof currency === "string" ? { ...settings, currencyField: renames.get(currency) ?? currency } : settings,
    computed:
      computed && formula !== undefined ? { ...computed, ...{ formula: renameInFormula(formula, renames) } } : computed,
  };
}

const told = ({ type, settings, computed }: Computed): string =>
  JSON.stringify([type, settings, computed], (_, value: unknown) =>
    // An object, as JSON has it.
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
      : value,
  );
