// Fetches a screen together with the inputs of all field types, so that what it shows is whole at once.

export async function withFieldParts<Module>(screen: () => Promise<Module>): Promise<Module> {
  const parts = import("./index.ts").then(({ fetchFieldParts }) => fetchFieldParts());
  const [module] = await Promise.all([screen(), parts]);
  return module;
}
