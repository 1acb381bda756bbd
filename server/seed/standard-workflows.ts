// The workflows that a new organization starts with. Administrators change them like any other record.
import type { WorkflowDefinition } from "../../contract/workflow.ts";
import type { Queryable } from "../database/database.ts";
import { requireType, type Snapshot } from "../metadata/snapshot.ts";
import { leadWorkflow } from "../modules/crm/workflows/lead-workflow.ts";
import { opportunityWorkflow } from "../modules/crm/workflows/opportunity-workflow.ts";
import { quoteWorkflow } from "../modules/crm/workflows/quote-workflow.ts";
import { insertRows } from "../records/save/insert-rows.ts";
import { addVersion } from "../records/workflow/workflow-versions.ts";

export interface StandardWorkflow {
  readonly controller: string;
  readonly name: string;
  readonly description: string;
  readonly definition: WorkflowDefinition;
}

export const standardWorkflows: readonly StandardWorkflow[] = [
  {
    controller: "crm/leads",
    name: "Leads",
    description: "From first contact to a person, company and opportunity",
    definition: leadWorkflow,
  },
  {
    controller: "crm/opportunities",
    name: "Pipeline",
    description: "From first call to won or lost, with a probability for each stage",
    definition: opportunityWorkflow,
  },
  {
    controller: "crm/quotes",
    name: "Quotes",
    description: "Discounts above 10% need one approval, above 25% two",
    definition: quoteWorkflow,
  },
];

/** Call within the transaction that founds the organization. */
export async function addStandardWorkflows(
  transaction: Queryable,
  snapshot: Snapshot,
  organizationId: string,
): Promise<void> {
  const type = requireType(snapshot, "core/workflows");
  const rows = standardWorkflows.map(({ controller, name, description, definition }) => ({
    controller,
    name,
    description,
    definition: JSON.stringify(definition),
    is_active: "1",
    version: "1",
  }));
  const ids = await insertRows(transaction, snapshot, type, organizationId, rows);
  for (const [index, { definition }] of standardWorkflows.entries()) {
    await addVersion(transaction, snapshot, organizationId, ids[index] ?? "", definition, null);
  }
}
