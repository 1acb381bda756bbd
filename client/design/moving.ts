// Designs that move: those that the service comes with, the design of this installation as a file, what another would change, and
// applying it.
import type { RecordTypeKey } from "../../contract/record-type.ts";
import type { Call } from "../transport/transport.ts";
import type { FieldUse } from "./design.ts";

export interface Starter {
  readonly key: string;
  readonly name: string;
  readonly description: string;
  /** All its record types are here. */
  readonly is_applied: 0 | 1;
}

export interface MovingDesigns {
  readonly starters: readonly Starter[];
  /** The last that was applied and can be rolled back. */
  readonly last: { readonly name: string; readonly applied: string } | null;
}

export const designKinds = [
  "record_types",
  "extensions",
  "roles",
  "policies",
  "forms",
  "workflows",
  "views",
  "navigation",
  "translations",
  "records",
] as const;

export interface PlannedThing {
  readonly kind: (typeof designKinds)[number];
  readonly key: string;
  readonly name: string;
  readonly action: "add" | "change" | "remove" | "unchanged";
  readonly changes: readonly { readonly path: string; readonly from: string | null; readonly to: string | null }[];
}

export interface AffectedUse extends Pick<FieldUse, "kind" | "controller" | "name" | "id" | "count"> {
  readonly type: RecordTypeKey;
  readonly field: string;
  readonly becomes: FieldUse["on_convert"];
  readonly loses: NonNullable<FieldUse["loses"]>;
}

export interface DesignPlan {
  readonly items: readonly PlannedThing[];
  /** Values that would leave their fields; `field` is null where a whole record type goes. */
  readonly losses: readonly { readonly type: string; readonly field: string | null; readonly values: number }[];
  /** What uses a field that goes or is converted, and does not stay as it is. */
  readonly uses?: readonly AffectedUse[];
  /** How many more of them there are. */
  readonly uses_left_out?: number;
  /** 0: some are left out, or there was no time to look for all. */
  readonly uses_complete?: 0 | 1;
  readonly missing: readonly { readonly in: string; readonly name: string }[];
  readonly fingerprint: string;
}

/** One that comes with the service, or the text of a file. */
export type DesignSource = { readonly starter: string } | { readonly design: string };

export interface DesignPreview {
  readonly design: { readonly name: string; readonly description: string };
  readonly plan: DesignPlan;
}

export async function readMovingDesigns(call: Call, signal?: AbortSignal): Promise<MovingDesigns> {
  return (await call<{ data: MovingDesigns }>("metadata/designs/index", { signal })).data;
}

/** As the text of a file. */
export async function exportDesign(call: Call, records: boolean): Promise<string> {
  const query = records ? { records: "1" } : {};
  return (await call<{ data: { design: string } }>("metadata/designs/export", { query })).data.design;
}

export async function planDesign(call: Call, source: DesignSource, signal?: AbortSignal): Promise<DesignPreview> {
  return (await call<{ data: DesignPreview }>("metadata/designs/plan", { body: { ...source }, signal })).data;
}

/** Refused where anything changed since the plan was made. */
export async function applyDesign(
  call: Call,
  source: DesignSource,
  fingerprint: string,
  allowLoss: boolean,
): Promise<void> {
  await call("metadata/designs/apply", { body: { ...source, fingerprint, ...(allowLoss ? { allow_loss: "1" } : {}) } });
}

export async function rollBackDesign(call: Call, allowLoss: boolean, override: boolean): Promise<void> {
  const body = { ...(allowLoss ? { allow_loss: "1" } : {}), ...(override ? { override: "1" } : {}) };
  await call("metadata/designs/rollback", { body });
}
