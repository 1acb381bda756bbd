// The head of a record: its picture or letters, what it is called, and the facts that one looks for first.
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { FormElement, RecordView, WireRecord } from "../../../client/records/records.ts";
import { useFileUrl } from "../../fields/files/use-file-url.ts";
import { ChoiceMark } from "../../fields/showing/choice-mark.tsx";
import { Face, faceShape } from "../../parts/layout/face.tsx";
import { NamedIcon } from "../../parts/layout/icon.tsx";
import { PageHead } from "../../parts/layout/page-head.tsx";
import { usePageTitle } from "../../parts/use-page-title.ts";
import { schemaQuery } from "../../queries.ts";
import { elementsOf, fieldName } from "./form/form-rules.ts";
import { currentValue } from "./form/record-field.tsx";
import { StoredValue } from "./form/stored-value.tsx";
import { keyFactsOf, pictureOf } from "./key-facts.ts";
import classes from "./record-head.module.css";

interface RecordHeadProps {
  readonly recordTypeKey: string;
  readonly title: string;
  /** Says what its facts are called. */
  readonly view: RecordView;
  /** Undefined for a new one. */
  readonly record: WireRecord | undefined;
  readonly children?: ReactNode;
}

export function RecordHead({ recordTypeKey, title, view, record, children }: RecordHeadProps) {
  const { data: schema } = useQuery(schemaQuery(recordTypeKey));
  usePageTitle(title);
  const elements = elementsOf(view.form);
  const icon = schema?.recordType.icon;
  const shape = faceShape(icon);
  const picture = record && pictureOf(elements, record);
  const letters = shape && record ? <Face name={view.name || title} shape={shape} size={40} /> : undefined;
  return (
    <PageHead
      title={title}
      icon={
        picture && record ? (
          <Picture element={picture} view={view} record={record} shape={shape ?? "square"} instead={letters} />
        ) : (
          (letters ?? <NamedIcon name={icon} size={20} />)
        )
      }
      lead={record && <Facts elements={elements} view={view} record={record} />}
    >
      {children}
    </PageHead>
  );
}

interface FactsProps {
  readonly elements: readonly FormElement[];
  readonly view: RecordView;
  readonly record: WireRecord;
}

function Facts({ elements, view, record }: FactsProps) {
  const { workflow } = view;
  const stage = workflow?.stages.find(({ id }) => id === workflow.stage);
  const named = (name: string): FormElement[] =>
    elements.filter((element) => fieldName(element) === name && record[name] != null).slice(0, 1);
  const key = record.business_key;
  return (
    <span className={classes.facts}>
      {stage && (
        <span className={classes.value}>
          <ChoiceMark label={stage.name} color={stage.color ?? "gray"} />
        </span>
      )}
      {keyFactsOf(elements, record, stage !== undefined).map((element) => (
        <Fact key={element.__name} element={element} record={record} />
      ))}
      {named("owned_by").map((element) => (
        <Fact key={element.__name} element={element} record={record} isPlain />
      ))}
      {named("business_key").map(({ label }) => (
        <span key="business_key" className={classes.fact}>
          <span className="visually-hidden">{label}: </span>
          <bdi className={classes.code}>{String(key)}</bdi>
        </span>
      ))}
    </span>
  );
}

interface FactProps {
  readonly element: FormElement;
  readonly record: WireRecord;
  /** It says what it is by itself. */
  readonly isPlain?: boolean;
}

function Fact({ element, record, isPlain }: FactProps) {
  const { value, text } = currentValue(element, record, undefined);
  return (
    <span className={classes.fact} title={isPlain ? element.label : undefined}>
      <span className={isPlain || element.options ? "visually-hidden" : classes.label}>{element.label} </span>
      <span className={classes.value}>
        <StoredValue element={element} record={record} value={value} text={text} />
      </span>
    </span>
  );
}

interface PictureProps {
  readonly element: FormElement;
  readonly view: RecordView;
  readonly record: WireRecord;
  readonly shape: "round" | "square";
  /** While it is on its way. */
  readonly instead: ReactNode;
}

function Picture({ element, view, record, shape, instead }: PictureProps) {
  const field = fieldName(element);
  const { value } = currentValue(element, record, undefined);
  const file = typeof value === "object" ? value?.id : undefined;
  const place = view.id === null ? undefined : { recordTypeKey: view.model, id: view.id, field };
  const url = useFileUrl(place, file ?? "", true);
  return url === undefined ? instead : <img src={url} alt="" className={classes.picture} data-shape={shape} />;
}
