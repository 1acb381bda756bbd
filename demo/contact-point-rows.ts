// Addresses, e-mail addresses and phone numbers of users, companies and people, as rows of their own.
import type { RecordTypeKey } from "../server/metadata/record-type.ts";
import { HOUR } from "./calendar.ts";
import { addressParts, flag } from "./details.ts";
import { streetLine } from "./invent.ts";
import { randomFrom } from "./random.ts";
import { type Authored, type DemoBatch, type DemoRow, type DemoValue, type MasterId, toRow } from "./row.ts";
import { administrator, demoOrganization, staff } from "./staff.ts";
import { userName } from "./staff-batches.ts";
import type { Story } from "./story.ts";

export function contactPointBatches(story: Story, masterId: MasterId): DemoBatch[] {
  const random = randomFrom("contact points");
  const addresses: DemoRow[] = [];
  const mails: DemoRow[] = [];
  const phones: DemoRow[] = [];
  const add = (rows: DemoRow[], type: RecordTypeKey, parent: Authored, fields: Readonly<Record<string, DemoValue>>) => {
    const related = { related_type: type, related_id: String(parent.id) };
    const { modified: _, ...created } = parent;
    rows.push(toRow({ ...created, id: rows.length + 1 }, { ...related, ...fields }));
  };
  const mail = (email: string, type: string, primary: boolean, optOut = false) => ({
    email,
    type,
    email_opt_out: flag(optOut),
    is_primary: flag(primary),
  });
  const phone = (number: string, type: string, primary: boolean) => ({ number, type, is_primary: flag(primary) });

  for (const [index, person] of staff.entries()) {
    const id = index + 1;
    const user = { id, created: story.calendar.start + 6 * HOUR, author: administrator, owner: id, group: null };
    const address = `${userName(person)}@${demoOrganization.domain}`;
    add(mails, "access_controls/users", user, mail(address, "work", true));
    add(phones, "access_controls/users", user, phone(random.digits("+46 8 465 004 ##"), "work", true));
  }
  for (const company of story.companies) {
    const { organization } = company;
    const parts = addressParts(organization, masterId);
    add(addresses, "crm/companies", company, { type: "billing", ...parts, is_primary: "1" });
    if (random.chance(0.35)) {
      const street = streetLine(random, organization.country);
      const shipping = { ...parts, address_line_1: street, zip: random.digits(organization.city.zip) };
      add(addresses, "crm/companies", company, { type: "shipping", ...shipping, is_primary: "0" });
    }
    add(mails, "crm/companies", company, mail(`info@${organization.domain}`, "work", true));
    if (random.chance(0.4))
      add(mails, "crm/companies", company, mail(`accounts@${organization.domain}`, "billing", false));
    add(phones, "crm/companies", company, phone(organization.phone, "work", true));
  }
  for (const contact of story.contacts) {
    if (contact.deleted) continue;
    const { person, company } = contact;
    const { country } = company.organization;
    add(mails, "crm/peoples", contact, mail(person.email, "work", true, random.chance(0.05)));
    if (random.chance(0.12)) {
      const home = `${person.email.split("@")[0]}.${contact.id}@mail.example`;
      add(mails, "crm/peoples", contact, mail(home, "home", false));
    }
    if (random.chance(0.8)) add(phones, "crm/peoples", contact, phone(person.phone, "work", true));
    if (random.chance(0.5)) add(phones, "crm/peoples", contact, phone(person.mobile, "mobile", false));
    if (random.chance(0.25)) {
      const parts = addressParts(company.organization, masterId);
      const home = {
        ...parts,
        address_line_1: streetLine(random, country),
        zip: random.digits(company.organization.city.zip),
      };
      add(addresses, "crm/peoples", contact, { type: "home", ...home, is_primary: "1" });
    }
  }
  return [
    { type: "core/addresses", rows: addresses },
    { type: "core/email_addresses", rows: mails },
    { type: "core/phone_numbers", rows: phones },
  ];
}
