// Chooses people, groups and roles to share with, by searching for them.
import { Combobox, Pill, PillsInput, useCombobox } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconId, IconUser, IconUsers } from "@tabler/icons-react";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Principal } from "../../../../client/records/access.ts";
import { viewPrincipalsQuery } from "../../../queries.ts";

const BREATH_MS = 180;

interface ShareWithProps {
  readonly chosen: readonly Principal[];
  readonly onChange: (chosen: readonly Principal[]) => void;
}

export function ShareWith({ chosen, onChange }: ShareWithProps) {
  const { t } = useTranslation();
  const combobox = useCombobox();
  const [typed, setTyped] = useState("");
  const [search] = useDebouncedValue(typed.trim(), BREATH_MS);
  const found = useQuery({
    ...viewPrincipalsQuery(search),
    enabled: combobox.dropdownOpened,
    // What somebody is about to click does not go from under their pointer while more is looked for.
    placeholderData: keepPreviousData,
  });
  const offered = (found.data ?? []).filter((each) => !chosen.some((one) => one.principal_id === each.principal_id));
  return (
    <Combobox
      store={combobox}
      onOptionSubmit={(id) => {
        const added = offered.find(({ principal_id }) => principal_id === id);
        if (added) onChange([...chosen, added]);
        setTyped("");
        // It would lie over the way on.
        combobox.closeDropdown();
      }}
    >
      <Combobox.DropdownTarget>
        <PillsInput label={t("views.with")}>
          <Pill.Group>
            {chosen.map((each) => (
              <Pill
                key={each.principal_id}
                withRemoveButton
                // The library keeps its button from the keyboard and from readers.
                removeButtonProps={{
                  "aria-label": t("filter.leave_out", { name: each.name }),
                  "aria-hidden": false,
                  tabIndex: 0,
                }}
                onRemove={() => onChange(chosen.filter((one) => one !== each))}
              >
                {each.name}
              </Pill>
            ))}
            <Combobox.EventsTarget>
              <PillsInput.Field
                value={typed}
                aria-label={t("views.with")}
                placeholder={t("views.with_hint")}
                onFocus={() => combobox.openDropdown()}
                onClick={() => combobox.openDropdown()}
                onBlur={() => combobox.closeDropdown()}
                onKeyDown={(event) => {
                  if (event.key === "Backspace" && typed === "") onChange(chosen.slice(0, -1));
                }}
                onChange={(event) => {
                  setTyped(event.currentTarget.value);
                  combobox.openDropdown();
                }}
              />
            </Combobox.EventsTarget>
          </Pill.Group>
        </PillsInput>
      </Combobox.DropdownTarget>
      <Combobox.Dropdown>
        <Combobox.Options mah={220} style={{ overflowY: "auto" }} aria-label={t("views.with")}>
          {offered.map(({ principal_id: id, kind, name }) => (
            <Combobox.Option key={id} value={id}>
              <KindIcon kind={kind} /> {name}
            </Combobox.Option>
          ))}
          {offered.length === 0 && (
            <Combobox.Option value="" disabled>
              {t(found.isPending || found.isPlaceholderData ? "record.searching" : "record.no_reference")}
            </Combobox.Option>
          )}
        </Combobox.Options>
      </Combobox.Dropdown>
    </Combobox>
  );
}

function KindIcon({ kind }: Pick<Principal, "kind">) {
  const Icon = kind === "group" ? IconUsers : kind === "role" ? IconId : IconUser;
  return <Icon size={14} stroke={1.6} aria-hidden="true" />;
}
