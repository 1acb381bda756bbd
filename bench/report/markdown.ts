// Takes the results of all sections; gives the readable page. Every figure stands beside what it is compared with.
import type { Side, Spread } from "../load/figures.ts";
import type { BesideWrites, Machine, ResultFile, ResultRow } from "./result.ts";

const rate = (value: number): string => (value < 10 ? value.toFixed(1) : Math.round(value).toLocaleString("en"));
const ms = (value: number): string => (value < 10 ? value.toFixed(1) : value.toFixed(0));
const times = (value: number): string => (value < 10 ? value.toFixed(2) : value.toFixed(1));
const ratio = (value: Spread | undefined): string =>
  value ? `**${times(value.median)}** (${times(value.low)}–${times(value.high)})` : "–";

const table = (header: readonly string[], rows: readonly (readonly string[])[]): string =>
  [header, header.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

const machineLine = (machine: Machine): string =>
  `${machine.processor}, ${machine.cores} cores, ${machine.memory} GiB, ${machine.system}; Node ${machine.node}, PostgreSQL ${machine.postgres}, ${machine.pgbench}`;

const failures = (row: ResultRow): number =>
  [row.service, row.reference, ...row.besideWrites.flatMap(({ service, write }) => [service, write])].reduce(
    (sum, side) => sum + (side?.errors ?? 0),
    0,
  );

const latency = ({ p50, p95, p99 }: Side): string => `${ms(p50)} / ${ms(p95)} / ${ms(p99)}`;

function besideCells(one: BesideWrites | undefined): string[] {
  if (!one) return ["–", "–", "–", "–"];
  const { service, ofQuiet, write } = one;
  return [rate(service.perSecond.median), ratio(ofQuiet), latency(service), latency(write)];
}

function rowsTable(file: ResultFile): string {
  const rates = [...new Set(file.rows.flatMap(({ besideWrites }) => besideWrites.map((one) => one.rate)))];
  const header = [
    "request",
    "caller",
    "per second",
    "p50 / p95 / p99 ms",
    "CPU ms",
    "compared with",
    "per second",
    "ratio",
    ...rates.flatMap((count) => [`with ${count} writes/s`, "of quiet", "p50 / p95 / p99 ms", "a write, ms"]),
    "errors",
  ];
  const rows = file.rows.map((row) => [
    row.name,
    row.caller,
    rate(row.service.perSecond.median),
    latency(row.service),
    row.service.cpu === undefined ? "–" : row.service.cpu.toFixed(2),
    row.reference?.what ?? "–",
    row.reference ? rate(row.reference.perSecond.median) : "–",
    ratio(row.ratio),
    ...rates.flatMap((count) => besideCells(row.besideWrites.find((one) => one.rate === count))),
    String(failures(row)),
  ]);
  return table(header, rows);
}

const errorLines = ({ rows }: ResultFile): string[] =>
  rows.flatMap((row) => {
    const sides = [row.service, row.reference, ...row.besideWrites.flatMap(({ service, write }) => [service, write])];
    const told = new Set(sides.flatMap((side) => side?.error ?? []));
    return [...told].map((error) => `- ${row.name}, ${row.caller}: \`${error.replace(/\s+/g, " ").slice(0, 200)}\``);
  });

/** On a busy machine one process waits longer for its turn than the sixteen of pgbench: ratios then say too little of us. */
const busyNote = ({ loadBefore, machine }: ResultFile): string[] =>
  loadBefore > machine.cores
    ? [
        `**Measured on a busy machine** (load ${loadBefore.toFixed(1)} on ${machine.cores} cores). A service of one process is starved more than pgbench with a process per connection: rates and ratios are too low. Measure again on a quiet machine before drawing conclusions.`,
      ]
    : [];

function section(file: ResultFile): string {
  const measured = [
    `Commit ${file.commit}, ${file.date.slice(0, 10)}`,
    `${file.rounds} rounds of ${file.seconds} s in turns, ${file.connections} connections, seed ${file.seed}`,
    `load of the machine before: ${file.loadBefore.toFixed(1)}`,
    ...(file.memory === undefined ? [] : [`service at its peak: ${file.memory.toFixed(0)} MiB`]),
    ...(file.ceiling
      ? [`the load generator against a constant body of ${file.ceiling.bytes} bytes: ${rate(file.ceiling.perSecond)}/s`]
      : []),
  ];
  const facts = file.facts.map(({ name, value, unit, note = "" }) => [name, `${times(value)} ${unit}`, note]);
  const errors = errorLines(file);
  return [
    `## ${file.section}, ${file.size}`,
    `${measured.join("; ")}.`,
    ...busyNote(file),
    ...(file.rows.length > 0 ? [rowsTable(file)] : []),
    ...(facts.length > 0 ? [table(["what", "figure", ""], facts)] : []),
    ...(errors.length > 0 ? [`Errors:\n\n${errors.join("\n")}`] : []),
    ...(file.notes.length > 0 ? [file.notes.map((note) => `- ${note}`).join("\n")] : []),
  ].join("\n\n");
}

/** How each row goes with the size of the table: the curve of a section that was measured at several. */
function growth(files: readonly ResultFile[]): string[] {
  const names = [...new Set(files.filter(({ rows }) => rows.length > 0).map(({ section: name }) => name))];
  return names.flatMap((name) => {
    const sized = files.filter((file) => file.section === name);
    const [largest] = sized.slice(-1);
    if (sized.length < 2 || !largest) return [];
    const rows = largest.rows.map((row) => [
      row.name,
      row.caller,
      ...sized.flatMap((file) => {
        const same = file.rows.find((one) => one.name === row.name && one.caller === row.caller);
        return same ? [rate(same.service.perSecond.median), ms(same.service.p95), ratio(same.ratio)] : ["–", "–", "–"];
      }),
    ]);
    const header = sized.flatMap(({ size }) => [`${size}, per second`, "p95 ms", "ratio"]);
    return [`## ${name} by size`, table(["request", "caller", ...header], rows)];
  });
}

const introduction = `# Benchmark results

Written by \`npm run bench\`; each section as it was last measured. Ratios are what counts: both sides ran in turns on the same
machine and the same data, and whatever else the machine did fell on both. A ratio is the median of the rounds, with the lowest and
the highest beside it. "Varied" traffic comes from a seeded generator: each request asks for something else.

- **pgbench** runs the lean statements of the same request on as many connections: prepared, the same distribution of pages, sorts,
  filters and words, no counts, no access lookups beyond the caller's list of sets, no answer to write. For adds and edits it runs the
  statements that the service itself was seen to send, in one transaction.
- **bare service** is Fastify and a pool of \`pg\` connections that sends the statements the service was seen to send for the same
  record, and answers their rows.
- **CPU ms** is the processor time of the service's process for one answer; PostgreSQL's is not in it.
- **with n writes/s** repeats the round while n leads per second are edited (four of five) or added in the same organization.
- "same page again and again, nobody writes" is the old figure: what a cache makes of it, not what people do.`;

export function writeMarkdown(files: readonly ResultFile[]): string {
  const machines = [...new Set(files.map(({ machine }) => machineLine(machine)))];
  return `${[introduction, ...machines, ...files.map(section), ...growth(files)].join("\n\n")}\n`;
}
