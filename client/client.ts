// The service as a program sees it: a transport in, typed calls by subject out.
import {
  checkDefinition,
  findPolicy,
  listDesigns,
  previewComputed,
  previewForm,
  readComputing,
  readDefinition,
  readDesignChoices,
  readFieldValues,
  readGeneratedForm,
  readUses,
  removeRecordType,
  saveDefinition,
} from "./design/design.ts";
import { buildIndex, keepIndex, readIndexes, removeIndex } from "./design/indexes.ts";
import { readInterface } from "./design/interface.ts";
import { applyDesign, exportDesign, planDesign, readMovingDesigns, rollBackDesign } from "./design/moving.ts";
import { arrangeNavigation, readArrangement } from "./design/navigation.ts";
import { readSchema, readWhoMay } from "./design/record-types.ts";
import { purgeRemoved, readRemoved, restoreRemoved } from "./design/removed.ts";
import { readWording, translateLabels } from "./design/translations.ts";
import { readBudgets } from "./lists/budgets.ts";
import { readCountries } from "./lists/countries.ts";
import {
  arrangeDashboard,
  deleteDashboard,
  pinView,
  readDashboard,
  restoreDashboard,
  saveDashboard,
  unpinView,
} from "./lists/dashboard.ts";
import { addFavorite, arrangeFavorites, readFavorites, removeFavorite } from "./lists/favorites.ts";
import { addFeedLink, listFeedLinks, revokeFeedLink } from "./lists/feed-links.ts";
import { readLabels } from "./lists/labels.ts";
import { exportList, readList, readListPage, readNotices, readRowIds } from "./lists/lists.ts";
import { readNavigation } from "./lists/navigation.ts";
import { addView, deleteView, editView, readSavedViews, readViewCategories, restoreView } from "./lists/saved-views.ts";
import { findViews, searchEverything } from "./lists/search.ts";
import {
  activateUser,
  deactivateUser,
  endSession,
  invite,
  listInvitations,
  listLicenses,
  listOwnSessions,
  listRoles,
  listSessions,
  listUsers,
  markSignupRole,
  onInvitation,
  publishLicense,
  readMatrix,
  readOrganization,
  saveOrganization,
} from "./people/administration.ts";
import {
  addApiKey,
  addServiceAccount,
  listApiKeys,
  listOrganizationKeys,
  listServiceAccounts,
  revokeApiKey,
} from "./people/api-keys.ts";
import { readAudit } from "./people/audit.ts";
import {
  acceptLicense,
  confirmMail,
  forgetPassword,
  readLicense,
  readSignupForm,
  resetPassword,
  signUp,
} from "./people/auth.ts";
import { foretellAccess } from "./people/consequences.ts";
import { addGroup, addMember, listGroups, removeMember } from "./people/groups.ts";
import { allowOutside, listMailSenders, sendConfirmation, unconfirmedAddress } from "./people/mail-senders.ts";
import { beginMfa, confirmMfa, endMfa, listMfaUsers, readMfa, renewRecoveryCodes, resetMfa } from "./people/mfa.ts";
import { countUnread, markRead, readNotifications } from "./people/notifications.ts";
import { readOwnOrganization } from "./people/own-organization.ts";
import { addRole, readFieldRules, saveRole } from "./people/roles.ts";
import { changePassword, logIn, logOut, readProfile, refreshSession, saveProfile } from "./people/users.ts";
import { findPrincipals, readAccess, shareRecord, unshareRecord } from "./records/access.ts";
import { addAttachment, readFile } from "./records/attachments.ts";
import { askBulk, deleteSelected, editSelected, exportSelected, restoreSelected } from "./records/bulk.ts";
import { readChanges } from "./records/changes.ts";
import { addComment, changeComment, findMentionable } from "./records/comments.ts";
import { importRates } from "./records/exchange-rates.ts";
import { readFollowers, setFollowing } from "./records/follows.ts";
import { purgeRecord, revertRecord } from "./records/history.ts";
import {
  addMapping,
  deleteMapping,
  editMapping,
  readMappingSettings,
  readMappings,
  restoreMapping,
} from "./records/import-mappings.ts";
import { readFaultyRows, readImportColumns, runImport, uploadImport } from "./records/imports.ts";
import { cancelJob, readFailures, readJob, readJobs, undoJob } from "./records/jobs.ts";
import { editEach, editMany, findByNames, readCurrent } from "./records/many-edits.ts";
import { moveRecords, readOlderRecords } from "./records/older-records.ts";
import {
  changeRecord,
  deleteRecord,
  findRecords,
  nameRecords,
  readRecord,
  readStarts,
  restoreRecord,
  saveRecord,
} from "./records/records.ts";
import { readRelated } from "./records/related.ts";
import { readStages } from "./records/stages.ts";
import { readTimeline } from "./records/timeline.ts";
import { readDeliveries, rotateWebhookSecret, sendDeliveryAgain, testWebhook } from "./records/webhooks.ts";
import {
  countMyWork,
  readMyWork,
  readStageLog,
  readTransition,
  takeTransition,
  undoTransition,
} from "./records/workflow.ts";
import type { Call } from "./transport/transport.ts";

/** Each takes a transport first. */
const operations = {
  lists: {
    readListPage,
    readList,
    readNotices,
    readRowIds,
    exportList,
    readCountries,
    readNavigation,
    searchEverything,
    findViews,
  },
  views: {
    readSavedViews,
    readLabels,
    addView,
    editView,
    deleteView,
    restoreView,
    readViewCategories,
    readDashboard,
    pinView,
    unpinView,
    arrangeDashboard,
    saveDashboard,
    deleteDashboard,
    restoreDashboard,
    readFavorites,
    addFavorite,
    removeFavorite,
    arrangeFavorites,
    readBudgets,
  },
  records: {
    readRecord,
    saveRecord,
    deleteRecord,
    restoreRecord,
    findRecords,
    readStarts,
    nameRecords,
    changeRecord,
    readRelated,
    readCurrent,
    findByNames,
    editMany,
    editEach,
    importRates,
  },
  workflow: {
    readTransition,
    undoTransition,
    takeTransition,
    readStageLog,
    readMyWork,
    countMyWork,
    readStages,
    readOlderRecords,
    moveRecords,
  },
  bulk: {
    askBulk,
    editSelected,
    deleteSelected,
    restoreSelected,
    exportSelected,
    readJobs,
    readJob,
    cancelJob,
    undoJob,
    readFailures,
  },
  imports: { uploadImport, readImportColumns, runImport, readFaultyRows },
  importMappings: { readMappings, readMappingSettings, addMapping, editMapping, deleteMapping, restoreMapping },
  comments: { addComment, changeComment, findMentionable },
  files: { addAttachment, readFile },
  history: { readChanges, readTimeline, revertRecord, purgeRecord, readFollowers, setFollowing },
  access: { readAccess, findPrincipals, shareRecord, unshareRecord },
  webhooks: { readDeliveries, sendDeliveryAgain, testWebhook, rotateWebhookSecret },
  notifications: { countUnread, readNotifications, markRead },
  account: {
    logIn,
    refreshSession,
    logOut,
    readProfile,
    saveProfile,
    changePassword,
    readMfa,
    beginMfa,
    confirmMfa,
    renewRecoveryCodes,
    endMfa,
    listMfaUsers,
    resetMfa,
    listApiKeys,
    addApiKey,
    revokeApiKey,
    listFeedLinks,
    addFeedLink,
    revokeFeedLink,
    readSignupForm,
    signUp,
    readLicense,
    acceptLicense,
    forgetPassword,
    resetPassword,
    confirmMail,
    readOwnOrganization,
  },
  administration: {
    listUsers,
    deactivateUser,
    activateUser,
    listInvitations,
    invite,
    onInvitation,
    listRoles,
    readMatrix,
    readFieldRules,
    saveRole,
    addRole,
    foretellAccess,
    markSignupRole,
    readOrganization,
    saveOrganization,
    listLicenses,
    publishLicense,
    listSessions,
    listOwnSessions,
    endSession,
    listGroups,
    addGroup,
    addMember,
    removeMember,
    readAudit,
    listMailSenders,
    allowOutside,
    unconfirmedAddress,
    sendConfirmation,
    listOrganizationKeys,
    listServiceAccounts,
    addServiceAccount,
  },
  design: {
    readDesignChoices,
    readDefinition,
    checkDefinition,
    previewComputed,
    readComputing,
    saveDefinition,
    removeRecordType,
    readRemoved,
    restoreRemoved,
    purgeRemoved,
    readUses,
    readFieldValues,
    findPolicy,
    listDesigns,
    readGeneratedForm,
    previewForm,
    readInterface,
    readSchema,
    readWhoMay,
    readIndexes,
    buildIndex,
    keepIndex,
    removeIndex,
    readArrangement,
    arrangeNavigation,
    readWording,
    translateLabels,
    readMovingDesigns,
    exportDesign,
    planDesign,
    applyDesign,
    rollBackDesign,
  },
};

type Operations = typeof operations;
type Bound<Operation> = Operation extends (call: Call, ...rest: infer Rest) => infer Result
  ? (...rest: Rest) => Result
  : never;

export type Client = {
  readonly [Subject in keyof Operations]: {
    readonly [Name in keyof Operations[Subject]]: Bound<Operations[Subject][Name]>;
  };
};

export function createClient(transport: Call): Client {
  const bind = (subject: Readonly<Record<string, (call: Call, ...rest: never[]) => unknown>>) =>
    Object.fromEntries(
      Object.entries(subject).map(([name, operation]) => [name, (...rest: never[]) => operation(transport, ...rest)]),
    );
  // fromEntries forgets the names; Client is made of the same ones.
  return Object.fromEntries(
    Object.entries(operations).map(([name, subject]) => [name, bind(subject)]),
  ) as unknown as Client;
}
