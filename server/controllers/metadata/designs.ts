// metadata/designs: the design of the installation as one file, what applying another would do, applying it, going back; and the designs
// that the service comes with. For those who design.
import { Failure } from "../../../contract/failures.ts";
import { say } from "../../../contract/messages.ts";
import { applyDesign, type Designer, previewDesign, readLastApply, rollBack } from "../../designs/apply-design.ts";
import { type Design, DesignFileFault } from "../../designs/design.ts";
import { parseDesign, writeDesign } from "../../designs/design-files.ts";
import { exportDesign } from "../../designs/export-design.ts";
import type { DesignPlan } from "../../designs/plan-design.ts";
import { readStarter, starterNames } from "../../designs/starters.ts";
import type { Operation, OperationContext } from "../../operations/operation.ts";
import { actor, requireCaller, requireDesigner } from "../../operations/require-caller.ts";
import { textAt } from "../../request/tree.ts";
import { withGuardAndAudit } from "./audit-design.ts";
import { usesFor } from "./field-uses.ts";

const designerOf = (context: OperationContext): Designer => {
  const caller = requireCaller(context);
  const { database, metadata, hooks } = context.services;
  const by = actor(context, caller);
  const along = withGuardAndAudit(by, context.snapshot, { alone: false });
  return { database, metadata, hooks, caller, address: by.address, along, uses: usesFor(caller) };
};

const refused = (text: string): Failure =>
  new Failure("malformed_parameter", { with: { name: "design", reason: say("own_words", { text }) } });

/** What is wrong with the files is told as it is found. */
async function toldOfFiles<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof DesignFileFault ? refused(error.message) : error;
  }
}

async function sentDesign({ call }: OperationContext): Promise<Design> {
  const starter = textAt(call.parameters, "starter");
  if (starter === undefined) return parseDesign(textAt(call.parameters, "design") ?? "");
  const design = await readStarter(starter);
  if (design) return design;
  const reason = say("no_such_starter", { options: await starterNames() });
  throw new Failure("malformed_parameter", { with: { name: "starter", reason } });
}

const isSet = ({ call }: OperationContext, name: string): boolean => textAt(call.parameters, name) === "1";

const bodyOf = (design: Pick<Design, "name" | "description">, plan: DesignPlan) => ({
  data: { design: { name: design.name, description: design.description }, plan },
});

export const index: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    requireDesigner(context);
    const starters = await Promise.all(
      (await starterNames()).map(async (key) => {
        const design = await readStarter(key);
        const types = design?.items.filter(({ kind }) => kind === "record_types").map(({ key: type }) => type) ?? [];
        const isThere = types.length > 0 && types.every((type) => context.snapshot.types.has(type));
        const { words } = context.snapshot;
        const [name, description] = [words(design?.name ?? key), words(design?.description ?? "")];
        return { key, name, description, is_applied: isThere ? 1 : 0 };
      }),
    );
    const last = await readLastApply(context.services.database, requireCaller(context).organizationId);
    return { body: { data: { starters, last: last ? { name: last.name, applied: last.applied } : null } } };
  },
};

export const exportOperation: Operation = {
  methods: ["GET"],
  authentication: "required",
  reads: true,
  async run(context) {
    requireDesigner(context);
    const caller = requireCaller(context);
    const modules = textAt(context.call.parameters, "modules")?.match(/\w+/g) ?? undefined;
    // As it was written, not in the caller's language.
    const { database, metadata } = context.services;
    const design = await exportDesign(database, metadata.current(), caller.organizationId, {
      name: textAt(context.call.parameters, "name")?.slice(0, 200) || caller.organizationName,
      modules,
      records: isSet(context, "records"),
    });
    return { body: { data: { design: writeDesign(design), things: design.items.length } } };
  },
};

export const plan: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: true,
  async run(context) {
    requireDesigner(context);
    return toldOfFiles(async () => {
      const design = await sentDesign(context);
      const planned = await previewDesign(designerOf(context), design, { prune: isSet(context, "prune") });
      return { body: bodyOf(design, planned) };
    });
  },
};

export const apply: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  async run(context) {
    requireDesigner(context);
    return toldOfFiles(async () => {
      const design = await sentDesign(context);
      const done = await applyDesign(designerOf(context), design, {
        prune: isSet(context, "prune"),
        allowLoss: isSet(context, "allow_loss"),
        expects: textAt(context.call.parameters, "fingerprint"),
      });
      context.services.forget(requireCaller(context).organizationId);
      const isSame = done.items.every(({ action }) => action === "unchanged");
      return { message: [isSame ? say("design_same") : say("design_applied")], body: bodyOf(design, done) };
    });
  },
};

export const rollback: Operation = {
  methods: ["POST"],
  authentication: "required",
  reads: false,
  async run(context) {
    requireDesigner(context);
    return toldOfFiles(async () => {
      const done = await rollBack(designerOf(context), {
        allowLoss: isSet(context, "allow_loss"),
        override: isSet(context, "override"),
      });
      context.services.forget(requireCaller(context).organizationId);
      return { message: [say("design_rolled_back")], body: { data: { plan: done } } };
    });
  },
};
