import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { type FailureCode, failures } from "../contract/failures.ts";
import { fieldTypeIds } from "../contract/field-types.ts";
import { english } from "../contract/texts/en/index.ts";
import { root } from "../server/lib/root.ts";

/** Files by their path from the root of the project, with `/` on every system. */
type Files = ReadonlyMap<string, string>;

/** The order of design.md: a folder imports those before it. Folders on one line are equals. */
const serverOrder: readonly (readonly string[])[] = [
  ["lib"],
  ["config"],
  ["database"],
  ["fields"],
  ["metadata"],
  ["modules"],
  ["labels"],
  ["request"],
  ["access"],
  ["mail", "files"],
  ["backup"],
  ["plan"],
  ["query"],
  ["forms"],
  ["workflow"],
  ["records"],
  ["imports"],
  ["jobs", "webhooks"],
  ["operations"],
  ["seed"],
  ["identity"],
  ["designs"],
  ["controllers"],
  ["doctor"],
  ["http"],
  ["prepare", "upkeep", "service", "workers", "main", "commands"],
];
const demoMayImport = ["access", "database", "fields", "identity", "metadata", "modules", "records", "seed"];
const MAX_LINES = 400;
/** What one still takes in at a glance. */
const MAX_FILES = 30;
const vagueNames = /^(utils?|helpers?|common|misc|shared)$|-(utils?|helpers?|misc)$/;

const isTest = (file: string): boolean => /\.test\.tsx?$/.test(file) || /(^|\/)(test|fixtures)(\/|-)/.test(file);
const isCode = (file: string): boolean => /\.(ts|tsx|mjs)$/.test(file) && !file.endsWith(".d.ts");

/** What a file imports, types included: the specifiers as they are written. */
function importsOf(text: string): string[] {
  const found: string[] = [];
  const statements = [
    /^(?:import|export)\b[^;'"]*?\bfrom\s*["']([^"']+)["']/gm,
    /^import\s*["']([^"']+)["']/gm,
    /\bimport\s*\(\s*["']([^"']+)["']/g,
  ];
  for (const statement of statements) for (const [, name = ""] of text.matchAll(statement)) found.push(name);
  return found;
}

/** From file to the files of ours that it imports. */
function importGraph(files: Files): Map<string, string[]> {
  const graph = new Map<string, string[]>();
  for (const [file, text] of files) {
    if (!isCode(file)) continue;
    const own = importsOf(text)
      .filter((name) => name.startsWith("."))
      .map((name) => path.posix.join(path.posix.dirname(file), name.replace(/\?.*$/, "")));
    graph.set(file, own);
  }
  return graph;
}

/** `server/http/app.ts` → http; `server/prepare.ts` → prepare. */
const partOf = (file: string): string => (file.split("/")[1] ?? "").replace(/\.ts$/, "");
const rankOf = (file: string): number => serverOrder.findIndex((parts) => parts.includes(partOf(file)));

function importFault(from: string, to: string): string | undefined {
  const [house = "", target = ""] = [from.split("/")[0], to.split("/")[0]];
  const fault = `${from} must not import ${to}`;
  if (target === "contract" && house !== "contract") return undefined;
  switch (house) {
    case "contract":
    case "client":
      return target === house ? undefined : fault;
    case "web":
      return target === "web" || target === "client" ? undefined : fault;
    case "demo":
      return target === "demo" || (target === "server" && demoMayImport.includes(partOf(to))) ? undefined : fault;
    case "server": {
      const last = serverOrder.length - 1;
      if (rankOf(from) === -1) return `${from} is in no folder of the import order`;
      // What starts the service also fills an empty one.
      if (target === "demo") return rankOf(from) === last ? undefined : fault;
      return target === "server" && rankOf(to) !== -1 && rankOf(to) <= rankOf(from) ? undefined : fault;
    }
    default:
      return undefined;
  }
}

const importFaults = (files: Files): string[] =>
  [...importGraph(files)]
    .filter(([file]) => !isTest(file))
    .flatMap(([file, imported]) =>
      imported.map((other) => importFault(file, other)).filter((fault) => fault !== undefined),
    );

/** Each circle once, from its first file in alphabetical order. */
function cycles(files: Files): string[] {
  const graph = importGraph(files);
  const found = new Set<string>();
  const done = new Set<string>();
  const visit = (file: string, trail: readonly string[]): void => {
    const at = trail.indexOf(file);
    if (at !== -1) {
      const circle = trail.slice(at);
      const start = circle.indexOf([...circle].sort()[0] ?? "");
      const turned = [...circle.slice(start), ...circle.slice(0, start)];
      found.add([...turned, turned[0]].join(" → "));
      return;
    }
    if (done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...trail, file]);
    done.add(file);
  };
  for (const file of [...graph.keys()].sort()) visit(file, []);
  return [...found];
}

const nameFaults = (files: Files): string[] =>
  [...files.keys()].filter((file) => file.split("/").some((part) => vagueNames.test(part.replace(/\..*$/, ""))));

const lengthFaults = (files: Files): string[] =>
  [...files]
    .filter(([file]) => /\.(ts|tsx|mjs|css|sql)$/.test(file) && !isTest(file))
    .map(([file, text]) => ({ file, lines: text.trimEnd().split("\n").length }))
    .filter(({ lines }) => lines > MAX_LINES)
    .map(({ file, lines }) => `${file} has ${lines} lines`);

const roomFaults = (files: Files): string[] => {
  const rooms = new Map<string, number>();
  for (const file of files.keys()) {
    const room = path.posix.dirname(file);
    // Migrations only ever become more, and are read by their numbers.
    if (room !== "server/database/migrations") rooms.set(room, (rooms.get(room) ?? 0) + 1);
  }
  return [...rooms].filter(([, count]) => count > MAX_FILES).map(([room, count]) => `${room} has ${count} files`);
};

const ids = fieldTypeIds.join("|");
/** Ids that mean nothing but a field type, whatever they are held against. */
const ownIds = fieldTypeIds.filter((id) => id.includes("-") || ["money", "percent", "decimal", "flag"].includes(id));
/** `type`, `field.type`, `column.field?.type`, `type.id`: the type of a field, however one came by it. */
const asked = String.raw`(?<![\w$.])(?:[\w$]+\s*(?:\?\.|!\.|\.)\s*)*type(?:\.id)?(?![\w$(])`;
const literal = (names: string): string => `["'](?:${names})["']`;

/** The ways to ask for a field's type by its name. */
const typeQuestions: readonly RegExp[] = [
  String.raw`${asked}\s*[!=]==?\s*${literal(ids)}`,
  String.raw`${literal(ids)}\s*[!=]==?\s*${asked}`,
  String.raw`[!=]==?\s*${literal(ownIds.join("|"))}|${literal(ownIds.join("|"))}\s*[!=]==`,
  String.raw`\bcase\s*${literal(ownIds.join("|"))}\s*:`,
  String.raw`\bswitch\s*\(\s*${asked}\s*\)[^}]*\bcase\s*${literal(ids)}`,
  String.raw`\bswitch\s*\(\s*(?:[\w$]+\s*(?:\?\.|!\.|\.)\s*)*[\w$]*[fF]ield[\w$]*\s*(?:\?\.|!\.|\.)\s*type\s*\)`,
  // A list, set or map of types, where it is made or where it is asked.
  String.raw`${literal(ids)}[^\]()]*\]\s*\)?\s*\.(?:includes|indexOf|has)\(`,
  String.raw`\b(?!fieldTypes\b|types\b)[\w$]+(?:\?\.)?\[\s*${asked}\s*\]`,
  String.raw`\b(?:Readonly)?(?:Record|Map|Set)<\s*FieldTypeId\b|\bin FieldTypeId\b`,
  String.raw`["'](?:${ownIds.filter((id) => id.includes("-")).join("|")})["']\s*:`,
  // What a form draws a field by follows from its type.
  String.raw`\.template\s*[!=]==?\s*["'](?:input|textarea|checkbox|select|date|reference|address|upload|map)["']`,
].map((pattern) => new RegExp(pattern, "u"));

/** A file of a type, or the list of them; not what they are made of. */
const isRegistry = (file: string): boolean => /^(?:server|web)\/fields\/[^/]+$/.test(file);

const typeFaults = (files: Files): string[] =>
  [...files]
    // Words are by type; the contract lists the types.
    .filter(([file]) => isCode(file) && !isTest(file) && !isRegistry(file) && !/^(?:web\/texts|bench)\//.test(file))
    .flatMap(([file, text]) => {
      const found = typeQuestions.map((question) => question.exec(text)?.[0]).find((match) => match !== undefined);
      return found === undefined ? [] : [`${file}: ${found.replace(/\s+/g, " ").slice(0, 80)}`];
    });

/** Reads or writes a number, date or time by the machine's own habits instead of the reader's. */
const habits =
  /\bIntl\.(?:DateTime|Number|RelativeTime)Format\b|\.toLocale(?:Date|Time)?String\(|\.get(?:Hours|Minutes|Date|Day|Month|FullYear|TimezoneOffset)\(/;
const mayKnowHabits = [
  "contract/formats.ts",
  "contract/zones.ts",
  // How the reader's locale writes is learned to read what they paste.
  "web/fields/reading/read-day.ts",
  "web/fields/reading/read-number.ts",
  // Nobody is signed in yet: the browser's own zone and clock are what is proposed.
  "web/fields/formats.ts",
  "web/screens/auth/signup-draft.ts",
];

const habitFaults = (files: Files): string[] =>
  [...files]
    .filter(([file]) => /^(web|client|contract)\//.test(file) && isCode(file) && !isTest(file))
    .filter(([file, text]) => !mayKnowHabits.includes(file) && habits.test(text))
    .map(([file]) => file);

/** Vitest's own waits give up after a second: on a busy machine that is late, not wrong. expect.poll and test/until.ts have patience. */
const waitFaults = (files: Files): string[] =>
  [...files]
    .filter(([file, text]) => isTest(file) && file !== "test/until.ts" && /\bvi\.wait(For|Until)\(/.test(text))
    .map(([file]) => file);

/** Where a request is understood and answered, nothing is asked of the database by hand. */
const statementFaults = (files: Files): string[] =>
  [...files]
    .filter(([file, text]) => /^server\/(operations|http)\//.test(file) && !isTest(file) && /\bsql`/.test(text))
    .map(([file]) => file);

const MOST_HOPS = 16;

/** The walks of a page: by their headings, the file of each numbered line. */
function walksOf(page: string): Map<string, string[]> {
  const walks = new Map<string, string[]>();
  const [, journey = ""] = page.split(/^## One request's journey$/m);
  const [own = ""] = journey.split(/^## /m);
  for (const part of own.split(/^### /m).slice(1)) {
    const [heading = ""] = part.split("\n");
    walks.set(
      heading,
      [...part.matchAll(/^\d+\. `([^`]+)`/gm)].map(([, file = ""]) => file),
    );
  }
  return walks;
}

/** What of a walk is not so: files that are not there, or that no hop before them leads to. */
function walkFaults(walk: readonly string[], files: Files): string[] {
  const graph = importGraph(files);
  const table = graph.get("server/operations/index.ts") ?? [];
  const leadsTo = (from: string, to: string): boolean =>
    (graph.get(from) ?? []).includes(to) || (from === "server/http/dispatch.ts" && table.includes(to));
  const faults = walk.flatMap((file, index) => {
    if (!files.has(file)) return [`${file} is not there`];
    const isReached = index === 0 || walk.slice(0, index).some((earlier) => leadsTo(earlier, file));
    return isReached ? [] : [`no hop before ${file} leads to it`];
  });
  return walk.length > MOST_HOPS ? [...faults, `${walk.length} hops are more than ${MOST_HOPS}`] : faults;
}

const commentFaults = (files: Files): string[] =>
  [...files]
    .filter(([file]) => /^(server|client|contract)\/.*\.(ts|sql)$/.test(file) && !isTest(file))
    .filter(([, text]) => !/^(\/\/ |\/\*|-- )\S/.test(text))
    .map(([file]) => file);

/** Names that decide who may do what, and where they stand: whoever needs the answer elsewhere asks server/access/ for it. */
interface KeptName {
  readonly what: string;
  readonly name: RegExp;
  /** Folders (with a slash at the end) and files, each with what it does with the name. */
  readonly places: Readonly<Record<string, string>>;
}

const keptNames: readonly KeptName[] = [
  {
    what: "the columns of access sets",
    name: /\b(?:_acl|_acl_tmp|_acl_edit|_acl_delete|_acl_comment|_acl_tmp_edit|_acl_tmp_delete)\b|\breaders\s*(?:&&|@>|<@)|\.readers\b/,
    places: {
      "server/access/rule.ts": "the rule",
      "server/access/acl.ts": "works the sets out",
      "server/access/acl-sets.ts": "writes them",
      "server/access/acl-directory.ts": "reads them into memory, and tells the columns of a row",
    },
  },
  {
    what: "the rule's own parts",
    name: /\b(?:ruleOf|permitOf|roleAllows|isHeldBack|AclColumn)\b/,
    places: {
      "server/access/rule.ts": "the rule",
      "server/access/matrix.ts": "the failures of the role matrix",
      "server/access/visibility.ts": "as SQL for a caller",
      "server/access/acl-directory.ts": "in memory",
      "server/access/readers.ts": "as SQL for whoever it may be",
      "server/access/crowd/crowd.ts": "in memory, for everybody at once",
    },
  },
  {
    what: "the making of what a caller may read",
    name: /\breadableText\s*[:,]/,
    places: {
      "server/access/acl-directory.ts": "from the rule and the sets",
    },
  },
  {
    what: "which types are confidential",
    name: /\.confidential\b|\bconfidential\s*[,}]/,
    places: {
      "server/access/rule.ts": "the rule",
      "server/metadata/": "what a type is",
      "server/records/save/recipes.ts": "names what a record is about in its recipe",
      "server/identity/role-hooks.ts": "refuses a policy that opens what the service tells one person",
      "server/records/save/followers.ts": "brings recipes along when a type becomes confidential",
      "server/records/save/hand-over-all.ts": "leaves what is nobody else's with whoever leaves",
      "server/records/workflow/notify-actors.ts": "tells of such a record only those who may read it",
    },
  },
  {
    what: "being an administrator",
    name: /\bisAdministrator\b/,
    places: {
      "server/access/": "the rule, the field mask, and who a caller is",
      "server/plan/column-fixture.ts": "callers for tests",
      "server/http/test-app.ts": "callers for tests",
      "server/modules/access_controls/standard-roles.ts": "the roles that ship",
      "server/identity/": "who administers accounts, sessions and invitations",
      "server/controllers/metadata/record-types.ts": "who designs record types",
      "server/designs/read-stored.ts": "roles that are written to files",
      "server/controllers/core/comment-hooks.ts": "who moderates comments that it may read",
      "server/controllers/core/listview-hooks.ts": "who makes a view everybody's default",
      "server/controllers/core/operations/move-records.ts": "who moves records to another workflow version",
      "server/jobs/kinds.ts": "the same, in a job",
      "server/webhooks/webhook.ts": "who lets a webhook act as somebody else",
      "server/records/read/present-view.ts": "who is offered to purge",
      "server/records/save/delete-record.ts": "who purges",
      "server/operations/index-records.ts": "part of an ETag",
      "server/forms/find-form.ts": "part of a cache key",
      "server/forms/compile-form.ts": "whom a form's own levels do not bind",
      "server/controllers/metadata/openapi/openapi.ts": "describes to administrators what only they can call",
    },
  },
  {
    what: "the making of a caller",
    name: /\bisAdministrator:|\.\.\.(?:\w+\.)*caller\b|\.\.\.person\b/,
    places: {
      "server/access/elevate.ts": "with other rights, for a reason",
      "server/access/caller.ts": "what one is",
      "server/access/read-caller.ts": "from the database",
      "server/access/authenticate.ts": "with the credential that it showed",
      "server/access/spoken-language.ts": "the same, in another language",
      "server/jobs/runner.ts": "whoever started a job, with the rights of this moment",
      "server/records/workflow/message-readers.ts": "whoever a message is for, with its own rights",
      "server/records/read/names-for-readers.ts": "the same",
      "server/identity/consequences/people.ts": "everybody as they would be, to count what they would see",
      "server/plan/column-fixture.ts": "for tests",
      "server/http/test-app.ts": "for tests",
      "server/modules/access_controls/standard-roles.ts": "roles, not callers",
      "server/designs/read-stored.ts": "the same",
      "server/commands/design.ts": "an administrator with its own rights, for whoever runs the service",
    },
  },
];

const codeOf = (text: string): string => text.replace(/^\s*(?:\/\/|\/?\*).*$/gmu, "");

const keptFaults = (files: Files, kept: KeptName): string[] =>
  [...files]
    .filter(([file]) => file.startsWith("server/") && isCode(file) && !isTest(file))
    .filter(
      ([file]) =>
        !Object.keys(kept.places).some((place) => file === place || (place.endsWith("/") && file.startsWith(place))),
    )
    .filter(([, text]) => kept.name.test(codeOf(text)))
    .map(([file]) => file);

/** Places that no longer need their permission. */
const idlePlaces = (files: Files, { name, places }: KeptName): string[] =>
  Object.keys(places).filter(
    (place) => ![...files].some(([file, text]) => file.startsWith(place) && name.test(codeOf(text))),
  );

function readTree(): Files {
  const files = new Map<string, string>();
  for (const folder of ["bench", "cli", "client", "contract", "demo", "server", "test", "web"]) {
    for (const entry of readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })) {
      const full = path.join(entry.parentPath, entry.name);
      const name = path.relative(root, full).split(path.sep).join("/");
      if (!entry.isFile() || name.includes("node_modules/")) continue;
      files.set(name, readFileSync(full, "utf8"));
    }
  }
  return files;
}

const tree = readTree();

describe("the tree", () => {
  test("is imported in the order of the design, from the inside out", () => expect(importFaults(tree)).toEqual([]));
  test("has no circle of imports, types included", () => expect(cycles(tree)).toEqual([]));
  test("has no file or folder whose name says nothing", () => expect(nameFaults(tree)).toEqual([]));
  test("has no file that is too long to read", () => expect(lengthFaults(tree)).toEqual([]));
  test("has no folder with more files than one takes in", () => expect(roomFaults(tree)).toEqual([]));
  test("writes numbers, dates and times by the reader's profile alone", () => expect(habitFaults(tree)).toEqual([]));
  test("asks for the type of a field in the registries alone", () => expect(typeFaults(tree)).toEqual([]));
  test.each(keptNames)("keeps $what where the access rule is kept", (kept) => {
    expect(keptFaults(tree, kept)).toEqual([]);
    expect(idlePlaces(tree, kept)).toEqual([]);
  });
  test("waits by expect.poll, and in hooks by until", () => expect(waitFaults(tree)).toEqual([]));
  test("opens every file with what it is", () => expect(commentFaults(tree)).toEqual([]));
  test("writes no statement where requests are understood and answered", () =>
    expect(statementFaults(tree)).toEqual([]));
  test("has the walks that ARCHITECTURE.md tells of, file by file", () => {
    const walks = walksOf(readFileSync(path.join(root, "ARCHITECTURE.md"), "utf8"));
    expect(walks.size).toBe(3);
    for (const [heading, walk] of walks) {
      expect(walk.length, heading).toBeGreaterThan(10);
      expect(walkFaults(walk, tree), heading).toEqual([]);
    }
  });
  test("imports only files that are there", () => {
    const missing = [...importGraph(tree)]
      .filter(([file]) => !isTest(file))
      .flatMap(([file, imported]) =>
        imported
          .filter((other) => !tree.has(other) && !other.startsWith("dist/"))
          .map((other) => `${file} imports ${other}`),
      );
    expect(missing).toEqual([]);
  });
});

describe("the checker", () => {
  const files = (entries: Record<string, string>): Files => new Map(Object.entries(entries));

  test("sees every way to import", () => {
    const text = [
      'import a from "./a.ts";',
      'import type { B } from "./b.ts";',
      "import {\n  c,\n  type D,\n} from './c.ts';",
      'import "./d.css";',
      'export { e } from "./e.ts";',
      'export * from "./f.ts";',
      'const g = await import("./g.ts");',
      'type H = import("./h.ts").H;',
      '// import x from "./not-this.ts"',
    ].join("\n");
    expect(importsOf(text).sort()).toEqual(
      ["a.ts", "b.ts", "c.ts", "d.css", "e.ts", "f.ts", "g.ts", "h.ts"].map((name) => `./${name}`),
    );
  });

  const refused: readonly { what: string; file: string; imports: string }[] = [
    { what: "a lower folder that imports a higher one", file: "server/metadata/a.ts", imports: "../access/b.ts" },
    { what: "the same for a type", file: "server/lib/a.ts", imports: "../config.ts" },
    { what: "a folder that imports the start", file: "server/http/a.ts", imports: "../prepare.ts" },
    { what: "a folder that nobody knows", file: "server/things/a.ts", imports: "../lib/b.ts" },
    { what: "the server importing the web app", file: "server/http/a.ts", imports: "../../web/b.ts" },
    { what: "an operation importing the demo", file: "server/operations/a.ts", imports: "../../demo/b.ts" },
    { what: "the contract importing anything", file: "contract/a.ts", imports: "../server/lib/b.ts" },
    { what: "the client importing the server", file: "client/a.ts", imports: "../server/lib/b.ts" },
    { what: "the web app importing the server", file: "web/parts/a.tsx", imports: "../../server/fields/b.ts" },
    { what: "the demo importing the HTTP layer", file: "demo/a.ts", imports: "../server/http/b.ts" },
  ];
  test.each(refused)("refuses $what", ({ file, imports }) => {
    expect(importFaults(files({ [file]: `import type { B } from "${imports}";` }))).toHaveLength(1);
  });

  const accepted: readonly { what: string; file: string; imports: string }[] = [
    { what: "its own folder", file: "server/http/a.ts", imports: "./b.ts" },
    { what: "a folder before it", file: "server/http/a.ts", imports: "../lib/b.ts" },
    { what: "an equal", file: "server/mail/a.ts", imports: "../files/b.ts" },
    { what: "the contract, from anywhere", file: "web/fields/a.tsx", imports: "../../contract/b.ts" },
    { what: "the client, from the web app", file: "web/a.ts", imports: "../client/b.ts" },
    { what: "the demo, from the start", file: "server/service.ts", imports: "../demo/b.ts" },
    { what: "anything, from a test", file: "server/lib/a.test.ts", imports: "../http/b.ts" },
  ];
  test.each(accepted)("lets a file import $what", ({ file, imports }) => {
    expect(importFaults(files({ [file]: `import { b } from "${imports}";` }))).toEqual([]);
  });

  test("finds circles, through types and over several files, and each once", () => {
    const circle = files({
      "server/a.ts": 'import type { B } from "./b.ts";',
      "server/b.ts": 'export * from "./c.ts";',
      "server/c.ts": 'import { a } from "./a.ts";\nimport "./d.ts";',
      "server/d.ts": "",
      "server/e.ts": 'import { a } from "./a.ts";',
      "server/f.ts": 'import { f } from "./f.ts";',
    });
    expect(cycles(circle)).toEqual([
      "server/a.ts → server/b.ts → server/c.ts → server/a.ts",
      "server/f.ts → server/f.ts",
    ]);
  });

  test("finds names that say nothing", () => {
    const named = files({
      "server/utils/a.ts": "",
      "web/parts/helpers.ts": "",
      "client/date-utils.ts": "",
      "server/common.test.ts": "",
      "server/seed/shared-data.ts": "",
      "web/parts/commons.ts": "",
    });
    expect(nameFaults(named)).toEqual([
      "server/utils/a.ts",
      "web/parts/helpers.ts",
      "client/date-utils.ts",
      "server/common.test.ts",
    ]);
  });

  test("finds files that are too long, tests aside", () => {
    const long = "line\n".repeat(MAX_LINES + 1);
    const fits = "line\n".repeat(MAX_LINES);
    const lengths = { "server/a.ts": long, "server/b.ts": fits, "server/a.test.ts": long };
    expect(lengthFaults(files(lengths))).toEqual(["server/a.ts has 401 lines"]);
  });

  test("finds folders with too many files", () => {
    const names = (folder: string, count: number) =>
      Array.from({ length: count }, (_, at): [string, string] => [`${folder}/${at}.ts`, ""]);
    const crowd = [...names("server/a", MAX_FILES + 1), ...names("server/b", MAX_FILES), ...names("server/b/c", 1)];
    expect(roomFaults(new Map(crowd))).toEqual(["server/a has 31 files"]);
  });

  test.each([
    "switch (field.type) {}",
    "switch (column.field?.type) {}",
    'switch (type) { case "date": break; }',
    'switch (type.id) { case "date": break; }',
    'switch (kind) { case "geo-point": break; }',
    'const isMoney = field?.type === "money";',
    'if (type !== "choice") return;',
    'own.type === "date"',
    '"reference" === field.type',
    "field.type === 'email'",
    'type.id === "reference"',
    'fields.filter(({ type: kind }) => kind === "percent")',
    '["choice", "flag"].includes(field.type)',
    '["email"].includes(type)',
    'new Set(["json", "file"]).has(field.type)',
    "const width = widths[header.type];",
    "const shown = labels?.[field!.type];",
    "const widths: Partial<Record<FieldTypeId, number>> = {};",
    "const long: ReadonlySet<FieldTypeId> = new Set([]);",
    "type Widths = { [type in FieldTypeId]?: number };",
    'const widths = { "long-text": 320 };',
    'element.template === "upload"',
  ])("finds a question for the type of a field: %s", (text) => {
    const found = typeFaults(files({ "web/views/a.tsx": text, "server/plan/b.ts": text, "server/fields/c.ts": text }));
    expect(found.map((fault) => fault.split(":")[0])).toEqual(["web/views/a.tsx", "server/plan/b.ts"]);
  });

  test.each([
    "switch (action.type) {}",
    "fieldTypes[field.type].isNumeric",
    'const draft = { name: "name", type: "short-text" };',
    'sqlType === "date"',
    'kind === "file"',
    'fieldTypes[element.type ?? "short-text"]',
    'entry.type === "added"',
    'element.template === "grid"',
    "snapshot.types.get(field.type)",
  ])("lets pass what asks for no field's type: %s", (text) => {
    expect(typeFaults(files({ "web/views/a.tsx": text }))).toEqual([]);
  });

  test("finds dates and numbers that are written by the machine's habits", () => {
    const texts = {
      "web/a.tsx": "new Date().toLocaleDateString()",
      "web/b.tsx": "new Intl.DateTimeFormat(undefined)",
      "web/c.ts": "date.getHours()",
      "web/d.ts": "count.toLocaleString()",
      "web/e.ts": "date.getTimezoneOffset() * 60",
      "web/f.ts": "date.getUTCHours() + text.toLocaleLowerCase()",
      "web/g.test.ts": "date.getHours()",
    };
    const found = ["a.tsx", "b.tsx", "c.ts", "d.ts", "e.ts"].map((name) => `web/${name}`);
    expect(habitFaults(files(texts))).toEqual(found);
  });

  test("finds waits that give up early", () => {
    const found = (text: string) => waitFaults(files({ "server/a.test.ts": text, "server/a.ts": text }));
    expect(found(["await vi.", "waitFor(look)"].join(""))).toEqual(["server/a.test.ts"]);
    expect(found("await expect.poll(look).toBe(1)")).toEqual([]);
  });

  test("finds access that is decided or raised somewhere else", () => {
    const found = (text: string) =>
      keptNames.flatMap((kept) =>
        keptFaults(files({ "server/records/a.ts": text }), kept).length > 0 ? [kept.what] : [],
      );
    expect(found("where s.readers && mine")).toEqual(["the columns of access sets"]);
    expect(found("sql`_acl_tmp_edit || _acl_edit`")).toEqual(["the columns of access sets"]);
    expect(found("if (type.confidential) return;")).toEqual(["which types are confidential"]);
    expect(found("const { confidential } = type;")).toEqual(["which types are confidential"]);
    expect(found("if (caller.isAdministrator) return;")).toEqual(["being an administrator"]);
    expect(found("const boss = { ...work.caller, roles: [] };")).toEqual(["the making of a caller"]);
    expect(found("x({ isAdministrator: true })")).toEqual(["being an administrator", "the making of a caller"]);
    expect(found("ruleOf(type, right)")).toEqual(["the rule's own parts"]);
    expect(found("// confidential, isAdministrator\nconst readers = await usersWhoRead();")).toEqual([]);
  });

  test("finds statements that are written by hand", () => {
    const texts = {
      "server/operations/a.ts": "db.row(sql`select 1`)",
      "server/http/b.ts": "db.row(found(caller))",
      "server/query/c.ts": "sql`select 1`",
    };
    expect(statementFaults(files(texts))).toEqual(["server/operations/a.ts"]);
  });

  test("reads the walks of a page, and finds what is not so", () => {
    const page =
      "## One request's journey\n\n### A list\n\n1. `a.ts` does.\n2. `b.ts`, and `x.ts`.\n\n## More\n\n1. `c.ts`\n";
    expect([...walksOf(page)]).toEqual([["A list", ["a.ts", "b.ts"]]]);
    const walked = files({
      "server/http/dispatch.ts": 'import "./a.ts";',
      "server/http/a.ts": 'import "./b.ts";',
      "server/http/b.ts": "",
      "server/operations/index.ts": 'import "./c.ts";',
      "server/operations/c.ts": "",
      "server/operations/d.ts": "",
    });
    const dispatch = "server/http/dispatch.ts";
    const good = [dispatch, "server/http/a.ts", "server/operations/c.ts", "server/http/b.ts"];
    expect(walkFaults(good, walked)).toEqual([]);
    expect(walkFaults([dispatch, "server/http/b.ts"], walked)).toEqual(["no hop before server/http/b.ts leads to it"]);
    expect(walkFaults([dispatch, "server/operations/d.ts"], walked)).toHaveLength(1);
    expect(walkFaults([dispatch, "server/http/gone.ts"], walked)).toEqual(["server/http/gone.ts is not there"]);
    expect(
      walkFaults(
        Array.from({ length: 17 }, () => dispatch),
        files({ [dispatch]: 'import "./dispatch.ts";' }),
      ),
    ).toEqual(["17 hops are more than 16"]);
  });

  test("finds files that do not say what they are", () => {
    const openings = {
      "server/lib/a.ts": "import x from 'x';",
      "server/lib/b.ts": "// Gives x.",
      "server/lib/c.ts": "//\nimport x from 'x';",
      "server/database/migrations/d.sql": "-- What is kept.",
      "client/a.test.ts": "import x from 'x';",
    };
    expect(commentFaults(files(openings))).toEqual(["server/lib/a.ts", "server/lib/c.ts"]);
  });
});

describe("docs/api.md", () => {
  /** `| code | status | message |`: the rows of that table, whatever else the page holds. */
  const documented = (page: string): Map<string, { status: string; message: string }> => {
    const [, ...rest] = page.split(/^\|\s*code\s*\|\s*status\s*\|\s*message\s*\|\s*$/im);
    const rows = new Map<string, { status: string; message: string }>();
    for (const line of (rest[0] ?? "").trimStart().split("\n")) {
      if (!line.startsWith("|")) break;
      const [, code = "", status = "", message = ""] = line.split(/(?<!\\)\|/).map((cell) => cell.trim());
      if (!/^:?-+:?$/.test(code))
        rows.set(code.replaceAll("`", ""), { status, message: message.replaceAll("\\|", "|") });
    }
    return rows;
  };

  test("lists every failure with its status and its words, and no other", () => {
    const page = readFileSync(path.join(root, "docs/api.md"), "utf8");
    const told = Object.fromEntries(documented(page));
    const real = Object.fromEntries(
      Object.entries(failures).map(([code, { status }]) => [
        code,
        { status: String(status), message: english[code as FailureCode] },
      ]),
    );
    expect(told).toEqual(real);
  });

  test("is read right", () => {
    const page =
      "| code | status | message |\n|---|---|---|\n| `a` | 400 | x \\| y |\n| b | 500 | z |\n\n| c | 1 | no |\n";
    expect([...documented(page)]).toEqual([
      ["a", { status: "400", message: "x | y" }],
      ["b", { status: "500", message: "z" }],
    ]);
    expect(documented("nothing here").size).toBe(0);
  });
});

describe("sentences", () => {
  const raw =
    /\breason(?::| =) *(?:\w+ \? *)?["`][^"`]* |\berrors: \[["`]|\{ (?!message|order)\w+: \[["`][^"`]* [^"`]*["`]\] \}|\["[\w.]+"\] \?*= \[["`]/u;
  const spoken = (text: string): string[] => text.split("\n").filter((line) => raw.test(line));

  test("are said by their code, never written where something fails", () => {
    const found = [...tree].filter(
      ([file, text]) => file.startsWith("server/") && !isTest(file) && spoken(text).length > 0,
    );
    expect(found.map(([file, text]) => `${file}: ${spoken(text)[0]}`)).toEqual([]);
  });

  test("have a code of their own each", () => {
    const codes = [...tree].flatMap(([file, text]) =>
      file.startsWith("contract/texts/en/") ? [...text.matchAll(/^ {2}(\w+):/gmu)].map(([, code = ""]) => code) : [],
    );
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
    expect(codes.length).toBe(Object.keys(english).length);
  });

  test("are found", () => {
    expect(spoken('throw new Failure("conflict", { with: { reason: "It is not so" } });')).toHaveLength(1);
    expect(spoken("const reason = `no such field`;")).toHaveLength(1);
    expect(spoken('return { name: ["Name is odd"] };')).toHaveLength(1);
    expect(spoken('byField["users.token"] = ["It is over"];')).toHaveLength(1);
    expect(spoken('with: { reason: say("record_gone") }, methods: ["GET"], kind: "record"')).toEqual([]);
  });
});
