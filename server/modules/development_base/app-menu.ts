// development_base/menus app_menu: the caller's navigation, module by module: what it may list, and nothing else.
import { mayOperate } from "../../access/matrix.ts";
import type { Operation } from "../../operations/operation.ts";
import { requireCaller } from "../access_controls/operations/session.ts";
import { modulesOf } from "./menu-data.ts";

export const appMenu: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    const caller = requireCaller(context);
    const data: Record<string, unknown> = {};
    for (const module of modulesOf(context.snapshot)) {
      const types = [...context.snapshot.types.values()].filter(
        (type) => type.module === module.name && !type.hidden && mayOperate(caller, type, "index"),
      );
      if (types.length === 0) continue;
      // What people talk about comes first; what it is sorted and filled by after it.
      types.sort((one, other) => Number(other.allowComments) - Number(one.allowComments));
      data[module.name] = {
        label: module.label,
        icon: module.icon,
        children: Object.fromEntries(
          types.map((type) => [
            type.controller,
            { label: type.plural, url: `${type.key}/index`, icon: type.icon ?? null, controller: type.key },
          ]),
        ),
      };
    }
    return { body: { data } };
  },
};
