// A condition as a sentence: "Owner is me", "Created in the last 30 days", "not (Status is new or Score is at least 50)".
import { useTranslation } from "react-i18next";
import { useSoughtWords } from "../../../fields/filter/filter-value-words.ts";
import { type FoundField, fieldTitle } from "../../../fields/paths/field-path.ts";
import { type Condition, type Group, isComplete, type Leaf } from "./condition.ts";
import { offeredOperatorOf, wordKeyOf } from "./operator-words.ts";

type Found = ReadonlyMap<string, FoundField | null>;

interface ConditionWordsProps {
  readonly condition: Condition;
  readonly found: Found;
  /** Within others: groups are in brackets. */
  readonly inner?: boolean;
}

export function ConditionWords({ condition, found, inner = false }: ConditionWordsProps) {
  return condition.kind === "leaf" ? (
    <LeafWords leaf={condition} found={found.get(condition.column) ?? undefined} />
  ) : (
    <GroupWords group={condition} {...{ found, inner }} />
  );
}

function GroupWords({
  group,
  found,
  inner,
}: {
  readonly group: Group;
  readonly found: Found;
  readonly inner: boolean;
}) {
  const { t } = useTranslation();
  const parts = group.of.filter((each) => each.kind === "group" || isComplete(each));
  const [open, close] = group.not || (inner && parts.length > 1) ? ["(", ")"] : ["", ""];
  return (
    <>
      {group.not ? `${t("filter.not")} ` : ""}
      {open}
      {parts.map((condition, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: conditions have no other name than their place
        <span key={index}>
          {index > 0 && ` ${t(`filter.${group.join}`)} `}
          <ConditionWords condition={condition} found={found} inner />
        </span>
      ))}
      {close}
    </>
  );
}

function LeafWords({ leaf, found }: { readonly leaf: Leaf; readonly found: FoundField | undefined }) {
  const { t, i18n } = useTranslation();
  const wordsOf = useSoughtWords(found?.field, leaf.values);
  const offered = offeredOperatorOf(leaf, found?.field);
  const values = offered === "within" ? [wordsOf.span(leaf.values)] : leaf.values.map(wordsOf.value);
  const list = new Intl.ListFormat(i18n.language, {
    type: offered === "in" || offered === "not in" ? "disjunction" : "unit",
  });
  const said = leaf.operator === "between" ? values.join(` ${t("filter.and")} `) : list.format(values);
  return (
    <>
      <span>{found ? fieldTitle(found) : leaf.column}</span> {t(`filter.ops.${wordKeyOf(offered, found?.field)}`)}
      {values.length > 0 && <b> {said}</b>}
    </>
  );
}
