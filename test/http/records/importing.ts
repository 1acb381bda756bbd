// What scenarios of imports share: a record type to import into, people with and without the right to, and the calls themselves.
import { createHash } from "node:crypto";
import { expect } from "vitest";
import { UPSERT_LOCK } from "../../../server/database/locks.ts";
import { sql } from "../../../server/database/sql.ts";
import { type Answer, startService, type TestService } from "../../service.ts";
import { addOrganization, addPerson, type Person } from "../people.ts";

export const save = { save_progress: "Save" };
export const ALL = "index;view;add;edit;delete;import;export;bulk";

interface DesignOptions {
  readonly discard?: string;
  readonly convert?: string;
  readonly unique?: readonly (readonly string[])[];
}

export interface Importing {
  readonly service: TestService;
  readonly admin: string;
  readonly manager: Person;
  readonly rep: Person;
  readonly other: Person;
  design(more: readonly object[], options?: DesignOptions): Promise<void>;
  permit(code: string, operations: string, type?: string): Promise<void>;
  upload(content: string | Uint8Array<ArrayBuffer>, name?: string, token?: string): Promise<Answer>;
  /** With the mapping that is proposed, unless another is given. */
  run(content: string, more: Record<string, unknown>, token?: string): Promise<Answer>;
  // biome-ignore lint/suspicious/noExplicitAny: a job as the service tells it.
  over(id: string): Promise<any>;
  undo(id: string, token?: string): Promise<Answer>;
  assets(where: object): Promise<Record<string, string | null>[]>;
  /** Starts an import by `serial`; its first chunk waits until something has happened. Gives the job at its end. */
  meanwhile(
    content: string,
    more: Record<string, unknown>,
    happens: (id: string) => Promise<unknown>,
    token?: string,
    // biome-ignore lint/suspicious/noExplicitAny: a job as the service tells it.
  ): Promise<any>;
}

export async function startImporting(): Promise<Importing> {
  const service = await startService();
  const admin = await service.login();
  const manager = await addPerson(service, "manager", ["sales_manager"]);
  const rep = await addPerson(service, "rep", ["sales_rep"]);
  const other = await addOrganization(service, "elsewhere");

  const design: Importing["design"] = async (more, { discard = "", convert = "", unique = [] } = {}) => {
    const definition = {
      module: "crm",
      controller: "assets",
      label: "Asset",
      plural: "Assets",
      displayField: "name",
      fields: [
        { name: "name", type: "short-text", required: true },
        { name: "serial", label: "Serial number", type: "short-text", unique: true },
        { name: "price", type: "decimal", settings: { precision: 12, scale: 2 } },
        ...more,
      ],
      unique,
      access: { read: ["organization"], edit: ["owner"], delete: ["owner"], comment: [] },
    };
    const saved = await service.post(
      "/metadata/record_types/save.json",
      { definition: JSON.stringify(definition), discard, convert },
      admin,
    );
    expect(saved.body.errors).toEqual([]);
  };

  const permit: Importing["permit"] = async (code, operations, type = "crm/assets") => {
    const known = await service.db.row(sql`
      select r.id, o.id::text as held from access_controls__roles r left join access_controls__role_operations o
        on o.organization_id = 1 and o.role_id = r.id and o.record_type = ${type} and o.deleted = 0
      where r.organization_id = 1 and r.code = ${code}`);
    const row = { role_id: known?.id, record_type: type, operations, ...(known?.held ? { id: known.held } : {}) };
    const saved = await service.post(
      `/access_controls/role_operations/${known?.held ? "edit" : "add"}.json`,
      { data: { role_operations: row, action: save } },
      admin,
    );
    expect(saved.body.errors).toEqual([]);
  };

  const upload: Importing["upload"] = (content, name = "assets.csv", token = manager.token) => {
    const form = new FormData();
    form.append("file", new Blob([content]), name);
    return service.post("/crm/assets/import_columns.json", form, token);
  };

  const run: Importing["run"] = async (content, more, token = manager.token) => {
    const { body } = await upload(content, "assets.csv", token);
    expect(body.errors).toEqual([]);
    const mapping = Object.fromEntries(
      body.data.columns.map(({ name, target }: { name: string; target: string }) => [name, target]),
    );
    return service.post("/crm/assets/import.json", { file: body.data.file.id, mapping, ...more }, token);
  };

  const over: Importing["over"] = async (id) => {
    const job = async () => (await service.get(`/core/jobs/view.json?id=${id}`, admin)).body.data.jobs;
    await expect.poll(async () => (await job()).status).toMatch(/^(?:done|failed|cancelled)$/);
    return { ...(await job()), id };
  };

  const meanwhile: Importing["meanwhile"] = async (content, more, happens, token) => {
    // What everybody who upserts many assets locks.
    const whole = createHash("sha256")
      .update(JSON.stringify(["1", "crm/assets"]))
      .digest()
      .readInt32BE(0);
    let id = "";
    await service.db.transaction(async (transaction) => {
      await transaction.run(sql`select pg_advisory_xact_lock(${UPSERT_LOCK}, ${whole}::integer)`);
      const started = await run(content, { mode: "upsert", key: "serial", ...more }, token);
      expect([started.status, started.body.errors]).toEqual([202, []]);
      id = started.body.job_id;
      const isWaiting = sql`
        select 1 as one from pg_locks where locktype = 'advisory' and not granted and classid = ${UPSERT_LOCK}::oid
          and database = (select oid from pg_database where datname = current_database())`;
      await expect.poll(() => service.db.row(isWaiting)).toBeDefined();
      await happens(id);
    });
    return over(id);
  };

  await design([]);
  await permit("sales_manager", ALL);
  return {
    service,
    admin,
    manager,
    rep,
    other,
    design,
    permit,
    upload,
    run,
    over,
    meanwhile,
    undo: (id, token = manager.token) => service.post(`/core/jobs/undo.json?id=${id}`, {}, token),
    assets: async (where) => {
      const q = encodeURIComponent(JSON.stringify({ where, fields: ["assets.*"], order: ["assets.id ASC"] }));
      return (await service.get(`/crm/assets/index.json?limit=1000&q=${q}`, admin)).body.paginate.data;
    },
  };
}
