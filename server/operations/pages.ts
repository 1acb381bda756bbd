// Takes a call that lists something other than a record type's list; gives the page that it asks for, by the parameters
// and the limits that every list has.
import { parseListParameters } from "../request/list-parameters.ts";
import type { OperationContext } from "./operation.ts";

export interface Page {
  readonly page: number;
  readonly limit: number;
  readonly offset: number;
}

export function pageOf({ call }: OperationContext, defaultLimit: number): Page {
  const { page, limit = defaultLimit } = parseListParameters(call.parameters);
  return { page, limit, offset: (page - 1) * limit };
}
