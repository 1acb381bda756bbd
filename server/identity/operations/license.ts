// license_agreement: the text in force, for everybody to read; accept_license_agreement: somebody agrees to it.

import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import { audit } from "../../access/audit.ts";
import { sql } from "../../database/sql.ts";
import type { Operation } from "../../operations/operation.ts";
import { actor, requirePerson } from "../../operations/require-caller.ts";
import { textAt } from "../../request/tree.ts";
import { currentLicense, hasAccepted, recordAcceptance } from "../current-license.ts";
import { readOneTimeToken } from "../one-time-tokens.ts";

export const licenseAgreement: Operation = {
  methods: ["GET"],
  authentication: "none",
  reads: true,
  async run({ call, services }) {
    const { database } = services;
    const invitation = textAt(call.parameters, "invitation");
    const invited = invitation ? await readOneTimeToken(database, ["invitation"], invitation) : undefined;
    const named = textAt(call.parameters, "organization_id");
    // A text that people must agree to is no secret; whose it is does not follow from it.
    const organizationId = invited?.organizationId ?? (named && /^\d{1,18}$/.test(named) ? named : undefined);
    const license = await currentLicense(database, organizationId);
    return {
      body: {
        license_agreement: license?.text ?? "",
        license_agreement_title: license?.title ?? "",
        license_agreement_version: license?.version ?? null,
        controllerClass: "access_controls/users",
        modelClass: "access_controls/users",
        notEmptyField: [],
        organization_name: null,
        organization_id: null,
        user_id: null,
        user_fullname: null,
        data: [],
      },
    };
  },
};

export const acceptLicenseAgreement: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  async run(context) {
    const { caller } = requirePerson(context, say("by_a_person"));
    const { database } = context.services;
    const license = await currentLicense(database, caller.organizationId);
    const version = textAt(context.call.parameters, "version");
    if (!license || (version !== undefined && version !== license.version)) {
      throw new Failure("conflict", { with: { reason: say("newer_terms") } });
    }
    await database.transaction(async (transaction) => {
      // One at a time for each person: agreeing twice is agreeing once.
      await transaction.run(sql`
        select 1 from access_controls__users
        where organization_id = ${caller.organizationId}::bigint and id = ${caller.userId}::bigint for update`);
      if (await hasAccepted(transaction, caller.organizationId, caller.userId, license.id)) return;
      const { address } = context.request;
      await recordAcceptance(transaction, context.snapshot, caller.organizationId, caller.userId, license, address);
      await audit(transaction, context.snapshot, {
        ...actor(context, caller),
        event: "license_accepted",
        subject: { type: "access_controls/license_agreements", id: license.id, name: license.title },
        detail: { version: license.version },
      });
    });
    return {
      message: [say("terms_accepted")],
      body: { license_agreement_version: license.version, is_license_agreement_required: 0, data: [] },
    };
  },
};
