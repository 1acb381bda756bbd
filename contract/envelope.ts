// What every JSON response carries, whatever the operation.
import type { FailureCode } from "./failures.ts";

export interface Envelope {
  errors: string[];
  message: string[];
  errors_by_field?: Record<string, string[]>;
  /** The failure's name in contract/failures.ts, on failures only. */
  error_code?: FailureCode;
  request_id?: string;
  organization_id?: string | null;
  organization_name?: string | null;
  user_id?: string | null;
  user_fullname?: string | null;
}
