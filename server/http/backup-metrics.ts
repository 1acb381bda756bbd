// How the last backups went, for Prometheus: the same whichever process tells it.
import { Gauge, Registry } from "prom-client";
import type { LastBackups } from "../backup/results.ts";

export async function backupMetrics({ succeeded, seconds, bytes, failure }: LastBackups): Promise<string> {
  const registry = new Registry();
  const gauges: [name: string, help: string, value: number | undefined][] = [
    ["dossier_backup_last_success_timestamp_seconds", "When the last backup that succeeded ended.", succeeded],
    ["dossier_backup_last_success_duration_seconds", "How long it took.", seconds],
    ["dossier_backup_last_success_bytes", "How large it is.", bytes],
    ["dossier_backup_failing", "1 where the newest backup failed.", failure === undefined ? 0 : 1],
  ];
  for (const [name, help, value] of gauges) {
    if (value !== undefined) new Gauge({ name, help, registers: [registry] }).set(value);
  }
  return registry.metrics();
}
