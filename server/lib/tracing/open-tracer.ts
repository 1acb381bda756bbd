// Takes the settings of traces; gives a Tracer where they are wanted. Only then is anything loaded.
import { createTracer, type Tracer } from "./tracer.ts";

export interface TracingSettings {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly serviceName: string;
  readonly ratio: number;
}

export async function openTracer(
  settings: TracingSettings | undefined,
  version: string,
  log: (message: string) => void,
): Promise<Tracer | undefined> {
  if (settings === undefined) return undefined;
  const { openOtlp } = await import("./otlp.ts");
  const { take, close } = openOtlp({ ...settings, version, log });
  return createTracer({ ratio: settings.ratio, take, close });
}
