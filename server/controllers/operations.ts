// The operations that belong to one controller each: a line per operation. What every record type has is operations/.

import { add, addMany as addManyKeys, mine, revoke } from "../identity/operations/api-keys.ts";
import { confirmMail } from "../identity/operations/confirm-mail.ts";
import { groupConsequences, policyConsequences, roleConsequences } from "../identity/operations/consequences.ts";
import { activate, deactivate } from "../identity/operations/deactivate.ts";
import { activateForgottenPassword, resetForgottenPassword } from "../identity/operations/forgotten-password.ts";
import { resend, revoke as revokeInvitation } from "../identity/operations/invitations.ts";
import { acceptLicenseAgreement, licenseAgreement } from "../identity/operations/license.ts";
import { login } from "../identity/operations/login.ts";
import { mailSenders } from "../identity/operations/mail-senders.ts";
import {
  beginMfa,
  confirmMfa,
  endMfa,
  mfa,
  mfaUsers,
  renewRecoveryCodes,
  resetMfa,
} from "../identity/operations/mfa.ts";
import { info } from "../identity/operations/organization-info.ts";
import { profile } from "../identity/operations/profile.ts";
import { sendConfirmation } from "../identity/operations/send-confirmation.ts";
import { accessToken, changePassword, logout } from "../identity/operations/session.ts";
import { end, mine as mySessions } from "../identity/operations/sessions.ts";
import { signup } from "../identity/operations/signup.ts";
import { whoMay } from "../identity/operations/who-may.ts";
import type { RecordTypeKey } from "../metadata/record-type.ts";
import type { OperationTable } from "../operations/find-operation.ts";
import { changes } from "./core/operations/changes.ts";
import { clone } from "./core/operations/clone-view.ts";
import { arrange, dashboard, pin, unpin } from "./core/operations/dashboard.ts";
import { faultyRows } from "./core/operations/faulty-rows.ts";
import { addFavorite, arrangeFavorites, favorites, removeFavorite } from "./core/operations/favorites.ts";
import { add as addFeedLink, feed } from "./core/operations/feed-links.ts";
import { generated, preview } from "./core/operations/form-designs.ts";
import { cancel, failures, undo } from "./core/operations/jobs.ts";
import { labels } from "./core/operations/labels.ts";
import { mappingSettings } from "./core/operations/mapping-settings.ts";
import { mentionable } from "./core/operations/mentionable.ts";
import { moveRecords, olderRecords } from "./core/operations/move-records.ts";
import { myWork } from "./core/operations/my-work.ts";
import { markRead, mine as myNotifications, unread } from "./core/operations/notifications.ts";
import { search } from "./core/operations/search.ts";
import { stages } from "./core/operations/stages.ts";
import { translate, wording } from "./core/operations/translate.ts";
import { budgets } from "./core/operations/view-budgets.ts";
import { add as addWebhook, rotateSecret, sendAgain, test as testWebhook } from "./core/operations/webhooks.ts";
import { appMenu } from "./development_base/app-menu.ts";
import { arrange as arrangeNavigation, navigation } from "./development_base/arrange-navigation.ts";
import { importRates } from "./masters/import-rates.ts";
import { apply, index as designs, exportOperation, plan, rollback } from "./metadata/designs.ts";
import { uses } from "./metadata/field-uses.ts";
import { values as fieldValues } from "./metadata/field-values.ts";
import { buildIndex, indexes, keepIndex, removeIndex } from "./metadata/indexes.ts";
import { openapi } from "./metadata/openapi/openapi.ts";
import { previewComputed } from "./metadata/preview-computed.ts";
import { check, index, remove, save, view } from "./metadata/record-types.ts";
import { purge as purgeDesign, removed, restore as restoreDesign } from "./metadata/removed/operations.ts";
import { schema } from "./metadata/schema.ts";

export const ownOperations: Readonly<Record<RecordTypeKey, OperationTable>> = {
  "access_controls/users": {
    login,
    logout,
    access_token: accessToken,
    change_password: changePassword,
    activate_forgotten_password: activateForgottenPassword,
    reset_forgotten_password: resetForgottenPassword,
    signup,
    confirm_mail: confirmMail,
    send_confirmation: sendConfirmation,
    license_agreement: licenseAgreement,
    accept_license_agreement: acceptLicenseAgreement,
    profile,
    mfa,
    begin_mfa: beginMfa,
    confirm_mfa: confirmMfa,
    renew_recovery_codes: renewRecoveryCodes,
    end_mfa: endMfa,
    reset_mfa: resetMfa,
    mfa_users: mfaUsers,
    activate,
    deactivate,
  },
  "access_controls/organizations": { info, mail_senders: mailSenders },
  "access_controls/invitations": { resend, revoke: revokeInvitation },
  "access_controls/sessions": { mine: mySessions, end },
  "access_controls/roles": { who_may: whoMay, consequences: roleConsequences },
  "access_controls/policies": { consequences: policyConsequences },
  "access_controls/groups": { consequences: groupConsequences },
  "access_controls/api_keys": { add, add_many: addManyKeys, mine, revoke },
  "core/changes": { index: changes },
  "core/search": { index: search },
  "core/jobs": { cancel, undo, failures, faulty_rows: faultyRows },
  "core/listviews": { arrange, budgets, clone, dashboard, pin, unpin },
  "core/favorites": { index: favorites, add: addFavorite, remove: removeFavorite, arrange: arrangeFavorites },
  "core/feed_links": { add: addFeedLink, feed },
  "core/forms": { generated, preview },
  "core/comments": { mentionable },
  "core/import_mappings": { settings: mappingSettings },
  "core/notifications": { mine: myNotifications, unread, mark_read: markRead },
  "core/translations": { labels, translate, wording },
  "core/webhook_deliveries": { send_again: sendAgain },
  "core/webhooks": { add: addWebhook, rotate_secret: rotateSecret, test: testWebhook },
  "core/workflows": { move_records: moveRecords, my_work: myWork, older_records: olderRecords, stages },
  "development_base/menus": { app_menu: appMenu, arrange: arrangeNavigation, navigation },
  "masters/exchange_rates": { import_rates: importRates },
  "metadata/designs": { index: designs, export: exportOperation, plan, apply, rollback },
  "metadata/openapi": { index: openapi(() => ownOperations) },
  "metadata/schema": { index: schema },
  "metadata/record_types": {
    build_index: buildIndex,
    check,
    index,
    indexes,
    keep_index: keepIndex,
    preview_computed: previewComputed,
    purge: purgeDesign,
    remove,
    remove_index: removeIndex,
    removed,
    restore: restoreDesign,
    save,
    uses,
    values: fieldValues,
    view,
  },
};
