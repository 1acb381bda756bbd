import { describe, expect, test } from "vitest";
import { Failure } from "../../contract/failures.ts";
import {
  type Body,
  noBody,
  parseEncoding,
  parseJsonBody,
  parseJsonBytes,
  parseUrlEncodedBody,
  rpcIdOf,
} from "./body.ts";
import { buildCall, type Call, normalizeAction, parseQuery } from "./call.ts";

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value));
const json = (text: string): Body => parseJsonBody(parseJsonBytes(Buffer.from(text)));
const form = (text: string): Body => parseUrlEncodedBody(Buffer.from(text));

function call(query: string, body: Body, more: { idempotencyKey?: string } = {}): Call {
  const address = { module: "crm", controller: "leads", operation: "add", method: "POST" } as const;
  return buildCall({ ...address, query: parseQuery(query), body, ...more });
}

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof Failure) return error.code;
    throw error;
  }
  return "nothing failed";
}

describe("one call in three encodings", () => {
  const bodies = {
    urlencoded: form(
      "data[leads][name]=Ada&data[leads][amount]=1.10&data[normalized]=1&data[action][save_%26_continue]=Save+%26+Continue&partial=1",
    ),
    json: json(
      '{"data":{"leads":{"name":"Ada","amount":1.10},"normalized":1,"action":{"save_&_continue":"Save & Continue"}},"partial":true}',
    ),
    rpc: json(
      '{"jsonrpc":"2.0","id":1,"method":"crm.leads.add","params":{"normalized":1,"partial":1,"action":{"save_&_continue":"Save & Continue"},"data":{"leads":{"name":"Ada","amount":1.10}}}}',
    ),
  };
  test.each(Object.entries(bodies))("%s", (_, body) => {
    expect(plain(call("atomic=1&partial=0", body))).toEqual({
      module: "crm",
      controller: "leads",
      operation: "add",
      method: "POST",
      headOnly: false,
      parameters: { atomic: "1", partial: "1" },
      data: { leads: { name: "Ada", amount: "1.10" } },
      normalized: true,
      actions: [{ name: "save_&_continue", key: "savecontinue", label: "Save & Continue" }],
      files: [],
    });
  });
});

describe("a call", () => {
  test("takes data from the query too, the body's first", () => {
    expect(plain(call("data[leads][id][]=1&data[people][id]=2", form("data[leads][name]=x")).data)).toEqual({
      leads: { name: "x" },
      people: { id: "2" },
    });
  });

  test("takes an empty array for an empty object", () => {
    expect(plain(call("", json('{"data":[]}')).data)).toEqual({});
    expect(call("", json('{"data":{"action":[]}}')).actions).toEqual([]);
  });

  test.each([
    ["data that is a text", () => call("data=1", noBody)],
    ["data that is a list", () => call("", json('{"data":[1]}'))],
    ["an action with branches", () => call("data[action][save][x]=1", noBody)],
    ["an idempotency key with spaces", () => call("", noBody, { idempotencyKey: "a b" })],
    ["an empty idempotency key", () => call("", noBody, { idempotencyKey: "" })],
    ["an idempotency key of 256 characters", () => call("", noBody, { idempotencyKey: "k".repeat(256) })],
  ])("refuses %s", (_, run) => {
    expect(codeOf(run)).toBe("malformed_parameter");
  });

  test("compares actions without regard to case and punctuation", () => {
    expect(
      new Set(["save_&_continue", "save_continue", "Save & Continue", "SAVE-CONTINUE"].map(normalizeAction)).size,
    ).toBe(1);
    expect(normalizeAction("save_progress")).not.toBe(normalizeAction("save_continue"));
    expect(normalizeAction("Größe ändern")).toBe("größeändern");
  });
});

describe("JSON-RPC", () => {
  test.each([
    ['{"jsonrpc":"2.0","id":1,"method":"x"}', "1"],
    ['{"jsonrpc":"2.0","id":"1","method":"x"}', '"1"'],
    ['{"jsonrpc":"2.0","id":12345678901234567890,"method":"x"}', "12345678901234567890"],
    ['{"jsonrpc":"2.0","id":null,"method":"x"}', "null"],
    ['{"jsonrpc":"2.0","method":"x"}', "null"],
    ['{"jsonrpc":"2.0","id":{},"method":"x"}', "null"],
    ['{"id":1}', undefined],
  ])("%s has the id %s", (text, id) => {
    expect(rpcIdOf(parseJsonBytes(Buffer.from(text)))).toBe(id);
  });

  test.each([
    ["another version", '{"jsonrpc":"1.0","id":1,"method":"crm.leads.add"}'],
    ["another method", '{"jsonrpc":"2.0","id":1,"method":"crm.leads.edit"}'],
    ["no method", '{"jsonrpc":"2.0","id":1}'],
    ["a list of params", '{"jsonrpc":"2.0","id":1,"method":"crm.leads.add","params":[1]}'],
    ["an id that is an object", '{"jsonrpc":"2.0","id":{},"method":"crm.leads.add"}'],
    ["an id that is a flag", '{"jsonrpc":"2.0","id":true,"method":"crm.leads.add"}'],
  ])("refuses %s", (_, text) => {
    expect(codeOf(() => call("", json(text)))).toBe("malformed_rpc");
  });

  test("may be as deep as the other encodings", () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
    const rpc = (levels: number) => `{"jsonrpc":"2.0","id":1,"method":"crm.leads.add","params":${nested(levels)}}`;
    expect(codeOf(() => json(nested(8)))).toBe("nothing failed");
    expect(codeOf(() => json(nested(9)))).toBe("too_deep");
    expect(codeOf(() => json(rpc(8)))).toBe("nothing failed");
    expect(codeOf(() => json(rpc(9)))).toBe("too_deep");
  });
});

describe("bodies", () => {
  test.each([
    ["application/json", "json"],
    ["application/json; charset=UTF-8", "json"],
    ["Application/X-WWW-Form-Urlencoded", "urlencoded"],
    ['multipart/form-data; boundary="a b"', "multipart"],
    ["application/jsonl", "lines"],
    ["application/x-ndjson; charset=us-ascii", "lines"],
  ])("%s is %s", (type, kind) => {
    expect(parseEncoding(type).kind).toBe(kind);
  });

  test.each([undefined, "", "text/plain", "application/xml", "application/json; charset=latin1"])(
    "%s is refused",
    (type) => {
      expect(codeOf(() => parseEncoding(type))).toBe("wrong_media_type");
    },
  );

  test.each(["multipart/form-data", "multipart/form-data; boundary="])("%s has no boundary", (type) => {
    expect(codeOf(() => parseEncoding(type))).toBe("malformed_body");
  });

  test("refuse invalid UTF-8 and several calls in one", () => {
    expect(codeOf(() => parseJsonBytes(Buffer.from([0x22, 0xff, 0x22])))).toBe("malformed_body");
    expect(codeOf(() => parseUrlEncodedBody(Buffer.from([0x61, 0x3d, 0xc3])))).toBe("malformed_body");
    expect(codeOf(() => json('[{"jsonrpc":"2.0"}]'))).toBe("malformed_body");
    expect(codeOf(() => json('"text"'))).toBe("malformed_body");
  });
});
