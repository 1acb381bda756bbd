// Placeholders: whose day it is, where months end, and what is none.
import { describe, expect, test } from "vitest";
import { localDay } from "../lib/instant.ts";
import { dayBegins, expandPlaceholder } from "./relative-date.ts";

const timestamp = "timestamp(0) without time zone";

const expand = (text: string, sqlType: string, now: string, timeZone = "UTC") =>
  expandPlaceholder(text, { caller: { userId: "7", organizationId: "3", timeZone }, now: new Date(now) }, sqlType);

describe("expands", () => {
  test.each([
    ["{{TODAY}}", "date", "2026-02-28T12:00:00Z", "UTC", "2026-02-28"],
    ["{{TODAY}}", "date", "2026-02-28T23:30:00Z", "Europe/Berlin", "2026-03-01"],
    ["{{TODAY}}", "date", "2026-02-28T02:00:00Z", "America/New_York", "2026-02-27"],
    ["{{TODAY}}", timestamp, "2026-02-28T23:30:00Z", "Europe/Berlin", "2026-02-28 23:00:00"],
    ["{{TODAY}}", timestamp, "2026-02-28T02:00:00Z", "America/New_York", "2026-02-27 05:00:00"],
    ["{{TODAY}}", timestamp, "2026-02-28T02:00:00Z", "Asia/Kathmandu", "2026-02-27 18:15:00"],
    ["{{TODAY}}", timestamp, "2026-02-28T12:00:00Z", "No/Such_Zone", "2026-02-28 00:00:00"],
    ["{{TODAY}}-7d", "date", "2026-03-03T12:00:00Z", "UTC", "2026-02-24"],
    ["{{TODAY}} - 1w", "date", "2026-03-03T12:00:00Z", "UTC", "2026-02-24"],
    ["{{TODAY-7d}}", "date", "2026-03-03T12:00:00Z", "UTC", "2026-02-24"],
    ["{{TODAY}}+1M", "date", "2026-01-31T12:00:00Z", "UTC", "2026-02-28"],
    ["{{TODAY}}+1M", "date", "2024-01-31T12:00:00Z", "UTC", "2024-02-29"],
    ["{{TODAY}}+1M+1M", "date", "2026-01-31T12:00:00Z", "UTC", "2026-03-28"],
    ["{{TODAY}}-1y", "date", "2024-02-29T12:00:00Z", "UTC", "2023-02-28"],
    ["{{TODAY}}-1M+1d", "date", "2026-03-31T12:00:00Z", "UTC", "2026-03-01"],
    ["{{TODAY}}-12M", "date", "2026-03-31T12:00:00Z", "UTC", "2025-03-31"],
    // Across the change of the clocks the day begins at another hour of UTC.
    ["{{TODAY}}+1d", timestamp, "2026-03-29T12:00:00Z", "Europe/Berlin", "2026-03-29 22:00:00"],
    ["{{TODAY}}-1d", timestamp, "2026-03-29T12:00:00Z", "Europe/Berlin", "2026-03-27 23:00:00"],
    ["{{TODAY}}+2h", timestamp, "2026-02-28T12:00:00Z", "Europe/Berlin", "2026-02-28 01:00:00"],
    ["{{TODAY}}-90m", "date", "2026-02-28T12:00:00Z", "UTC", "2026-02-27"],
    ["{{THIS_WEEK}}", "date", "2026-11-15T12:00:00Z", "UTC", "2026-11-09"],
    ["{{THIS_WEEK}}+1w-1d", "date", "2026-11-16T12:00:00Z", "UTC", "2026-11-22"],
    ["{{THIS_MONTH}}", "date", "2026-02-28T23:30:00Z", "Europe/Berlin", "2026-03-01"],
    ["{{THIS_MONTH}}+1M-1d", "date", "2026-02-10T12:00:00Z", "UTC", "2026-02-28"],
    ["{{THIS_MONTH}}-1M", "date", "2026-03-31T12:00:00Z", "UTC", "2026-02-01"],
    ["{{THIS_MONTH}}", timestamp, "2026-04-10T12:00:00Z", "Europe/Berlin", "2026-03-31 22:00:00"],
    ["{{THIS_MONTH}}+1M-1s", timestamp, "2026-04-10T12:00:00Z", "Europe/Berlin", "2026-04-30 21:59:59"],
    ["{{THIS_QUARTER}}", "date", "2026-12-31T12:00:00Z", "UTC", "2026-10-01"],
    ["{{THIS_YEAR}}", "date", "2026-12-31T12:00:00Z", "UTC", "2026-01-01"],
    ["{{NOW}}", timestamp, "2026-02-28T12:34:56.789Z", "Europe/Berlin", "2026-02-28 12:34:56"],
    ["{{NOW}}-30s", timestamp, "2026-02-28T12:00:00Z", "UTC", "2026-02-28 11:59:30"],
    ["{{NOW}}+5m", timestamp, "2026-02-28T12:00:00Z", "UTC", "2026-02-28 12:05:00"],
    ["{{NOW}}+5M", timestamp, "2026-02-28T12:00:00Z", "UTC", "2026-07-28 12:00:00"],
    ["{{NOW}}", "date", "2026-02-28T23:30:00Z", "Europe/Berlin", "2026-03-01"],
    ["{{CURRENT_USER}}", "bigint", "2026-02-28T12:00:00Z", "UTC", "7"],
    [" {{ CURRENT_ORGANIZATION }} ", "bigint", "2026-02-28T12:00:00Z", "UTC", "3"],
    ["plain text", "text", "2026-02-28T12:00:00Z", "UTC", "plain text"],
    ["{braces}", "text", "2026-02-28T12:00:00Z", "UTC", "{braces}"],
    ["{{lower}}", "text", "2026-02-28T12:00:00Z", "UTC", "{{lower}}"],
  ])("%s for %s at %s in %s", (text, sqlType, now, timeZone, expected) => {
    expect(expand(text, sqlType, now, timeZone)).toEqual({ text: expected });
  });
});

describe("refuses", () => {
  test.each([
    ["{{TOMORROW}}", "not_a_placeholder"],
    ["{{TODAY}}-7", "not_a_placeholder"],
    ["{{TODAY}}-7x", "not_a_placeholder"],
    ["{{TODAY}} or so", "not_a_placeholder"],
    ["{{CURRENT_USER}}+1d", "no_offset"],
    ["{{TODAY}}+999999y", "outside_calendar"],
    ["{{TODAY}}-3000y", "outside_calendar"],
    ["{{NOW}}-999999M", "outside_calendar"],
  ])("%s", (text, fault) => {
    expect(expand(text, "date", "2026-02-28T12:00:00Z")).toMatchObject({ fault: { fault } });
  });
});

describe("the day of a zone", () => {
  test.each([
    ["2026-02-28", "UTC", "2026-02-28T00:00:00.000Z"],
    ["2026-02-28", "Pacific/Kiritimati", "2026-02-27T10:00:00.000Z"],
    ["2026-02-28", "Pacific/Niue", "2026-02-28T11:00:00.000Z"],
    // Clocks went from 00:00 to 01:00: that day had no midnight.
    ["2018-11-04", "America/Sao_Paulo", "2018-11-04T03:00:00.000Z"],
    // Clocks went from 00:00 back to 23:00: the day before had that hour twice.
    ["2018-02-18", "America/Sao_Paulo", "2018-02-18T03:00:00.000Z"],
    // This day did not take place in Samoa: the next one begins where it would have.
    ["2011-12-30", "Pacific/Apia", "2011-12-30T10:00:00.000Z"],
    ["0001-01-02", "UTC", "0001-01-02T00:00:00.000Z"],
  ])("%s in %s begins at %s", (day, timeZone, expected) => {
    expect(dayBegins(day, timeZone).toISOString()).toBe(expected);
    expect(localDay(new Date(dayBegins(day, timeZone).getTime() - 1000), timeZone) < day).toBe(true);
  });
});
