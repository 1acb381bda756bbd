// Says of each fault what came of it as soon as it is known: a run that is ended early is not lost.
import { declareClassPlugin, PluginKind } from "@stryker-mutator/api/plugin";

class EachFault {
  onMutantTested({ status, fileName, location: { start, end }, mutatorName, replacement, killedBy, statusReason }) {
    const to = (replacement ?? "").replaceAll(/\s+/gu, " ").slice(0, 100);
    const by =
      status === "Survived"
        ? ""
        : ` | ${(killedBy ?? []).join(" ")} ${(statusReason ?? "").split("\n")[0].slice(0, 160)}`;
    console.log(
      `${status} ${fileName}:${start.line}:${start.column}-${end.line}:${end.column} ${mutatorName} → ${to}${by}`,
    );
  }
}

export const strykerPlugins = [declareClassPlugin(PluginKind.Reporter, "each-fault", EachFault)];
