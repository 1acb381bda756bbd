// What hangs on records: notifications, comments, files, and the warning of duplicates.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addNotifications } from "../../server/records/notifications.ts";
import { startService, type TestService } from "../service.ts";
import { addOrganization, addPerson, type Person, snapshot } from "./people.ts";

let service: TestService;
let admin: string;
let ada: Person;
let alan: Person;
let stranger: Person & { organizationId: string };

beforeAll(async () => {
  service = await startService();
  admin = await service.login();
  ada = await addPerson(service, "ada", ["sales_rep"]);
  alan = await addPerson(service, "alan", ["sales_rep"]);
  stranger = await addOrganization(service, "elsewhere");
});
afterAll(() => service.stop());

const tell = (text: string, userId: string, byUserId: string | null) =>
  service.db.transaction((transaction) =>
    addNotifications(transaction, snapshot, "1", [
      { userId, kind: "mention", text, record: { type: "crm/leads", id: "7", name: "A lead" }, byUserId },
    ]),
  );
const mine = async (token: string, query = "") =>
  (await service.get(`/core/notifications/mine.json${query}`, token)).body.data;

describe("a notification", () => {
  test("is read by the person that it is for and by nobody else, administrators included", async () => {
    await tell("Alan mentioned you", ada.id, alan.id);
    const { notifications, unread } = await mine(ada.token);
    expect(notifications).toMatchObject([
      {
        kind: "mention",
        text: "Alan mentioned you",
        related_type: "crm/leads",
        related_id: "7",
        related_name: "A lead",
        read_at: null,
        created_by: alan.id,
        __created_by: "alan",
      },
    ]);
    expect(unread).toBe(1);
    const [{ id }] = notifications;
    for (const token of [alan.token, admin, stranger.token]) {
      expect((await mine(token)).notifications).toEqual([]);
      expect((await service.get(`/core/notifications/view.json?id=${id}`, token)).status).toBe(404);
      const list = await service.get("/core/notifications/index.json", token);
      expect(list.body.paginate.data).toEqual([]);
      expect(list.body.paginate.total_count).toBe(0);
      expect((await service.post(`/core/notifications/mark_read.json?id=${id}`, {}, token)).status).toBe(404);
    }
    expect((await service.get("/core/notifications/index.json", ada.token)).body.paginate.total_count).toBe(1);
    expect((await service.get("/core/notifications/unread.json")).status).toBe(401);
  });

  test("is marked as read, made new again, and all of them at once", async () => {
    await tell("First", alan.id, ada.id);
    await tell("Second", alan.id, null);
    const { notifications } = await mine(alan.token);
    expect(notifications.map(({ text }: { text: string }) => text)).toEqual(["Second", "First"]);
    const [{ id }] = notifications;
    const read = await service.post(`/core/notifications/mark_read.json?id=${id}`, {}, alan.token);
    expect(read.body.data).toEqual({ unread: 1, changed: 1 });
    expect((await mine(alan.token, "?unread=1")).notifications).toMatchObject([{ text: "First" }]);
    await service.post(`/core/notifications/mark_read.json?id=${id}&unread=1`, {}, alan.token);
    expect((await service.get("/core/notifications/unread.json", alan.token)).body.data.unread).toBe(2);
    const all = await service.post("/core/notifications/mark_read.json", { all: "1" }, alan.token);
    expect(all.body.data).toEqual({ unread: 0, changed: 2 });
    expect((await mine(alan.token, `?before=${id}&limit=1`)).notifications).toMatchObject([{ text: "First" }]);
    expect((await service.get("/core/notifications/mine.json?limit=1000", alan.token)).status).toBe(400);
  });

  test("does not tell people of what they did themselves, nor those of another organisation", async () => {
    expect(await tell("Self", ada.id, ada.id)).toEqual([]);
    expect(await tell("Far", stranger.id, ada.id)).toEqual([]);
    expect((await mine(stranger.token)).notifications).toEqual([]);
  });

  test("is not written or changed by people", async () => {
    const data = { notifications: { kind: "x", text: "y" }, action: { save_progress: "Save" } };
    expect((await service.post("/core/notifications/add.json", { data }, admin)).status).toBe(409);
    const [{ id }] = (await mine(ada.token)).notifications;
    const change = { notifications: { id, text: "Other" }, action: { save_progress: "Save" } };
    expect((await service.post("/core/notifications/edit.json", { data: change }, admin)).status).toBe(409);
  });
});
