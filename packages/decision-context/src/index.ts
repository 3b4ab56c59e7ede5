// The front door of @loopx/decision-context: named exports only.
export {};
