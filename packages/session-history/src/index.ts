// The front door of @loopx/session-history: named exports only.
export {};
