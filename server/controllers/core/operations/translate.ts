// core/translations wording and translate: every label of the design with its words in a language, and the way to change many of
// them at once. For administrators.
import { Failure } from "../../../../contract/failures.ts";
import { say } from "../../../../contract/messages.ts";
import { type Language, languages } from "../../../../contract/texts/languages.ts";
import { grantWrite } from "../../../access/grant.ts";
import { readStored } from "../../../designs/read-stored.ts";
import { LONGEST_LABEL, readLabels } from "../../../designs/translations/read-labels.ts";
import { saveTranslations } from "../../../designs/translations/save-translations.ts";
import { translationsIn } from "../../../designs/translations/translation-list.ts";
import { shippedLabels } from "../../../labels/shipped-labels.ts";
import { buildSnapshot, requireType } from "../../../metadata/snapshot.ts";
import { builtInTypes } from "../../../modules/index.ts";
import type { Operation, OperationContext } from "../../../operations/operation.ts";
import { requireCaller } from "../../../operations/require-caller.ts";
import { runWrite } from "../../../operations/write.ts";
import { isTree, type TreeValue, textAt } from "../../../request/tree.ts";

const MOST_AT_ONCE = 500;
/** With room for blanks: a longer text is not tidied first. */
const MOST_SENT = 10_000;

/** Whoever may not change translations has no use for the list either. */
function translatorOf(context: OperationContext) {
  const caller = requireCaller(context);
  grantWrite(caller, requireType(context.snapshot, "core/translations"), "edit", context.services.hooks);
  return caller;
}

function sentLanguage({ call }: OperationContext): Language {
  const sent = textAt(call.parameters, "language");
  const language = languages.find((one) => one === sent);
  if (language !== undefined) return language;
  throw malformed("language", say("must_be_one_of", { options: languages }));
}

const malformed = (name: string, reason: ReturnType<typeof say>): Failure =>
  new Failure("malformed_parameter", { with: { name, reason } });

let builtIn: ReadonlySet<string> | undefined;

/** What ships without a translation is the same in every language: codes, names of languages; in English, all that ships. */
function builtInLabels(): ReadonlySet<string> {
  builtIn ??= new Set([
    ...readLabels(buildSnapshot(builtInTypes, [], "labels"), []).map(({ label }) => label),
    ...shippedLabels("de").keys(),
  ]);
  return builtIn;
}

export const wording: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    const caller = translatorOf(context);
    const language = sentLanguage(context);
    const { database, metadata } = context.services;
    const only = textAt(context.call.parameters, "controller");
    if (only !== undefined) requireType(context.snapshot, only);
    const written = metadata.current();
    const { items } = await readStored(database, written, caller.organizationId);
    const own = translationsIn(items.find(({ kind, key }) => kind === "translations" && key === language)?.content);
    const shipped = shippedLabels(language);
    const labels = readLabels(
      written,
      items.filter(({ isDeleted }) => !isDeleted),
      only,
    ).map(({ isOwn, ...one }) => ({
      ...one,
      type_label: one.type === null ? null : (context.snapshot.types.get(one.type)?.plural ?? one.type),
      translation: own.get(one.label) ?? null,
      suggested: isOwn ? (shipped.get(one.label) ?? null) : null,
      shipped: isOwn ? null : (shipped.get(one.label) ?? (builtInLabels().has(one.label) ? one.label : null)),
      is_too_long: one.label.length > LONGEST_LABEL ? 1 : 0,
    }));
    return { body: { data: { language, labels } } };
  },
};

export const translate: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  async run(context) {
    translatorOf(context);
    const language = sentLanguage(context);
    const wanted = sentLabels(context);
    return runWrite(context, async (work) => {
      await saveTranslations(work, language, wanted);
      return async () => ({ message: [say("translations_saved")], body: { data: { count: wanted.size } } });
    });
  },
};

/** By label; an empty translation takes away the one that is there, one that was not sent is a mistake. */
function sentLabels({ call }: OperationContext): ReadonlyMap<string, string | null> {
  const rows = Array.isArray(call.parameters.labels) ? (call.parameters.labels as readonly TreeValue[]) : [];
  if (rows.length === 0) throw malformed("labels", say("is_missing"));
  if (rows.length > MOST_AT_ONCE) throw malformed("labels", say("at_most_entries", { max: MOST_AT_ONCE }));
  const sent = rows.map((row) => {
    if (!isTree(row) || row.translation === undefined) throw malformed("translation", say("is_missing"));
    return [textAt(row, "label")?.trim() ?? "", textAt(row, "translation")?.trim() || null] as const;
  });
  if (sent.some(([, translation]) => translation !== null && translation.length > MOST_SENT))
    throw malformed("translation", say("at_most_characters", { max: LONGEST_LABEL }));
  if (sent.some(([label]) => label === "" || label.length > LONGEST_LABEL))
    throw malformed("labels", say("at_most_characters", { max: LONGEST_LABEL }));
  return new Map(sent);
}
