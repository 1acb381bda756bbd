// Which part of a workflow is being designed: a stage by its key, a transition by its place.
export type ChosenPart =
  | { readonly kind: "stage"; readonly key: string }
  | { readonly kind: "transition"; readonly place: number };
