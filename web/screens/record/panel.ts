// What a panel of a record's page is: what it is given, and where it stands.
import type { TFunction } from "i18next";
import type { ComponentType } from "react";
import type { RecordView, WireRecord } from "../../../client/records/records.ts";
import type { RecordTypeKey } from "../../../client/transport/address.ts";

export interface PanelProps {
  readonly module: string;
  readonly controller: string;
  readonly recordTypeKey: RecordTypeKey;
  readonly id: string;
  /** What the record is called. */
  readonly name: string;
  readonly view: RecordView;
  readonly record: WireRecord;
}

interface PanelBase {
  readonly key: string;
  /** Left out: always. */
  readonly isShown?: (props: PanelProps) => boolean;
  readonly Component: ComponentType<PanelProps>;
}

/** Across the page, under its head (`top`), or in its wide column (`main`). */
export interface PlainPanel extends PanelBase {
  readonly place: "top" | "main";
}

/** One of the tabs beside the record; only the chosen one is drawn. */
export interface SidePanel extends PanelBase {
  readonly place: "side";
  readonly label: (t: TFunction) => string;
}
