// Takes actors and what each role allows on the record type; tells whom the workflow waits for in vain. Pure: whoever takes a
// transition edits the record, and no workflow lends what a role must allow.
import { isOn, type RoleRights } from "../../../../client/design/record-types.ts";

/** "nobody": no role but administrators' can edit at all. Otherwise the names of roles among the actors that can't. */
export function actorsWithoutRole(
  actors: readonly string[],
  roles: readonly RoleRights[],
): "nobody" | readonly string[] {
  const mayEdit = (role: RoleRights): boolean => isOn(role.is_administrator) || isOn(role.operations.edit);
  const named = roles.filter(({ code }) => actors.includes(`role:${code}`));
  const onlyRoles = actors.length === named.length;
  if (actors.length === 0 || (onlyRoles && named.every(mayEdit))) return [];
  if (!roles.some((role) => !isOn(role.is_administrator) && mayEdit(role))) return "nobody";
  return named.filter((role) => !mayEdit(role)).map(({ name }) => name);
}
