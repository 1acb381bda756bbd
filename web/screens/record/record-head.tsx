// The head of a record: its icon, what it is called, and the facts that one looks for first.
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { RecordView, WireRecord } from "../../../client/records/records.ts";
import { useFormats } from "../../fields/formats.ts";
import { Face, faceShape } from "../../parts/layout/face.tsx";
import { NamedIcon } from "../../parts/layout/icon.tsx";
import { PageHead } from "../../parts/layout/page-head.tsx";
import { usePageTitle } from "../../parts/use-page-title.ts";
import { schemaQuery } from "../../queries.ts";
import { elementsOf, fieldName } from "./form/form-rules.ts";
import classes from "./record.module.css";

interface RecordHeadProps {
  readonly recordTypeKey: string;
  readonly title: string;
  /** Says what its facts are called. */
  readonly view: RecordView;
  /** Undefined for a new one. */
  readonly record: WireRecord | undefined;
  readonly children?: ReactNode;
}

const keyFacts = ["business_key", "owned_by", "modified"];

export function RecordHead({ recordTypeKey, title, view, record, children }: RecordHeadProps) {
  const formats = useFormats();
  const { data: schema } = useQuery(schemaQuery(recordTypeKey));
  const shape = faceShape(schema?.recordType.icon);
  usePageTitle(title);
  const elements = elementsOf(view.form);
  const facts = keyFacts.flatMap((name) => {
    const value = record?.[`__${name}`] ?? record?.[name];
    const label = elements.find((element) => fieldName(element) === name)?.label;
    if (typeof value !== "string" || label === undefined) return [];
    return [{ name, label, text: name === "modified" ? formats.dateTime(value) : value }];
  });
  return (
    <PageHead
      title={title}
      icon={
        shape && record ? (
          <Face name={title} shape={shape} size={40} />
        ) : (
          <NamedIcon name={schema?.recordType.icon} size={20} />
        )
      }
      lead={
        record && (
          <span className={classes.facts}>
            {facts.map(({ name, label, text }) => (
              <span key={name}>
                {name === "business_key" ? <span className="visually-hidden">{label}: </span> : `${label} `}
                <bdi>{text}</bdi>
              </span>
            ))}
          </span>
        )
      }
    >
      {children}
    </PageHead>
  );
}
