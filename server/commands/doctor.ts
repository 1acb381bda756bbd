// `dossier doctor`: takes the settings; looks at the machine, the database and the queues, says what it finds, and gives the code to
// end with. Changes nothing.
import { openConnection } from "../backup/connection.ts";
import { reachDatabase } from "../backup/reach-database.ts";
import { readConfig } from "../config.ts";
import { openDatabase } from "../database/database.ts";
import { error, exitCodeOf, type Finding } from "../doctor/finding.ts";
import { checkMachine, checkService } from "../doctor/run-checks.ts";

const marks = { fine: "ok     ", warning: "WARNING", error: "ERROR  " } as const;

export async function doctorCommand(
  source: Readonly<Record<string, string | undefined>>,
  words: readonly string[],
  out: (line: string) => void = console.log,
): Promise<0 | 1 | 2> {
  const quiet = words.includes("--quiet");
  const [strange] = words.filter((word) => word !== "--quiet");
  if (strange !== undefined) throw new Error(`There is no option ${strange}.\nUsage: dossier doctor [--quiet]`);
  const findings = await examine(source);
  for (const { level, about, sentence } of findings)
    if (level !== "fine" || !quiet) out(`${marks[level]} ${about.padEnd(12)} ${sentence}`);
  const counts = (["error", "warning"] as const).map((level) => findings.filter((one) => one.level === level).length);
  if (!quiet) out(`\n${findings.length} checks: ${counts[0]} errors, ${counts[1]} warnings.`);
  return exitCodeOf(findings);
}

async function examine(source: Readonly<Record<string, string | undefined>>): Promise<Finding[]> {
  let config: ReturnType<typeof readConfig>;
  try {
    config = readConfig(source);
  } catch (fault) {
    return [error("Settings", fault instanceof Error ? fault.message : String(fault))];
  }
  const machine = checkMachine(config, source);
  try {
    const reached = await reachDatabase(config, true, () => undefined);
    try {
      // Says why it cannot be reached in the words of the network or of PostgreSQL.
      await (await openConnection(reached.connection, "dossier doctor")).close();
      const db = openDatabase(reached.connection, { connections: 1 });
      try {
        return [...machine, ...(await checkService(db, config))];
      } finally {
        await db.close();
      }
    } finally {
      await reached.close();
    }
  } catch (fault) {
    const reason = fault instanceof Error ? fault.message : String(fault);
    return [
      ...machine,
      error("Database", `The database cannot be reached: ${reason}. Check DATABASE_URL, or DATA_DIR.`),
    ];
  }
}
