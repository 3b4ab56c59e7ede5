const KINDS: Readonly<Record<string, string>> = {
  decision: "Decision",
  objective_edit: "New objective",
  destructive_git: "Destructive git",
  credentials: "Credentials",
  private_material: "Private material",
  production: "Production",
  external_publication: "Publication",
  user_action: "Only you can do this",
};

/** What a gate or an action is about, in words. */
export function sayKind(kind: string): string {
  return KINDS[kind] ?? kind.replaceAll("_", " ");
}
