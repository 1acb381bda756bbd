// What a workflow is once compiled: stages that know their node, transitions with their conditions and effects parsed.
import type { Condition } from "../../contract/conditions.ts";
import type { Expression, Template } from "../../contract/expressions.ts";
import type { ActorName, LentRight, ReasonNeed, RecordOffer, TransitionKind } from "../../contract/workflow.ts";
import type { RecordTypeKey } from "../metadata/record-type.ts";

export type Values = readonly (readonly [field: string, expression: Expression])[];
/** An actor, or the address in an e-mail field of the record. */
export type Recipient = ActorName | `email:${string}`;

export type Effect = { readonly when: Condition | undefined } & (
  | { readonly kind: "set"; readonly values: Values }
  | {
      readonly kind: "create";
      readonly type: RecordTypeKey;
      readonly as: string | undefined;
      /** What can be chosen instead of a new record. */
      readonly offers: ReadonlySet<RecordOffer>;
      readonly values: Values;
    }
  | { readonly kind: "mail"; readonly to: readonly Recipient[]; readonly subject: Template; readonly text: Template }
  | { readonly kind: "notify"; readonly to: readonly ActorName[]; readonly text: Template }
);

export interface Stage {
  /** The node's id; what a record carries. */
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly kind: "start" | "stage" | "end";
  /** The option of the stage field that means this stage. */
  readonly value: string | null;
  readonly color: string | null;
  readonly actors: readonly ActorName[];
  readonly grants: ReadonlySet<LentRight>;
  /** Fields that nobody changes by hand while a record is here. */
  readonly fixed: ReadonlySet<string>;
  readonly enter: readonly Effect[];
  /** One of its transitions needs every actor: what some of them have agreed to is remembered. */
  readonly needsAll: boolean;
  readonly out: readonly Transition[];
}

export interface Transition {
  readonly name: string;
  readonly label: string;
  readonly to: string;
  readonly kind: TransitionKind;
  /** Undefined: the actors of the stage that it starts from, or who may edit the record where it has none. */
  readonly by: readonly ActorName[] | undefined;
  readonly needsAll: boolean;
  readonly condition: Condition | undefined;
  readonly conditionText: string | undefined;
  readonly required: readonly string[];
  readonly reason: ReasonNeed;
  readonly effects: readonly Effect[];
  /** Whoever may take it may take it back as long as it is the last step. */
  readonly canUndo: boolean;
}

export interface Workflow {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly type: RecordTypeKey;
  /** The field that is the stage, under another name: each stage has a value of it. */
  readonly stageField: string | undefined;
  readonly stages: readonly Stage[];
  readonly byKey: ReadonlyMap<string, Stage>;
  readonly byNode: ReadonlyMap<string, Stage>;
  readonly start: Stage;
}
