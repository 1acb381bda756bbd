// A form to design: tabs and sections on the canvas, the chosen part beside it, what is not on the form below that. The
// preview is the real form.
import { Button, Group, SegmentedControl, Skeleton, Tabs } from "@mantine/core";
import { useMediaQuery } from "@mantine/hooks";
import { IconPlus, IconSettings } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordTypeSchema } from "../../../../client/design/record-types.ts";
import { elementName, type FormDefinition } from "../../../../contract/form-definition.ts";
import type { OnDrop } from "../../../parts/controls/drag-place.ts";
import { Loaded } from "../../../parts/layout/loaded.tsx";
import { Notice } from "../../../parts/layout/notice.tsx";
import { schemaQuery } from "../../../queries.ts";
import classes from "../design.module.css";
import { generatedFormQuery } from "../design-queries.ts";
import { paneKeys } from "../pane-keys.ts";
import { useLineCommands } from "../use-line-commands.ts";
import canvas from "./canvas.module.css";
import {
  elementAt,
  faultsOf,
  othersOf,
  putElement,
  tabsOf,
  UNUSED,
  withOthers,
  withoutElement,
  withSection,
  withTab,
} from "./form-draft.ts";
import { type Chosen, FormInspector } from "./form-inspector.tsx";
import { partsOf } from "./form-parts.ts";
import { FormPreview } from "./form-preview.tsx";
import { SectionCard } from "./section-card.tsx";
import { UnusedParts } from "./unused-parts.tsx";

export interface FormDesignerProps {
  readonly recordTypeKey: string;
  /** Undefined for one that is not begun. */
  readonly form: FormDefinition | undefined;
  readonly errors: readonly string[];
  readonly onChange: (form: FormDefinition) => void;
}

export function FormDesigner(props: FormDesignerProps) {
  const schema = useQuery(schemaQuery(props.recordTypeKey));
  // A new form starts as the automatic one.
  const start = useQuery({ ...generatedFormQuery(props.recordTypeKey), enabled: props.form === undefined });
  const form = props.form ?? start.data;
  const { onChange } = props;
  const isBegun = props.form !== undefined;
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when there is something to start from
  useEffect(() => {
    if (!isBegun && start.data) onChange(start.data);
  }, [isBegun, start.data]);
  return (
    <Loaded query={schema} skeleton={<Skeleton h={420} radius="md" />}>
      {(known) =>
        form === undefined ? <Skeleton h={420} radius="md" /> : <Designer {...props} form={form} schema={known} />
      }
    </Loaded>
  );
}

const views = ["design", "preview"] as const;

interface DesignerProps extends FormDesignerProps {
  readonly form: FormDefinition;
  readonly schema: RecordTypeSchema;
}

function Designer({ recordTypeKey, form, schema, errors, onChange }: DesignerProps) {
  const { t } = useTranslation();
  useLineCommands();
  const isWide = useMediaQuery("(min-width: 75em)", true);
  const [view, setView] = useState<(typeof views)[number]>("design");
  const [tab, setTab] = useState(0);
  const [chosen, setChosen] = useState<Chosen>();
  const parts = partsOf(schema);
  const faults = faultsOf(errors, form);
  const tabs = tabsOf(form);
  const current = Math.min(tab, tabs.length - 1);
  const hasTabs = form.tabs !== undefined;
  const drop: OnDrop = (from, to) => {
    const unused = from.list === UNUSED ? unusedOf()[from.index]?.element : undefined;
    const element = unused ?? elementAt(form, from);
    if (!element) return;
    onChange(to.list === UNUSED ? withoutElement(form, elementName(element)) : putElement(form, element, to));
  };
  const unusedOf = () => {
    const used = new Set(tabs.flatMap((one) => one.sections.flatMap(({ elements }) => elements.map(elementName))));
    return parts.filter(({ name }) => !used.has(name));
  };
  const inspector = chosen && (
    <FormInspector
      {...{ form, schema, parts, chosen, faults, onChange }}
      onChoose={setChosen}
      onTab={(next) => setTab(next)}
    />
  );
  const sections = tabs[current]?.sections ?? [];
  const others = othersOf(form);
  const addSection = (next: FormDefinition): void => {
    onChange(next);
    setChosen({ kind: "section", tab: current, section: sections.length });
  };
  return (
    <div data-designer>
      <div className={classes.toolbar}>
        <SegmentedControl
          size="xs"
          aria-label={t("forms.views")}
          data={views.map((value) => ({ value, label: t(`forms.view_${value}`) }))}
          value={view}
          onChange={(value) => setView(views.find((one) => one === value) ?? "design")}
        />
        {view === "design" && (
          <Button
            size="compact-xs"
            variant="subtle"
            color="gray"
            leftSection={<IconPlus size={13} aria-hidden="true" />}
            onClick={() => {
              onChange(withTab(form, t("forms.new_tab"), t("forms.first_tab")));
              setTab(tabs.length);
              setChosen({ kind: "tab", tab: tabs.length });
            }}
          >
            {t("forms.add_tab")}
          </Button>
        )}
      </div>
      {faults.get("") !== undefined && <Notice tone="bad">{faults.get("")}</Notice>}
      {view === "preview" ? (
        <FormPreview recordTypeKey={recordTypeKey} form={form} />
      ) : (
        <div className={classes.panes} data-canvas ref={paneKeys}>
          <div>
            {hasTabs && (
              <Tabs value={String(current)} onChange={(value) => setTab(Number(value ?? 0))}>
                <Tabs.List mb="sm">
                  {tabs.map((one, index) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: tabs have no other name than their place
                    <Tabs.Tab key={index} value={String(index)}>
                      {one.tab || t("forms.unnamed")}
                    </Tabs.Tab>
                  ))}
                  <Button
                    size="compact-xs"
                    variant="subtle"
                    color="gray"
                    my="auto"
                    leftSection={<IconSettings size={13} aria-hidden="true" />}
                    onClick={() => setChosen({ kind: "tab", tab: current })}
                  >
                    {t("forms.tab_settings")}
                  </Button>
                </Tabs.List>
              </Tabs>
            )}
            {!isWide && chosen?.kind === "tab" && <div className={classes.inspector}>{inspector}</div>}
            <ol className={canvas.canvas} aria-label={t("forms.canvas")} data-lines>
              {sections.map((section, index) => (
                <SectionCard
                  // biome-ignore lint/suspicious/noArrayIndexKey: sections have no other name than their place
                  key={index}
                  {...{ form, section, parts, faults, chosen }}
                  tab={current}
                  place={index}
                  count={sections.length}
                  unused={unusedOf()}
                  onChoose={setChosen}
                  onChange={onChange}
                  onDrop={drop}
                >
                  {!isWide && inspector}
                </SectionCard>
              ))}
            </ol>
            <Group mt="sm" gap="xs">
              <Button
                size="xs"
                variant="default"
                leftSection={<IconPlus size={15} stroke={1.8} aria-hidden="true" />}
                onClick={() => addSection(withSection(form, current, t("forms.new_section")))}
              >
                {t("forms.add_section")}
              </Button>
              {others === undefined && (
                <Button
                  size="xs"
                  variant="default"
                  leftSection={<IconPlus size={15} stroke={1.8} aria-hidden="true" />}
                  onClick={() => addSection(withOthers(form, current, t("forms.others_section")))}
                >
                  {t("forms.add_others")}
                </Button>
              )}
            </Group>
          </div>
          <div className={classes.beside}>
            {isWide && inspector && (
              <div className={classes.inspector} data-sheet>
                {inspector}
              </div>
            )}
            <UnusedParts
              parts={unusedOf()}
              others={others && (others.section || t("forms.unnamed"))}
              onDrop={drop}
              onAdd={(part) => {
                const section = chosen?.kind === "section" ? chosen.section : sections.length - 1;
                const list = `${current}.${Math.max(0, section)}`;
                const count = sections[Math.max(0, section)]?.elements.length ?? 0;
                onChange(putElement(form, part.element, { list, index: count }));
                setChosen({ kind: "element", name: part.name });
              }}
            />
          </div>
        </div>
      )}
    </div>
  );
}
