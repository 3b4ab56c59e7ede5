/**
 * Parts of a result that follow from the build and the scope of the request alone: of layers in which no input has a part.
 * They are the same object in every turn, so what is made of them is made once.
 */
const settledParts = new WeakSet<object>();

/** Marks a part that every turn shares. It must never change. */
export function markSettled<Part extends object>(part: Part): Part {
  settledParts.add(part);
  return part;
}

export function isSettled(part: object): boolean {
  return settledParts.has(part);
}

/** Makes something of a part: once where it is settled, and then it is settled too; each time where it is not. */
export function onceIfSettled<Part extends object, Made>(make: (part: Part) => Made): (part: Part) => Made {
  const known = new WeakMap<Part, { readonly made: Made }>();
  return (part) => {
    if (!isSettled(part)) return make(part);
    const before = known.get(part);
    if (before !== undefined) return before.made;
    const made = make(part);
    if (typeof made === "object" && made !== null) markSettled(made);
    known.set(part, { made });
    return made;
  };
}
