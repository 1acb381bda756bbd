// Takes what an operation gave, or a failure; gives the body of the response. The one place that knows the envelope.
import type { Envelope } from "../../contract/envelope.ts";
import type { Failure } from "../../contract/failures.ts";
import { type Language, write, writeAll, writeByField } from "../../contract/texts/write.ts";
import type { Caller } from "../access/caller.ts";
import type { JsonResult } from "../operations/operation.ts";

export type Presented = Envelope & Record<string, unknown>;

export function presentResult(result: JsonResult, language: Language, caller: Caller | undefined): Presented {
  const { body } = result;
  const byField = body?.errors_by_field;
  const errors = byField === undefined ? [] : sentencesOf([], byField as Envelope["errors_by_field"]);
  return { errors, message: writeAll(result.message ?? [], language), ...identityOf(caller), ...body };
}

const lastingBytes = new WeakMap<JsonResult, Buffer>();

/** What is this result's alone, without the brace at its end. Of one that lasts it is written once. */
function ownBytes(result: JsonResult, language: Language, caller: Caller | undefined): Buffer {
  const known = result.lasting && lastingBytes.get(result);
  if (known) return known;
  const bytes = Buffer.from(JSON.stringify(presentResult(result, language, caller)).slice(0, -1));
  if (result.lasting) lastingBytes.set(result, bytes);
  return bytes;
}

/**
 * The response as JSON. What was written before is most of a record's response and shared by many: it is copied, neither written
 * again nor kept with each of them.
 */
export function writeResult(result: JsonResult, language: Language, caller: Caller | undefined): string | Buffer {
  if (result.written === undefined && !result.lasting) return JSON.stringify(presentResult(result, language, caller));
  // `errors` is always there, so the object is never empty.
  const parts: Buffer[] = [ownBytes(result, language, caller)];
  for (const [key, value] of Object.entries(result.written ?? {})) {
    parts.push(Buffer.from(`,${JSON.stringify(key)}:`), typeof value === "string" ? Buffer.from(value) : value);
  }
  parts.push(CLOSE);
  return Buffer.concat(parts);
}

const CLOSE = Buffer.from("}");

export function presentFailure(failure: Failure, requestId: string, language: Language, caller?: Caller): Presented {
  const { errors = [], message = [], byField, body } = failure.detail;
  const { params } = failure.said;
  const sentences = byField && writeByField(byField, language);
  return {
    ...identityOf(caller),
    ...body,
    errors: sentencesOf(
      [failure.said, ...errors].map((said) => write(said, language)),
      sentences,
    ),
    message: writeAll(message, language),
    ...(byField && sentences && Object.keys(byField).length > 0
      ? { errors_by_field: sentences, error_codes_by_field: byField }
      : {}),
    error_code: failure.code,
    ...(Object.keys(params).length > 0 ? { error_params: params } : {}),
    request_id: requestId,
  };
}

/** Programs show `errors` alone: what is said of fields is there too, and nothing twice. */
const sentencesOf = (
  errors: readonly string[],
  byField: Readonly<Record<string, readonly string[]>> | undefined,
): string[] => [...new Set([...errors, ...Object.values(byField ?? {}).flat()])];

/** JSON text of a response; a JSON-RPC caller gets it as the result of its call. */
export function inEncoding(text: string | Buffer, rpcId: string | undefined): string | Buffer {
  if (rpcId === undefined) return text;
  const head = `{"jsonrpc":"2.0","id":${rpcId},"result":`;
  return typeof text === "string" ? `${head}${text}}` : Buffer.concat([Buffer.from(head), text, CLOSE]);
}

function identityOf(caller: Caller | undefined): Partial<Envelope> {
  if (caller === undefined) return {};
  return {
    organization_id: caller.organizationId,
    organization_name: caller.organizationName,
    user_id: caller.userId,
    user_fullname: caller.fullName,
  };
}
