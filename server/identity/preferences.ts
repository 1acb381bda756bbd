// How a person wants to see the service: time zone, locale, hour format, theme. What can be chosen, and what is wrong with
// a choice.
import { type Message, say } from "../../contract/messages.ts";
import type { Queryable } from "../database/database.ts";
import { sql } from "../database/sql.ts";

export const hourFormats: Readonly<Record<string, string>> = { "12": "12 hours", "24": "24 hours" };

/** By group; a theme's value is `<group>/<theme>`. */
export const themes: Readonly<Record<string, readonly { readonly text: string; readonly value: string }[]>> = {
  default: [
    { text: "Like the system", value: "default/auto" },
    { text: "Light", value: "default/light" },
    { text: "Dark", value: "default/dark" },
  ],
};

export async function preferenceOptions(db: Queryable) {
  const zones = await db.rows<{ name: string }>(
    sql`select name from masters__time_zones where deleted = 0 order by name`,
  );
  const locales = await db.rows(
    sql`select name as text, code as value from masters__locales where deleted = 0 order by name`,
  );
  const names = new Set(["UTC", ...zones.map((zone) => zone.name)]);
  return {
    timezones: Object.fromEntries([...names].map((name) => [name, name])),
    locales,
    hour_format: hourFormats,
    themes,
  };
}

export interface Preferences {
  readonly time_zone?: string | null | undefined;
  readonly locale?: string | null | undefined;
  readonly hour_format?: string | null | undefined;
  readonly theme?: string | null | undefined;
}

/** What is wrong, by field; what is absent or empty is not looked at. */
export async function preferenceFaults(db: Queryable, chosen: Preferences): Promise<Record<string, Message[]>> {
  const faults: Record<string, Message[]> = {};
  const { time_zone, locale, hour_format, theme } = chosen;
  if (time_zone && time_zone !== "UTC") {
    const known = await db.row(
      sql`select 1 as found from masters__time_zones where name = ${time_zone} and deleted = 0`,
    );
    if (!known) faults.time_zone = [say("unknown_time_zone")];
  }
  if (locale) {
    const known = await db.row(sql`select 1 as found from masters__locales where code = ${locale} and deleted = 0`);
    if (!known) faults.locale = [say("unknown_locale")];
  }
  if (hour_format && !Object.hasOwn(hourFormats, hour_format)) faults.hour_format = [say("bad_hour_format")];
  if (theme && !Object.values(themes).some((group) => group.some(({ value }) => value === theme))) {
    faults.theme = [say("unknown_theme")];
  }
  return faults;
}
