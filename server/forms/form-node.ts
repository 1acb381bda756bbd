// A compiled element of a form: what it says, its permission before conditions, and what narrows it while one of them
// does not hold.
import { type EffectivePermission, mostRestrictive } from "../access/permission.ts";

export interface Guard {
  /** Index into the form's conditions. */
  readonly condition: number;
  readonly otherwise: EffectivePermission;
}

export interface FormNode {
  readonly content: Readonly<Record<string, unknown>>;
  readonly permission: EffectivePermission;
  readonly guards: readonly Guard[];
  readonly children?: readonly FormNode[];
}

/** Which of the form's conditions hold. */
export type Truth = (condition: number) => boolean;

export const permissionNow = (node: FormNode, truth: Truth): EffectivePermission =>
  node.guards.reduce<EffectivePermission>(
    (sum, guard) => (truth(guard.condition) ? sum : mostRestrictive(sum, guard.otherwise)),
    node.permission,
  );

export const presentNode = (node: FormNode, truth: Truth): unknown => ({
  ...node.content,
  permission: permissionNow(node, truth),
  // What it is while its conditions hold: a client that edits values works the rest out by itself.
  ...(node.guards.length > 0 ? { granted_permission: node.permission } : {}),
  ...(node.children ? { children: node.children.map((child) => presentNode(child, truth)) } : {}),
});
