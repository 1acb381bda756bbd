// Takes the address of a service with demo data; makes what an upgrade has to keep, over the wire alone, so that a service of any version can be
// asked: a designed type with put-aside values, files, comments, a record on its way through a workflow, a view. Gives what is there then.

export interface Facts {
  /** Live records by record type, as the administrator counts them. */
  readonly counts: Readonly<Record<string, number>>;
  /** Records of the designed type by name, with the values of its fields. */
  readonly instruments: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The file that one of them has. */
  readonly file: { readonly id: string; readonly text: string };
  readonly lead: { readonly id: string; readonly stage: string; readonly comment: string; readonly view: string };
}

export const password = "correct-horse-battery";
const keys = [
  ...["leads", "peoples", "companies", "opportunities", "quotes"].map((name) => `crm/${name}`),
  ...["comments", "listviews", "workflows", "attachments"].map((name) => `core/${name}`),
  ...["users", "roles", "groups"].map((name) => `access_controls/${name}`),
  "masters/countries",
  "lab/instruments",
];

const access = { read: ["organization"], edit: ["organization"], delete: ["owner"], comment: ["organization"] };
const definition = (fields: readonly object[]) =>
  JSON.stringify({
    module: "lab",
    controller: "instruments",
    label: "Instrument",
    plural: "Instruments",
    displayField: "name",
    allowComments: true,
    fields: [
      { name: "name", type: "short-text", required: true, searchable: true },
      { name: "price", type: "decimal", settings: { scale: 2 } },
      { name: "bought", type: "date" },
      {
        name: "kind",
        type: "choice",
        settings: {
          options: [
            { value: "scope", label: "Scope" },
            { value: "meter", label: "Meter" },
          ],
        },
      },
      { name: "company_id", type: "reference", settings: { to: "crm/companies" } },
      { name: "manual", type: "file" },
      ...fields,
    ],
    access,
  });
/** A field that goes, and one that becomes another: the values of both are put aside. */
const before = [
  { name: "room", type: "short-text" },
  { name: "shelf", type: "short-text" },
];
const after = [{ name: "shelf", type: "integer" }];
/** To take the one that went back. */
export const instrumentsWithRoom = definition([...before.slice(0, 1), ...after]);

interface Answer {
  readonly status: number;
  // biome-ignore lint/suspicious/noExplicitAny: an answer is whatever the service sent.
  readonly body: any;
}

export async function fill(url: string, userName = "admin"): Promise<Facts> {
  let token = "";
  const send = async (address: string, body?: unknown): Promise<Answer> => {
    const isForm = body instanceof FormData;
    const response = await fetch(url + address, {
      method: body === undefined ? "GET" : "POST",
      headers: { authorization: `Bearer ${token}`, ...(isForm ? {} : { "content-type": "application/json" }) },
      ...(body === undefined ? {} : { body: isForm ? body : JSON.stringify(body) }),
    });
    const text = await response.text();
    const answer = { status: response.status, body: text.startsWith("{") ? JSON.parse(text) : text };
    if (response.status >= 400) throw new Error(`${address}: ${response.status} ${text.slice(0, 500)}`);
    return answer;
  };
  const add = async (key: string, values: object): Promise<string> => {
    const name = key.split("/")[1] ?? "";
    const { body } = await send(`/${key}/add.json`, { data: { [name]: values, action: { save_progress: "Save" } } });
    return String(body.id);
  };
  const users = { user_name: userName, user_password: password };
  token = (await send("/access_controls/users/login.json", { data: { users } })).body.access_token;

  const company = (await send("/crm/companies/index.json?limit=1")).body.paginate.data[0]["companies.id"] as string;
  await send("/metadata/record_types/save.json", { definition: definition(before) });
  const names = ["Theodolite", "Größenmesser", "مقياس"];
  for (const [index, name] of names.entries()) {
    const values = {
      name,
      price: `${index}.50`,
      bought: `2026-01-0${index + 1}`,
      kind: "meter",
      room: `R${index}`,
      shelf: `${index}`,
    };
    await add("lab/instruments", { ...values, company_id: company });
  }
  const form = new FormData();
  const text = "Read me before use: äöü\n";
  for (const [key, value] of Object.entries({ name: "With a manual", room: "R9" }))
    form.append(`data[instruments][${key}]`, value);
  form.append("data[instruments][manual]", new Blob([text]), "manual.txt");
  form.append("data[action][save_progress]", "Save");
  const file = String((await send("/lab/instruments/add.json", form)).body.id);
  await send("/metadata/record_types/save.json", { definition: definition(after), discard: "room", convert: "shelf" });

  const stamp = { last_name: "Upgrade", company_name: "Kept Ltd.", email: "kept@example.com" };
  const lead = await add("crm/leads", stamp);
  const { body } = await send(`/crm/leads/view.json?id=${lead}`);
  const [transition] = body.workflow.transitions as { readonly name: string }[];
  const leads = { id: lead, revision: body.data.leads.revision, phone: "+49 30 1234567" };
  await send("/crm/leads/edit.json", { data: { leads, action: { [transition?.name ?? ""]: "1" } } });
  const comment = "Kept through every upgrade";
  await add("core/comments", { related_type: "crm/leads", related_id: lead, body: comment });
  const query = { fields: ["leads.name", "leads.status", "leads.owned_by"], order: ["leads.created DESC"] };
  const view = await add("core/listviews", {
    name: "Kept view",
    controller: "crm/leads",
    query: JSON.stringify(query),
  });
  const counts: Record<string, number> = {};
  for (const key of keys) {
    counts[key] = Number((await send(`/${key}/index.json?limit=1&track_open=0`)).body.paginate.total_count);
  }
  const instruments: Record<string, Record<string, unknown>> = {};
  for (const row of (await send("/lab/instruments/index.json?limit=50&track_open=0")).body.paginate.data) {
    const { data } = (await send(`/lab/instruments/view.json?id=${row["instruments.id"]}`)).body;
    const { name, price, bought, kind, company_id, shelf, manual } = data.instruments;
    instruments[name] = { price, bought, kind, company_id, shelf, manual: manual?.name ?? null };
  }
  const { body: moved } = await send(`/crm/leads/view.json?id=${lead}`);
  return {
    counts,
    instruments,
    file: { id: file, text },
    lead: { id: lead, stage: stageOf(moved), comment, view },
  };
}

/** Its key, which no rewording changes. */
export const stageOf = ({ workflow }: Answer["body"]): string =>
  workflow.stages.find(({ id }: { readonly id: string }) => id === workflow.stage)?.key;
