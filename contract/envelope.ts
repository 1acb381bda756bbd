// What every JSON response carries, whatever the operation.
import type { FailureCode } from "./failures.ts";
import type { Message } from "./messages.ts";

export interface Envelope {
  errors: string[];
  message: string[];
  errors_by_field?: Record<string, string[]>;
  /** The codes and parameters of the sentences in `errors_by_field`, each at the same place. */
  error_codes_by_field?: Record<string, readonly Message[]>;
  /** The failure's name in contract/failures.ts, on failures only. */
  error_code?: FailureCode;
  /** What stands in its sentence. */
  error_params?: Message["params"];
  request_id?: string;
  organization_id?: string | null;
  organization_name?: string | null;
  user_id?: string | null;
  user_fullname?: string | null;
  /** 1: a new version of the license agreement waits to be accepted. Said by login, renewal and `core/notifications/unread`. */
  is_license_agreement_required?: 0 | 1;
}
