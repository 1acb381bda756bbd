// Answers what is not even HTTP, or has headers past all measure, in the envelope too; then closes the connection.

import { randomUUID } from "node:crypto";
import type { Socket } from "node:net";
import { Failure } from "../../contract/failures.ts";
import { say } from "../../contract/messages.ts";
import { limits } from "../request/limits.ts";
import { presentFailure } from "./envelope.ts";
import { headersOf } from "./error-response.ts";

export function answerClientError(error: Error & { code?: string }, socket: Socket): void {
  if (error.code === "ECONNRESET" || !socket.writable) {
    socket.destroy();
    return;
  }
  const id = randomUUID();
  const failure =
    error.code === "HPE_HEADER_OVERFLOW"
      ? new Failure("headers_too_large", { with: { limit: `${limits.headerBytes / 1024} KiB` } })
      : new Failure("malformed_path", { with: { reason: say("not_http") } });
  const body = JSON.stringify(presentFailure(failure, id, "en"));
  const headers = {
    ...headersOf(failure),
    "content-type": "application/json; charset=utf-8",
    "content-length": String(Buffer.byteLength(body)),
    "x-request-id": id,
    connection: "close",
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const reason = failure.status === 431 ? "Request Header Fields Too Large" : "Bad Request";
  socket.end(`HTTP/1.1 ${failure.status} ${reason}\r\n${lines.join("\r\n")}\r\n\r\n${body}`);
}
