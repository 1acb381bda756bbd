// Why nobody adds, changes or removes records that only the service writes.
import type { Refusals } from "./record-type.ts";

export const keptByTheService = "Records of this kind are kept by the service itself";

export const onlyRead: Refusals = { add: keptByTheService, edit: keptByTheService, delete: keptByTheService };
