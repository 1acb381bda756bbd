// organizations info: the caller's own organization, in figures. What can be changed of it is its record.
import { sql } from "../../database/sql.ts";
import type { Operation } from "../../operations/operation.ts";
import { requireCaller } from "../../operations/require-caller.ts";
import { currentLicense, unlessOutOfReach } from "../current-license.ts";

export const info: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    const caller = requireCaller(context);
    const { database } = context.services;
    const organization = sql`${caller.organizationId}::bigint`;
    const [row, users, records, license] = await Promise.all([
      database.row(sql`
        select o.id, o.name, o.currency_id, c.code as currency, o.time_zone, o.locale, o.logo, o.created, o.is_operator
        from access_controls__organizations o left join masters__currencies c on c.id = o.currency_id
        where o.organization_id = ${organization} and o.id = ${organization}`),
      database.row(sql`
        select count(*)::text as total, count(*) filter (where is_active = 1)::text as active
        from access_controls__users where organization_id = ${organization} and deleted = 0`),
      database.row(sql`
        select (coalesce((select sum(live) from core__counters
            where organization_id = ${organization} and record_type = any(${businessTypes(context)}::text[])), 0)
          + coalesce((select sum(delta) from core__changes
            where organization_id = ${organization} and record_type = any(${businessTypes(context)}::text[])), 0))::text as total`),
      currentLicense(database, caller.organizationId).catch(unlessOutOfReach),
    ]);
    // How many people and records there are is told to those who run the organization.
    const counted = (count: string | null | undefined) => (caller.isAdministrator ? (count ?? "0") : null);
    const organizations = {
      ...row,
      user_count: counted(users?.total),
      active_user_count: counted(users?.active),
      record_count: counted(records?.total),
      license_agreement_version: license?.version ?? null,
      // Whoever invites must know whether a message reaches anybody.
      mails_are_files: context.services.config.smtpUrl === undefined ? "1" : "0",
    };
    return { body: { data: { organizations } } };
  },
};

/** What people visit; not the bookkeeping behind it. */
const businessTypes = ({ snapshot }: Parameters<Operation["run"]>[0]): string[] =>
  [...snapshot.types.values()].filter((type) => type.scope === "organization" && !type.hidden).map((type) => type.key);
