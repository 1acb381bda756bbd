// Takes a data folder that no server runs on; runs statements there as its superuser; never prints a statement, which
// may hold a password.
import { spawn } from "node:child_process";
import { childIdentity } from "./account.ts";
import { pickComplaints } from "./log-file.ts";
import { tagOf } from "./orphans.ts";
import { type ClusterSite, folderAsSeenInside } from "./site.ts";

/** One statement per line. When this process dies its end of the pipe closes, and the server ends by itself. */
export async function runSingleUser(site: Omit<ClusterSite, "dataDir">, statements: readonly string[]): Promise<void> {
  const flags = ["exit_on_error=on", "log_min_error_statement=panic", `cluster_name=${tagOf(site.folder)}`];
  const child = spawn(
    site.binaries.postgres,
    ["--single", "-D", folderAsSeenInside(site.folder), ...flags.flatMap((flag) => ["-c", flag]), "postgres"],
    { cwd: site.folder, stdio: ["pipe", "pipe", "pipe"], detached: true, ...childIdentity(site.account) },
  );
  let complaints = "";
  child.stdout.resume();
  child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
    complaints += chunk;
  });
  child.stdin.on("error", () => {});
  child.stdin.end(`${statements.join("\n")}\n`);
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) throw new Error(`The embedded PostgreSQL could not be set up: ${pickComplaints(complaints)}`);
}
