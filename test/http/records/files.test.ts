// Files on the wire: what is taken, what is refused and leaves nothing behind, who gets them, how, and when they go.
import { readdirSync, statSync } from "node:fs";
import { connect } from "node:net";
import path from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sql } from "../../../server/database/sql.ts";
import { localStore } from "../../../server/files/local-store.ts";
import { discardFiles, keepFiles, sweepFiles } from "../../../server/files/orphaned-files.ts";
import { receiveFile } from "../../../server/files/receive-file.ts";
import { UploadedFile } from "../../../server/request/tree.ts";
import { startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, addRows, type Person } from "../people.ts";

let service: TestService;
let admin: string;
let ada: Person;
let alan: Person;
let lead: string;
let stranger: Person;

const definition = {
  module: "lab",
  controller: "papers",
  label: "Paper",
  plural: "Papers",
  displayField: "title",
  fields: [
    { name: "title", type: "short-text", required: true },
    { name: "scan", type: "file", settings: { accept: ["application/pdf", "text/plain"], maxBytes: 2000 } },
    { name: "photo", type: "image", settings: { maxBytes: 200_000 } },
    { name: "secret", type: "file", permission: 1 },
  ],
  access: { read: ["owner"], edit: ["owner"], delete: ["owner"], comment: [] },
};

beforeAll(async () => {
  service = await startService({ FILES_MAX_MEGABYTES: "1" });
  admin = await service.login();
  ada = await addPerson(service, "ada", ["sales_rep"]);
  alan = await addPerson(service, "alan", ["sales_rep"]);
  stranger = await addOrganization(service, "elsewhere");
  const made = { definition: JSON.stringify(definition) };
  expect((await service.post("/metadata/record_types/save.json", made, admin)).body.errors).toEqual([]);
  const { body } = await service.post(
    "/crm/leads/add.json",
    { data: { leads: { last_name: "Lovelace" }, action: { save_progress: "Save" } } },
    ada.token,
  );
  lead = body.id;
});
afterAll(() => service.stop());

const text = (content: string) => new Blob([content]);
const form = (entries: Record<string, string | [Blob, string]>): FormData => {
  const body = new FormData();
  for (const [key, value] of Object.entries(entries)) {
    if (typeof value === "string") body.append(key, value);
    else body.append(key, ...value);
  }
  body.append("data[action][save_progress]", "Save");
  return body;
};
const paper = (entries: Record<string, string | [Blob, string]>, operation = "add") =>
  service.post(
    `/lab/papers/${operation}.json`,
    form(Object.fromEntries(Object.entries(entries).map(([key, value]) => [`data[papers][${key}]`, value]))),
    admin,
  );
/** Everything that lies in the store or waits in the temporary folder. */
const stored = (): string[] =>
  ["files", "tmp"].flatMap((folder) => {
    const root = path.join(service.dataDir, folder);
    const names = (() => {
      try {
        return readdirSync(root, { recursive: true }).map(String);
      } catch {
        return [];
      }
    })();
    return names.filter((name) => statSync(path.join(root, name)).isFile());
  });
const fetchFile = (address: string, token: string, headers: Record<string, string> = {}) =>
  fetch(service.url + address, { headers: { authorization: `Bearer ${token}`, ...headers } });
const picture = async (format: "png" | "jpeg" | "webp" | "gif", width = 60, height = 30) =>
  new Blob([
    new Uint8Array(
      await sharp({ create: { width, height, channels: 3, background: "#8844cc" } })
        .withExif({ IFD0: { Copyright: "a secret place" } })
        .withMetadata({ orientation: 6 })
        .toFormat(format)
        .toBuffer(),
    ),
  ]);

describe("a file", () => {
  test("is kept with its record, given back byte for byte, and by ranges", async () => {
    const { body } = await paper({ title: "A paper", scan: [text("0123456789"), 'Größe "1".txt'] });
    expect(body.errors).toEqual([]);
    expect(body.data.papers.scan).toEqual({
      id: expect.any(String),
      name: 'Größe "1".txt',
      type: "text/plain",
      size: "10",
      width: null,
      height: null,
    });
    const address = `/lab/papers/download?id=${body.id}`;
    const whole = await fetchFile(address, admin);
    expect(whole.status).toBe(200);
    expect(await whole.text()).toBe("0123456789");
    expect(whole.headers.get("content-type")).toContain("text/plain");
    expect(whole.headers.get("content-disposition")).toBe(
      "attachment; filename=\"Gr__e _1_.txt\"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%221%22.txt",
    );
    expect(whole.headers.get("x-content-type-options")).toBe("nosniff");
    expect(whole.headers.get("content-security-policy")).toContain("sandbox");
    const etag = whole.headers.get("etag") ?? "";
    expect((await fetchFile(address, admin, { "if-none-match": etag })).status).toBe(304);
    for (const [range, status, content] of [
      ["bytes=2-4", 206, "234"],
      ["bytes=7-", 206, "789"],
      ["bytes=-2", 206, "89"],
      ["bytes=5-99", 206, "56789"],
      ["bytes=0-1,3-4", 200, "0123456789"],
      ["lines=1-2", 200, "0123456789"],
    ] as const) {
      const part = await fetchFile(address, admin, { range });
      expect([range, part.status, await part.text()]).toEqual([range, status, content]);
    }
    const bytes = await fetchFile(address, admin, { range: "bytes=2-4", "accept-encoding": "gzip" });
    expect(["content-encoding", "content-length"].map((name) => bytes.headers.get(name))).toEqual([null, "3"]);
    const beyond = await fetchFile(address, admin, { range: "bytes=10-" });
    expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, "bytes */10"]);
    const changed = await fetchFile(address, admin, { range: "bytes=2-4", "if-range": '"other"' });
    expect(changed.status).toBe(200);
    const head = await fetch(service.url + address, { method: "HEAD", headers: { authorization: `Bearer ${admin}` } });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, "10"]);
  });

  test("stays when its value is sent again, goes with an empty one, and comes back by history", async () => {
    const { body: first } = await paper({ title: "Versions", scan: [text("first"), "first.txt"] });
    const { id } = first;
    const again = await service.post(
      "/lab/papers/edit.json",
      {
        data: { papers: { id, title: "Versions 2", scan: first.data.papers.scan }, action: { save_progress: "Save" } },
      },
      admin,
    );
    expect(again.body.data.papers.scan).toEqual(first.data.papers.scan);
    const second = await paper({ id, scan: [text("second"), "second.txt"] }, "edit");
    expect(second.body.data.papers.scan.name).toBe("second.txt");
    const none = await paper({ id, scan: "" }, "edit");
    expect(none.body.data.papers.scan).toBeNull();
    expect((await fetchFile(`/lab/papers/download?id=${id}`, admin)).status).toBe(404);
    const back = await service.post(`/lab/papers/revert.json?id=${id}&revision=2`, {}, admin);
    expect(back.body.errors).toEqual([]);
    expect(back.body.data.papers.scan).toEqual(first.data.papers.scan);
    expect(await (await fetchFile(`/lab/papers/download?id=${id}`, admin)).text()).toBe("first");
    // Another record's file is no file of this one.
    const other = await paper({ title: "Thief", scan: first.data.papers.scan.id });
    expect(other.body.errors_by_field).toEqual({ "papers.scan": ["Scan does not exist"] });
  });

  test("that is a picture is written anew: turned, stripped, bounded, with a thumbnail, whatever its name says", async () => {
    for (const format of ["jpeg", "png", "webp", "gif"] as const) {
      const { body } = await paper({ title: format, photo: [await picture(format), "holiday.txt"] });
      expect(body.errors).toEqual([]);
      expect(body.data.papers.photo).toMatchObject({ type: `image/${format}`, name: "holiday.txt" });
      const shown = await fetchFile(`/lab/papers/download?id=${body.id}&field=photo`, admin);
      expect(shown.headers.get("content-disposition")).toMatch(/^inline/);
      const bytes = Buffer.from(await shown.arrayBuffer());
      const facts = await sharp(bytes).metadata();
      expect(facts.format).toBe(format);
      expect(facts.exif).toBeUndefined();
      if (format === "jpeg") expect([facts.width, facts.height]).toEqual([30, 60]);
      expect(bytes.includes("a secret place")).toBe(false);
      const small = await fetchFile(`/lab/papers/download?id=${body.id}&field=photo&thumbnail=1`, admin);
      expect(small.headers.get("content-type")).toBe("image/webp");
      expect((await sharp(Buffer.from(await small.arrayBuffer())).metadata()).width).toBeLessThanOrEqual(320);
    }
  });

  test("that is refused says why, leaves the record as it was and nothing behind", async () => {
    const { body: before } = await paper({ title: "Untouched", scan: [text("kept"), "kept.txt"] });
    const files = stored();
    const loose = async () => (await service.db.run(sql`select 1 from core__loose_files`)).count;
    const cut = new Blob([(await (await picture("png", 200, 200)).arrayBuffer()).slice(0, 300)]);
    const cases: [string, Record<string, string | [Blob, string]>, number, unknown][] = [
      ["0 bytes", { scan: [text(""), "a.txt"] }, 422, { "papers.scan": ["Scan is empty (upload state 4)"] }],
      [
        "too large for the field",
        { scan: [text("x".repeat(2001)), "a.txt"] },
        422,
        { "papers.scan": ["Scan is larger than 2 KiB (upload state 2)"] },
      ],
      ["too large for the service", { scan: [text("x".repeat(1024 * 1024 + 1)), "a.txt"] }, 413, undefined],
      [
        "a text called .png",
        { photo: [text("not a picture"), "a.png"] },
        422,
        { "papers.photo": [expect.stringContaining("(upload state 8)")] },
      ],
      [
        "half a picture",
        { photo: [cut, "a.png"] },
        422,
        { "papers.photo": ["Photo is damaged or incomplete (upload state 3)"] },
      ],
      [
        "a kind that is not taken",
        { scan: [await picture("png"), "a.pdf"] },
        422,
        { "papers.scan": ["Scan is image/png. Allowed types: application/pdf, text/plain (upload state 8)"] },
      ],
      [
        "a hidden field",
        { secret: [text("x"), "a.txt"] },
        422,
        { "papers.secret": ["secret is not a field of this record type"] },
      ],
      ["a field that holds no files", { title: [text("x"), "a.txt"] }, 422, { "papers.title": ["Title must be text"] }],
      [
        "a fault elsewhere",
        { title: "", scan: [text("new"), "b.txt"] },
        422,
        { "papers.title": ["Title is required"] },
      ],
      ["a stale revision", { revision: "99", scan: [text("new"), "b.txt"] }, 409, expect.anything()],
    ];
    for (const [what, entries, status, byField] of cases) {
      const answer = await paper({ id: before.id, ...entries }, "edit");
      expect([what, answer.status, answer.body.errors_by_field]).toEqual([what, status, byField]);
      expect(answer.body.errors.length).toBeGreaterThan(0);
    }
    const { body: after } = await service.get(`/lab/papers/view.json?id=${before.id}`, admin);
    expect(after.data.papers).toEqual(before.data.papers);
    expect(stored()).toEqual(files);
    expect(await loose()).toBe(0);
  });

  test.each([
    ["53300", "database_unavailable"],
    ["57014", "took_too_long"],
  ])("whose record the database refuses for now (%s) is not said to be saved, perhaps", async (state, code) => {
    const files = stored();
    await service.db.script(`
      create function refuse() returns trigger language plpgsql as
        $$ begin raise exception 'not now' using errcode = '${state}'; end $$;
      create trigger refuse before insert on lab__papers for each row execute function refuse()`);
    const { status, body } = await paper({ title: "Refused", scan: [text("refused"), "r.txt"] });
    await service.db.script("drop function refuse cascade");
    expect([status, body.error_code]).toEqual([503, code]);
    expect(stored()).toEqual(files);
  });

  test("whose body ends early is a 400, and one whose connection is cut leaves nothing", async () => {
    const files = stored();
    const head = '--x\r\nContent-Disposition: form-data; name="data[papers][scan]"; filename="a.txt"\r\n\r\n';
    const truncated = await fetch(`${service.url}/lab/papers/add.json`, {
      method: "POST",
      headers: { authorization: `Bearer ${admin}`, "content-type": "multipart/form-data; boundary=x" },
      body: `${head}half of it`,
    });
    expect(truncated.status).toBe(400);
    const { hostname, port } = new URL(service.url);
    const socket = connect(Number(port), hostname);
    socket.write(
      `POST /lab/papers/add.json HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${admin}\r\nContent-Type: multipart/form-data; boundary=x\r\nContent-Length: 100000\r\n\r\n${head}${"y".repeat(5000)}`,
    );
    const waiting = () => stored().length > files.length;
    while (!waiting()) await new Promise((resolve) => setTimeout(resolve, 5));
    socket.destroy();
    while (waiting()) await new Promise((resolve) => setTimeout(resolve, 5));
    expect(stored()).toEqual(files);
    const { body } = await service.get("/lab/papers/index.json?search_basic=half", admin);
    expect(body.paginate.data).toEqual([]);
  });

  test("is not sent twice by a retry, and is swept when nobody kept it", async () => {
    const send = () =>
      service.post(
        "/lab/papers/add.json",
        form({ "data[papers][title]": "Once", "data[papers][scan]": [text("once"), "o.txt"] }),
        admin,
        {
          "idempotency-key": "the-same",
        },
      );
    const first = await send();
    const files = stored();
    const second = await send();
    expect(second.body.id).toBe(first.body.id);
    expect(stored()).toEqual(files);
    // As a crash between storing and committing leaves it.
    const store = localStore(path.join(service.dataDir, "files"));
    const key = "ab".repeat(20);
    await store.put(key, path.join(service.dataDir, "files", String(files.find((name) => name.includes("/")))), 0);
    await service.db.run(
      sql`insert into core__loose_files values (1, ${key}, now() at time zone 'utc' + interval '1 hour')`,
    );
    expect(await sweepFiles(service.db, store)).toBe(0);
    await service.db.run(sql`update core__loose_files set removable = now() at time zone 'utc' - interval '1 second'`);
    expect(await sweepFiles(service.db, store)).toBe(1);
    expect(stored()).toEqual(files);
    // What was swept can't be kept any more.
    expect(await service.db.transaction((transaction) => keepFiles(transaction, "1", [key]))).toBe(false);

    // Whoever is saving has an hour.
    const sent = new UploadedFile(path.join(import.meta.dirname, "files.test.ts"), "f.ts", "text/plain", 100);
    const rule = { maxBytes: 1_000, accept: [], pictures: false };
    const received = await receiveFile(service.db, store, "1", sent, rule);
    if (!("storageKey" in received)) throw new Error("it is well");
    const due = await service.db.row(sql`
      select (removable - now() at time zone 'utc' between interval '50 minutes' and interval '1 hour')::integer as in_time
      from core__loose_files where storage_key = ${received.storageKey}`);
    expect(due).toEqual({ in_time: "1" });
    expect(await sweepFiles(service.db, store)).toBe(0);
    expect(await discardFiles(service.db, store, "1", [received.storageKey])).toBe(1);
    expect(stored()).toEqual(files);
  });
});

describe("attachments", () => {
  const attach = (token: string, related: string, file: [Blob, string], more = {}) =>
    service.post(
      "/core/attachments/add.json",
      form({
        "data[attachments][related_type]": "crm/leads",
        "data[attachments][related_id]": related,
        "data[attachments][file]": file,
        ...more,
      }),
      token,
    );
  const names = async (token: string) => {
    const { body } = await service.get("/core/attachments/index.json", token);
    return body.paginate.data.map((row: Record<string, string>) => row["attachments.name"]);
  };

  test("belong to those who may read their record, and are changed by those who may edit it", async () => {
    const { status, body } = await attach(ada.token, lead, [text("<script>alert(1)</script>"), "offer.html"]);
    expect([status, body.errors]).toEqual([200, []]);
    const id = body.id;
    expect(body.data.attachments).toMatchObject({ name: "offer.html", file: { type: "text/html" } });
    const { body: seen } = await service.get(`/crm/leads/view.json?id=${lead}`, ada.token);
    expect(seen.data.leads.attachments).toMatchObject([{ id, name: "offer.html" }]);
    expect(await names(ada.token)).toEqual(["offer.html"]);
    const address = `/core/attachments/download?id=${id}`;
    const own = await fetchFile(address, ada.token);
    expect([own.status, own.headers.get("content-disposition")?.slice(0, 10)]).toEqual([200, "attachment"]);
    for (const token of [alan.token, stranger.token]) {
      expect(await names(token)).toEqual([]);
      expect((await fetchFile(address, token)).status).toBe(404);
      expect((await attach(token, lead, [text("x"), "x.txt"])).status).toBe(422);
      expect((await service.post(`/core/attachments/delete.json?id=${id}&is_confirm=1`, {}, token)).status).toBe(404);
    }
    expect((await fetch(service.url + address)).status).toBe(401);
    const exported = await service.get("/core/attachments/export.json?format=json", admin);
    expect(JSON.stringify(exported.body)).not.toMatch(/storage|[0-9a-f]{40}/);
    const wrong = await attach(ada.token, lead, [text(""), "empty.txt"]);
    expect(wrong.body.errors_by_field).toEqual({ "attachments.error": ["File is empty (upload state 4)"] });
  });

  test("come along with their record, in any of the ways that clients send them", async () => {
    const body = form({
      "data[leads][last_name]": "With files",
      "data[leads][attachments][0][name]": [text("one"), "one.txt"],
      "data[leads][attachments][1][file]": [text("two"), "two.txt"],
      "data[leads][attachments][1][name]": "The second",
      "data[leads][attachments][2]": [text("three"), "three.txt"],
    });
    const answer = await service.post("/crm/leads/add.json", body, ada.token);
    expect(answer.body.errors).toEqual([]);
    const rows = answer.body.data.leads.attachments;
    expect(rows.map(({ name }: { name: string }) => name).sort()).toEqual(["The second", "one.txt", "three.txt"]);
    const image = form({ "data[users][id]": ada.id, "data[users][images][name]": [await picture("png"), "me.png"] });
    const user = await service.post("/access_controls/users/edit.json", image, admin);
    expect(user.body.errors).toEqual([]);
    expect(user.body.data.users.images).toMatchObject([{ name: "me.png", file: { type: "image/png" } }]);
    const wrong = form({ "data[users][id]": ada.id, "data[users][images][name]": [text("me"), "me.png"] });
    const refused = await service.post("/access_controls/users/edit.json", wrong, admin);
    expect(refused.body.errors_by_field).toEqual({
      "users.images.0.mime_type": [expect.stringContaining("upload state 8")],
    });
  });

  test("are not served while their record is deleted, come back with it, and go for good with it", async () => {
    const body = form({
      "data[leads][last_name]": "To be purged",
      "data[leads][attachments][0][file]": [text("bye"), "bye.txt"],
    });
    const files = stored();
    const { body: made } = await service.post("/crm/leads/add.json", body, ada.token);
    const [{ id }] = made.data.leads.attachments;
    const address = `/core/attachments/download?id=${id}`;
    expect((await fetchFile(address, ada.token)).status).toBe(200);
    await service.post(`/crm/leads/delete.json?id=${made.id}&is_confirm=1`, {}, ada.token);
    for (const token of [ada.token, admin]) expect((await fetchFile(address, token)).status).toBe(404);
    await service.post(`/crm/leads/restore.json?id=${made.id}`, {}, ada.token);
    expect((await fetchFile(address, ada.token)).status).toBe(200);
    await service.post(`/crm/leads/delete.json?id=${made.id}&is_confirm=1`, {}, ada.token);
    expect(stored().length).toBe(files.length + 1);
    const purged = await service.post(`/crm/leads/purge.json?id=${made.id}&is_confirm=1`, {}, admin);
    expect(purged.status).toBe(200);
    expect(stored()).toEqual(files);
  });
});

test("a picture comes with a signup, written anew and the user's own; a file that is none is refused", async () => {
  const { body: offered } = await service.get("/access_controls/users/signup.json");
  const send = (userName: string, image: [Blob, string], password = "a long enough secret") => {
    const users = {
      user_name: userName,
      last_name: "Noether",
      user_password: password,
      confirm_password: password,
      is_license_agreement_accepted: "1",
      role_id: offered.signup_roles[0].value,
      "organizations][name": `Rings of ${userName}`,
      "organizations][currency_id": offered.currencies[0].value,
      auto_login: "1",
    };
    const body = new FormData();
    for (const [key, value] of Object.entries(users)) body.append(`data[users][${key}]`, value);
    body.append("data[users][images][name]", ...image);
    body.append("data[action][signup]", "Signup");
    return service.post("/access_controls/users/signup.json", body);
  };
  const files = stored();
  // Looking into a picture is work: it is done for those who could sign up with it.
  const refusedFor = async (password?: string) => {
    const { status, body } = await send("emmy", [text("no picture"), "me.png"], password);
    return [status, Object.keys(body.errors_by_field)];
  };
  expect(await refusedFor("short")).toEqual([422, ["users.user_password"]]);
  expect(await refusedFor()).toEqual([422, ["users.images.0.mime_type"]]);
  const unkept = await send("emmy", [await picture("jpeg"), "me.jpg"], "short");
  expect(unkept.status).toBe(422);
  expect(stored()).toEqual(files);
  const { body: made } = await send("emmy", [await picture("jpeg"), "me.jpg"]);
  expect(made.errors).toEqual([]);
  const seen = await service.get(`/access_controls/users/view.json?id=${made.id}`, made.access_token);
  const [image] = seen.body.data.users.images;
  expect(image).toMatchObject({ name: "me.jpg", file: { type: "image/jpeg", width: "30", height: "60" } });
  expect((await fetchFile(`/core/attachments/download?id=${image.id}`, made.access_token)).status).toBe(200);
  expect((await fetchFile(`/core/attachments/download?id=${image.id}`, admin)).status).toBe(404);
});

describe("a save that looks like a record already there", () => {
  const add = (values: Record<string, unknown>, token: string, more = {}) =>
    service.post(
      "/crm/peoples/add.json",
      { ...more, data: { peoples: values, action: { save_progress: "Save" } } },
      token,
    );

  test("is answered with the records that the caller may read, and done when sent again with the override", async () => {
    const first = await add(
      {
        last_name: "Hopper",
        email: "Grace@Example.com",
        phone_numbers: [{ number: "+1 (555) 010-0199", type: "work" }],
      },
      ada.token,
    );
    expect(first.body.errors).toEqual([]);
    const cases: Record<string, unknown>[] = [
      { last_name: "A", email: "grace@example.COM" },
      { last_name: "B", email_addresses: [{ email: "GRACE@example.com" }] },
      { last_name: "C", mobile: "001 555 0100199 ext. 5" },
      { last_name: "D", phone_numbers: [{ number: "15550100199", type: "home" }] },
    ];
    for (const values of cases) {
      const { status, body } = await add(values, alan.token);
      expect([values.last_name, status, body.error_code]).toEqual([values.last_name, 409, "possible_duplicate"]);
      expect(body.duplicates).toEqual([
        { id: first.body.id, name: "Hopper", controller: "crm/peoples", labels: [expect.any(String)] },
      ]);
      expect(body.data.peoples.last_name).toBe(values.last_name);
    }
    const saved = await add(cases[0] ?? {}, alan.token, { override_duplicates: "1" });
    expect(saved.status).toBe(200);
    // What was accepted once is not asked about again; another record's value is.
    const change = (values: Record<string, unknown>) =>
      service.post(
        "/crm/peoples/edit.json",
        { data: { peoples: { id: saved.body.id, ...values }, action: { save_progress: "Save" } } },
        alan.token,
      );
    expect((await change({ job_title: "Admiral" })).status).toBe(200);
    expect((await change({ phone: "1-555-010-0199" })).body.error_code).toBe("possible_duplicate");
    expect((await change({ phone: "1-555-010-0198" })).status).toBe(200);
  });

  test("tells nothing of records that the caller may not read, nor of deleted ones", async () => {
    const lead = (last_name: string, token: string) =>
      service.post(
        "/crm/leads/add.json",
        { data: { leads: { last_name, email: "x@example.com" }, action: { save_progress: "Save" } } },
        token,
      );
    const own = await lead("Mine", ada.token);
    expect(own.status).toBe(200);
    expect((await lead("Not seen", alan.token)).status).toBe(200);
    expect((await lead("Seen", ada.token)).body.duplicates).toMatchObject([{ name: "Mine" }]);
    await service.post(`/crm/leads/delete.json?id=${own.body.id}&is_confirm=1`, {}, ada.token);
    expect((await lead("Again", ada.token)).status).toBe(200);
    // Nor where something attached to it was left behind.
    const gone = await add({ last_name: "Gone", email_addresses: [{ email: "gone@example.com" }] }, ada.token);
    await service.db.run(sql`update crm__peoples set deleted = 1 where id = ${gone.body.id}::bigint`);
    expect((await add({ last_name: "Here", email: "gone@example.com" }, ada.token)).status).toBe(200);
  });

  test("tells nothing of an address that was taken away, nor of one that belongs to something else", async () => {
    const person = (await add({ last_name: "Moved", email_addresses: [{ email: "old@example.com" }] }, ada.token)).body;
    const [address] = person.data.peoples.email_addresses;
    const values = { id: person.id, email_addresses: [{ id: address.id, deleted: "1" }] };
    await service.post(
      "/crm/peoples/edit.json",
      { data: { peoples: values, action: { save_progress: "Save" } } },
      ada.token,
    );
    expect((await add({ last_name: "Next", email: "old@example.com" }, ada.token)).status).toBe(200);
    // Of a company whose number is the person's.
    await addRows(service, "core/email_addresses", [
      { related_type: "crm/companies", related_id: person.id, email: "desk@example.com" },
    ]);
    expect((await add({ last_name: "Desk", email: "desk@example.com" }, ada.token)).status).toBe(200);
  });

  test("is asked for by a record type made at run time, by what can be compared", async () => {
    const save = (duplicates: string[][]) =>
      service.post(
        "/metadata/record_types/save.json",
        {
          definition: JSON.stringify({
            ...definition,
            controller: "books",
            label: "Book",
            plural: "Books",
            duplicates,
          }),
        },
        admin,
      );
    expect((await save([["photo"]])).status).toBe(422);
    expect((await save([["nothing"]])).status).toBe(422);
    expect((await save([["title"]])).body.errors).toEqual([]);
    const book = (title: string) =>
      service.post("/lab/books/add.json", { data: { books: { title }, action: { save_progress: "Save" } } }, admin);
    expect((await book("Sketch of the Engine")).status).toBe(200);
    expect((await book("sketch of the engine")).body.duplicates).toMatchObject([
      { name: "Sketch of the Engine", labels: ["Title"] },
    ]);
  });
});
