// What is attached to a record, as people use it: files dropped and looked at, comments with mentions and answers, what one is told
// of, and the warning of a duplicate. On a desktop and on a phone.
import type { Page } from "playwright-core";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { addPerson, addRows } from "../http/people.ts";
import { type App, enterQuickly, expectAccessible, heading, openApp, sees, shoot } from "./app.ts";
import { inBrowser } from "./browser.ts";

const phone = { viewport: { width: 380, height: 760 }, hasTouch: true, isMobile: true };
const save = (page: Page) => page.getByRole("button", { name: "Save", exact: true }).click();
const composer = (page: Page) => page.getByRole("combobox", { name: "Write a comment" });

inBrowser("what is attached to a record", () => {
  let app: App;
  let lead = "";
  let paper = "";
  let picture: Buffer;

  beforeAll(async () => {
    app = await openApp();
    await addPerson(app.service, "grace", ["sales_manager"]);
    const admin = await app.service.login();
    [lead = ""] = await addRows(app.service, "crm/leads", [
      { last_name: "Lovelace", name: "Lovelace", status: "new", email: "ada@example.com" },
    ]);
    const definition = {
      module: "lab",
      controller: "papers",
      label: "Paper",
      plural: "Papers",
      displayField: "title",
      fields: [
        { name: "title", type: "short-text", required: true },
        { name: "photo", type: "image" },
        { name: "scan", type: "file", settings: { maxBytes: 1000 } },
      ],
      access: { read: ["organization"], edit: ["owner"], delete: ["owner"], comment: [] },
    };
    await app.service.post("/metadata/record_types/save.json", { definition: JSON.stringify(definition) }, admin);
    const made = { papers: { title: "A paper" }, action: { save_progress: "Save" } };
    paper = (await app.service.post("/lab/papers/add.json", { data: made }, admin)).body.id;
    picture = await sharp({ create: { width: 640, height: 400, channels: 3, background: "#3b6ea5" } })
      .composite([
        {
          input: Buffer.from('<svg width="640" height="400"><circle cx="320" cy="200" r="120" fill="#f2c14e"/></svg>'),
        },
      ])
      .png()
      .toBuffer();
  });
  afterEach(() => app.leave());
  afterAll(() => app.stop());

  const drop = async (page: Page, zone: string, name: string, type: string, content: Buffer): Promise<void> => {
    const transfer = await page.evaluateHandle(
      ([called, kind, base64]) => {
        const bytes = Uint8Array.from(atob(base64 ?? ""), (letter) => letter.charCodeAt(0));
        const given = new DataTransfer();
        given.items.add(new File([bytes], called ?? "", { type: kind ?? "" }));
        return given;
      },
      [name, type, content.toString("base64")],
    );
    const target = page.getByLabel(zone, { exact: true });
    await target.dispatchEvent("dragover", { dataTransfer: transfer });
    await target.dispatchEvent("drop", { dataTransfer: transfer });
  };

  test("a picture is dropped into its field, seen before and after it is saved, and taken out again", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, `/lab/papers/edit?id=${paper}`);
    await heading(page, "Edit A paper").waitFor();
    await drop(page, "Scan", "large.txt", "text/plain", Buffer.alloc(1001, "x"));
    await sees(page, "large.txt exceeds 1,000 bytes");
    await drop(page, "Scan", "note.txt", "text/plain", Buffer.from("a note"));
    await drop(page, "Photo", "sun.png", "image/png", picture);
    await sees(page, "Not saved");
    await page.locator("img[src^='blob:']").first().waitFor();
    await shoot(page, "file-field-edit");
    await save(page);
    await heading(page, "A paper").waitFor();
    await page.getByRole("button", { name: "Preview sun.png" }).click();
    await page.getByRole("dialog").getByRole("img", { name: "sun.png" }).waitFor();
    await shoot(page, "file-preview");
    await page.keyboard.press("Escape");
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download note.txt" }).click();
    expect((await download).suggestedFilename()).toBe("note.txt");
    await expectAccessible(page);

    await page.goto(`/lab/papers/edit?id=${paper}`);
    await page
      .getByLabel("Photo", { exact: true })
      .setInputFiles({ name: "fake.png", mimeType: "image/png", buffer: Buffer.from("text") });
    await save(page);
    await sees(page, /Photo must be a JPEG/);
    await page.getByRole("button", { name: "Remove fake.png" }).click();
    await save(page);
    await heading(page, "A paper").waitFor();
    await page.waitForURL(/papers\/view/);
    await expect.poll(() => page.getByText("sun.png").count()).toBe(0);
    const stored = await app.service.get(`/lab/papers/view.json?id=${paper}`, await app.service.login());
    expect(stored.body.data.papers).toMatchObject({ photo: null, scan: { name: "note.txt" } });
  });

  test("files are attached to a record on a phone: added, looked at, deleted and brought back", async () => {
    const page = await app.visit(phone);
    await enterQuickly(app, page, `/crm/leads/view?id=${lead}`);
    await heading(page, "Lovelace").waitFor();
    const name = "sun-phone.png";
    await drop(page, "Add files to Lovelace", name, "image/png", picture);
    await page.getByRole("button", { name: `Preview ${name}` }).waitFor();
    await page.getByRole("button", { name: `Preview ${name}` }).scrollIntoViewIfNeeded();
    await shoot(page, "attachments-phone");
    await expectAccessible(page);
    await page.getByRole("button", { name: `Delete ${name}` }).click();
    await sees(page, `${name} deleted`);
    await page.getByRole("button", { name: "Undo" }).click();
    await sees(page, `${name} restored`);
    await page.getByRole("button", { name: `Preview ${name}` }).waitFor();
    await page.getByRole("region", { name: "Today" }).getByRole("button", { name }).waitFor();
    await page
      .getByLabel("Add files to Lovelace")
      .setInputFiles({ name: "empty.txt", mimeType: "text/plain", buffer: Buffer.alloc(0) });
    await sees(page, "empty.txt is empty");
  });

  test("people talk about a record: a mention is offered, told, answered, changed and deleted with a way back", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, `/crm/leads/view?id=${lead}`);
    await composer(page).click();
    await page.keyboard.type("Please look, @gr");
    await page.getByRole("option", { name: /grace/ }).waitFor();
    await shoot(page, "comments-mention");
    await page.keyboard.press("Enter");
    await page.keyboard.type("thanks");
    await page.keyboard.press("Control+Enter");
    await page.getByText("@grace", { exact: true }).waitFor();
    await sees(page, /Please look/);
    await page.getByRole("button", { name: /^Actions for .* comment$/ }).click();
    await page.getByRole("menuitem", { name: "Edit" }).click();
    await page.getByRole("combobox", { name: "Edit" }).fill("Have a look, @grace");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await sees(page, /Have a look/);
    await page.getByRole("button", { name: /^Actions for .* comment$/ }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await sees(page, "Comment deleted");
    await page.getByRole("button", { name: "Undo" }).click();
    await sees(page, /Have a look/);

    const other = await app.visit({ ...phone, colorScheme: "dark" });
    await enterQuickly(app, other, "/", "grace");
    await other.getByRole("button", { name: "Notifications, 1 new" }).click();
    await other.getByRole("link", { name: /mentioned you on Lovelace/ }).waitFor();
    await shoot(other, "notifications-phone");
    await expectAccessible(other);
    await other.getByRole("link", { name: /mentioned you on Lovelace/ }).click();
    await heading(other, "Lovelace").waitFor();
    await other.getByRole("button", { name: "Notifications, 0 new" }).waitFor();
    await other
      .getByRole("button", { name: /^Reply/ })
      .first()
      .click();
    await other.getByRole("combobox", { name: /^Reply/ }).fill("It is a fine one");
    // What is being written outlives another filter.
    const filters = other.getByRole("group", { name: "Filter activity" });
    await filters.getByRole("button", { name: "Changes" }).click();
    await other.getByRole("combobox", { name: /^Reply/ }).waitFor({ state: "hidden" });
    await filters.getByRole("button", { name: "All" }).click();
    expect(await other.getByRole("combobox", { name: /^Reply/ }).inputValue()).toBe("It is a fine one");
    await other.getByRole("button", { name: "Reply", exact: true }).click();
    await other.getByRole("combobox", { name: /^Reply/ }).waitFor({ state: "hidden" });
    await sees(other, "It is a fine one");
    await shoot(other, "comments-phone");
    await expectAccessible(other);

    await page.reload();
    await sees(page, "It is a fine one");
    await page.getByRole("button", { name: "Notifications, 1 new" }).click();
    await sees(page, /replied to you on Lovelace/);
    await shoot(page, "comments-desktop");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Mark all as read" }).click();
    await page.getByRole("button", { name: "Notifications, 0 new" }).waitFor();
    expect(await page.getByRole("button", { name: /Actions for grace's comment/ }).count()).toBe(1);
  });

  test("a save that looks like a record already there shows it, and is done only if one wants to", async () => {
    const page = await app.visit();
    await enterQuickly(app, page, "/crm/leads/add");
    await page.getByRole("textbox", { name: "Last name", exact: true }).fill("Byron");
    await page.getByRole("textbox", { name: "Email", exact: true }).fill("ADA@example.com");
    await save(page);
    const dialog = page.getByRole("dialog", { name: "Possible duplicate" });
    await dialog.getByRole("link", { name: /Lovelace/ }).waitFor();
    await shoot(page, "duplicates");
    await expectAccessible(page);
    expect(await dialog.getByRole("link").getAttribute("href")).toBe(`/crm/leads/view?id=${lead}`);
    await dialog.getByRole("button", { name: "Keep editing" }).click();
    expect(await page.getByRole("textbox", { name: "Last name", exact: true }).inputValue()).toBe("Byron");
    await save(page);
    await dialog.getByRole("button", { name: "Save anyway" }).click();
    await heading(page, "Byron").waitFor();
  });
});
