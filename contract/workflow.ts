// What a workflow is on the wire: the definition that somebody writes, and what the view of a record says of it.
// Types alone; server/workflow/definition-schema.ts holds definitions to them.

/** Who acts: the record's owner, the owner's manager, a role by its code, a group or user by id, a user field. */
export type ActorName =
  | "owner"
  | "owner_manager"
  | `role:${string}`
  | `group:${string}`
  | `user:${string}`
  | `field:${string}`;

export type LentRight = "read" | "edit" | "delete";
/** `approve` and `reject` are a vote of the stage's actors; `recall` is the owner's. */
export type TransitionKind = "move" | "approve" | "reject" | "recall";
export type ReasonNeed = "none" | "optional" | "required";

/** Use a record that is there, or leave it out. */
export type RecordOffer = "existing" | "skip";

/** Something that happens along with a transition, in its transaction. `when`: only if this condition holds. */
export type EffectDefinition = { readonly when?: string | undefined } & (
  | { readonly set: Readonly<Record<string, string>> }
  | {
      readonly create: string;
      readonly as?: string | undefined;
      /** What whoever takes the transition can choose instead of a new record. */
      readonly offer?: readonly RecordOffer[] | undefined;
      readonly values: Readonly<Record<string, string>>;
    }
  | { readonly mail: { readonly to: readonly string[]; readonly subject: string; readonly text: string } }
  | { readonly notify: { readonly to: readonly ActorName[]; readonly text: string } }
);

export interface StageDefinition {
  /** What transitions name it by; it never changes, so that records keep their stage when it is renamed. */
  readonly key: string;
  /** What people read: `1. New`. */
  readonly name: string;
  readonly kind?: "start" | "end" | undefined;
  /** The option of the stage field that means this stage; several stages may share one. */
  readonly value?: string | undefined;
  readonly color?: string | undefined;
  /** Whose turn it is while a record is here. */
  readonly actors?: readonly ActorName[] | undefined;
  /** What they may do with it meanwhile, beyond what the record's own access says; reading always, editing unless said. */
  readonly grants?: readonly LentRight[] | undefined;
  /** Fields that nobody changes by hand while a record is here. */
  readonly fixed?: readonly string[] | undefined;
  /** What happens whenever a record comes here. */
  readonly enter?: readonly EffectDefinition[] | undefined;
}

export interface TransitionDefinition {
  readonly name: string;
  readonly label: string;
  readonly from: string | readonly string[];
  readonly to: string;
  readonly kind?: TransitionKind | undefined;
  /** Who may take it; the actors of the stage unless said (the owner, for a recall). */
  readonly by?: readonly ActorName[] | undefined;
  /** Of an approval: one of the actors is enough, or each of them has to. */
  readonly needs?: "any" | "all" | undefined;
  readonly condition?: string | undefined;
  readonly required?: readonly string[] | undefined;
  readonly reason?: ReasonNeed | undefined;
  readonly effects?: readonly EffectDefinition[] | undefined;
  /** Whoever may take it may take it back as long as it is the record's last step. */
  readonly undo?: boolean | undefined;
}

export interface WorkflowDefinition {
  /** The choice field of the record type that is its stage: it changes by transitions alone, and transitions set it. */
  readonly stage_field?: string | undefined;
  readonly stages: readonly StageDefinition[];
  readonly transitions: readonly TransitionDefinition[];
}

export interface WireStage {
  readonly id: string;
  readonly key: string;
  readonly name: string;
  readonly kind: "start" | "stage" | "end";
  readonly color: string | null;
}

/** A transition that the caller may take by who it is; `possible`: its condition holds for the record as it is. */
export interface WireTransition {
  readonly name: string;
  readonly label: string;
  readonly kind: TransitionKind;
  readonly to: string;
  readonly __to: string;
  readonly condition: string | null;
  readonly possible: boolean;
  readonly required: readonly { readonly field: string; readonly label: string }[];
  readonly reason: ReasonNeed;
  /** It creates records that can be chosen: ask `transition` before it is taken. */
  readonly has_choices: boolean;
}

/** A record that a transition would create, as `transition` tells of it. */
export interface WireOfferedRecord {
  /** What `stage_log[records]` calls it. */
  readonly as: string;
  readonly controller: string;
  readonly label: string;
  readonly name: string | null;
  readonly offers: readonly RecordOffer[];
  readonly matches: readonly {
    readonly id: string;
    readonly name: string | null;
    readonly labels: readonly string[];
  }[];
}

/** `workflow` of a view response. */
export interface WireWorkflow {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  /** The stage's id: what `stage_log[node_id]` is compared with. */
  readonly stage: string;
  readonly __stage: string;
  readonly since: string | null;
  readonly stages: readonly WireStage[];
  /** Fields that cannot be changed by hand in this stage. */
  readonly fixed: readonly string[];
  /** Whom it waits for, in words. */
  readonly actors: readonly string[];
  /** Whether it waits for the caller. */
  readonly is_my_turn: boolean;
  /** Of an approval by all: who has agreed already. */
  readonly agreed: readonly string[];
  readonly transitions: readonly WireTransition[];
  /** Transitions of the stage that the caller cannot take now, each with the reason. */
  readonly blocked: readonly {
    readonly name: string;
    readonly label: string;
    readonly to: string;
    readonly reason: string;
  }[];
  /** The last transition, where the caller can take it back. */
  readonly undo: {
    readonly name: string;
    readonly label: string;
    /** Its entry in the stage log: sent back, nothing but this step is undone. */
    readonly step: string;
    /** The stage that the record returns to. */
    readonly from: string;
    /** It created records, which undoing it deletes. */
    readonly has_created: boolean;
  } | null;
}
